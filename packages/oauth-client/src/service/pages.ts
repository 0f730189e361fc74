/** Nothing is loaded, framed, submitted or remembered. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function messagePage(title: string, text: string): string {
  return page(title, `<p>${escape(text)}</p>`)
}

/** The link is relative: the route may stand behind a proxy that takes a prefix off. */
export function askPage(provider: string, path: string): string {
  const here = path.slice(path.lastIndexOf('/') + 1)
  const text =
    'Another website sent you here. Go on only if you want this application to have access to an account of yours.'
  return page(
    `Connect to ${provider}?`,
    `<p>${text}</p>\n<p><a href="./${escape(here)}">Connect to ${escape(provider)}</a></p>`,
  )
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title></head>
<body>
<h1>${escape(title)}</h1>
${content}
</body>
</html>
`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
