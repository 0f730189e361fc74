const OWN_PAGE = 'allow-scripts allow-forms allow-popups allow-downloads'
const FOREIGN_PAGE = `${OWN_PAGE} allow-same-origin allow-popups-to-escape-sandbox`

/** What a page that comes through the proxy may do. It never has an origin: it would be that of the proxy, for every site. */
export const PROXIED_PAGE = 'allow-scripts allow-forms allow-popups'

/**
 * What a page in a frame may do. A page of ours with its own origin could read the workspace around it, its cookies and
 * take the sandbox away.
 */
export function frameRights(url: string, ownOrigin: string): string {
  const origin = URL.parse(url)?.origin
  return origin === undefined || origin === ownOrigin ? OWN_PAGE : FOREIGN_PAGE
}
