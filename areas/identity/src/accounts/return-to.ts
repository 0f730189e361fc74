const APPROVAL_PAGE = '/approve'
const PLAIN = /^\/(?![/\\])[^\\\s\p{Cc}]*$/u

/**
 * A path of this site, spelled the one way that browsers read it; `/` for anything else. The path is judged again after
 * it was resolved: `/.//evil.example` becomes `//evil.example`, which is another site.
 */
export function safeReturnTo(text: string, publicUrl: string): string {
  if (!PLAIN.test(text)) return '/'
  const site = new URL(publicUrl)
  const url = URL.parse(text, site.href)
  if (url === null || url.origin !== site.origin) return '/'
  // The approval page keeps its token by itself; here it would lie beside the session that it opens.
  if (url.pathname === APPROVAL_PAGE) return APPROVAL_PAGE
  const path = url.pathname + url.search + url.hash
  return PLAIN.test(path) ? path : '/'
}
