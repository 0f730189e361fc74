import { html, type Markup } from './markup.ts'

/** Of the pages that say something themselves. */
const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f3f2ef;--surface:#fefdfc;--line:#dad9d5;--text:#1f1b17;--text-muted:#5a5650;--accent:#a64400;--focus:#006edc}
@media (prefers-color-scheme:dark){:root{--ground:#12100e;--surface:#1a1816;--line:#2f2d29;--text:#f1f0ed;--text-muted:#aeaca7;--accent:#ff9a6b;--focus:#6abfff}}
*{box-sizing:border-box;margin:0}
body{background:var(--ground);color:var(--text);font:1rem/1.5 ui-sans-serif,system-ui,-apple-system,Segoe UI,Inter,Noto Sans,sans-serif}
.message{min-height:100dvh;display:grid;grid-template-columns:minmax(0,30rem);place-content:center;padding:1rem}
main{border:1px solid var(--line);border-radius:1rem;padding:1.375rem clamp(1.125rem,6vw,2rem) 1.75rem;background:var(--surface);overflow-wrap:anywhere}
h1{font-size:1.375rem;font-weight:650;line-height:1.25;letter-spacing:-.018em;text-wrap:balance}
p{margin-top:.75rem;text-wrap:pretty}
.where{color:var(--text-muted);font-size:.875rem}
a{color:var(--accent)}
a:focus-visible{outline:3px solid var(--focus);outline-offset:3px;border-radius:.125rem}
pre{padding:1rem;font:.875rem/1.5 ui-monospace,SF Mono,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}
.picture{min-height:100dvh;display:grid;place-content:center}
.picture img{max-width:100%;height:auto}
`

export interface Message {
  /** Never a text that somebody else chose. */
  readonly heading: string
  readonly happened: string
  /** What it is about, and where the person can go by themselves. */
  readonly url?: string | undefined
}

/** A page that says what happened, in a frame that would be blank otherwise. */
export function messagePage({ heading, happened, url }: Message): string {
  const way = url === undefined ? '' : html`<p class="where">${linkTo(url)}</p>`
  return page(heading, 'message', html`<main><h1>${heading}</h1><p>${happened}</p>${way}</main>`)
}

/** Of a text. Escaping all of a large one would keep everybody waiting, and nobody reads that far in a frame. */
const LONGEST_TEXT = 1_048_576

export function textPage(title: string, text: string, url: string): string {
  const rest =
    text.length > LONGEST_TEXT
      ? html`<p class="where">Only the beginning is shown. ${linkTo(url)}</p>`
      : html``
  return page(title, 'text', html`<pre>${text.slice(0, LONGEST_TEXT)}</pre>${rest}`)
}

/** Inside the page, so that it can be shown without asking the site a second time. */
export function picturePage(title: string, mediaType: string, bytes: Uint8Array): string {
  const data = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
  return page(title, 'picture', html`<img src="${data}" alt="${title}">`)
}

/** What a tab would call it: the last part of its address. */
export function titleOf(url: string): string {
  const { pathname, host } = new URL(url)
  return pathname.split('/').findLast((part) => part !== '') ?? host
}

function page(title: string, kind: 'message' | 'text' | 'picture', body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body class="${kind}">
${body}
</body>
</html>
`.text
}

function linkTo(url: string): Markup {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">Open ${shorten(url)} in a tab of its own</a>`
}

const LONGEST_SHOWN = 100

function shorten(url: string): string {
  return url.length > LONGEST_SHOWN ? `${url.slice(0, LONGEST_SHOWN)}…` : url
}
