/** Without `allow-same-origin` a page has no origin, and without `allow-top-navigation` no way to the page around it. */
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'

/** Of every answer. What the site itself has sent stays behind. */
export function pageHeaders(workspaceOrigin: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${SANDBOX}; form-action 'none'; frame-ancestors ${workspaceOrigin}`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex, nofollow',
  }
}
