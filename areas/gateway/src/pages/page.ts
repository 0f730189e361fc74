import { html, type Markup } from './markup.ts'
import { type Picture, picture } from './page-picture.ts'
import { PAGE_STYLE } from './page-style.ts'

export interface PageContent {
  /** Title and heading; never a text that somebody else chose. */
  readonly heading: string
  readonly picture: Picture
  readonly body: Markup
}

/** The text of a whole page. */
export function page({ heading, picture: shown, body }: PageContent): string {
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · Patchbay</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
${picture(shown)}
<div class="text">
<h1>${heading}</h1>
${body}
</div>
</main>
<footer>
<svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true"><path class="mark" d="M8.5 29V13.5a8.75 8.75 0 1 1 8.75 8.75"/><circle class="plug" cx="17.25" cy="13.5" r="3.25"/></svg>
<p>A Patchbay gateway. It never sees your password.</p>
</footer>
</body>
</html>
`.text
}
