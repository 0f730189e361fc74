/** What asks for a form or a part of the answer, and tells nothing about who asks. */
const CALLERS = new Set(['accept', 'accept-language', 'if-modified-since', 'if-none-match', 'range'])
const VALUE = /^[\t\x20-\x7e]*$/

export type RequestHeaders = Readonly<Record<string, string>>

/** The headers of every hop; `TypeError` for one that callers may not add. */
export function composeHeaders(userAgent: string, added: RequestHeaders = {}): RequestHeaders {
  const headers: Record<string, string> = { 'user-agent': userAgent, 'accept-encoding': 'identity' }
  for (const [name, value] of Object.entries(added)) {
    const lower = name.toLowerCase()
    if (!CALLERS.has(lower)) throw new TypeError(`the header ${lower} may not be sent to strangers`)
    if (!VALUE.test(value)) throw new TypeError(`the header ${lower} has characters that do not belong there`)
    headers[lower] = value
  }
  return headers
}
