/** What pages without an origin of their own send: sandboxed frames, `file:` and `data:` pages. */
const OPAQUE = 'null'
const SHAPE = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]+$/i

/** Scheme, host and port in one spelling (`https://a.example:443` is `https://a.example`), or `undefined`. */
export function parseOrigin(text: string): string | undefined {
  if (text === OPAQUE) return OPAQUE
  const url = SHAPE.test(text) ? URL.parse(text) : null
  return url === null || url.host === '' ? undefined : `${url.protocol}//${url.host}`
}

/**
 * Whether a page of this origin may act here. No `Origin` at all means that no browser page asks, and is allowed;
 * `null` is allowed only where the list says `null`, because any site can make a sandboxed frame.
 */
export function originIsAllowed(originHeader: string | undefined, allowList: readonly string[]): boolean {
  if (originHeader === undefined) return true
  const origin = parseOrigin(originHeader)
  return origin !== undefined && allowList.some((entry) => parseOrigin(entry) === origin)
}
