export interface Host {
  readonly name: string
  readonly port: number | undefined
}

const NAME = /^([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)(?::(\d{1,5}))?$/
const IPV6 = /^(\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/

/** Reads a `Host` header or an entry of an allow-list; `undefined` when it is neither a name nor an address. */
export function parseHost(text: string): Host | undefined {
  const lower = text.toLowerCase()
  const match = NAME.exec(lower) ?? IPV6.exec(lower)
  if (match?.[1] === undefined) return undefined
  const port = match[2] === undefined ? undefined : Number(match[2])
  if (port !== undefined && port > 65_535) return undefined
  const name = match[1].startsWith('[') ? shortenIpv6(match[1]) : match[1]
  return name === undefined ? undefined : { name, port }
}

/** One address has many spellings: without this `[0:0:0:0:0:0:0:1]` would not be `[::1]`. */
function shortenIpv6(literal: string): string | undefined {
  return URL.parse(`http://${literal}`)?.hostname
}

/**
 * Whether this server answers for the host that a request names. An entry without a port matches every port; an entry
 * with one matches only a header that names it. Pass `headersDistinct.host`: two `Host` headers are refused, because a
 * proxy in front may have judged the other one.
 */
export function hostIsAllowed(
  hostHeader: string | readonly string[] | undefined,
  allowList: readonly string[],
): boolean {
  const text =
    typeof hostHeader === 'string' ? hostHeader : hostHeader?.length === 1 ? hostHeader[0] : undefined
  const host = text === undefined ? undefined : parseHost(text)
  return host !== undefined && allowList.some((entry) => covers(parseHost(entry), host))
}

function covers(entry: Host | undefined, host: Host): boolean {
  return entry?.name === host.name && (entry.port === undefined || entry.port === host.port)
}
