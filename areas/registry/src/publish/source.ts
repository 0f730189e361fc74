/** Where an archive came from, for the record. Signed addresses carry their secret in the query, so that goes. */
export function sourceOf(address: string): string {
  const url = URL.parse(address)
  return url === null ? '' : `${url.origin}${url.pathname}`
}
