import { OutboundRefused } from './refused.ts'

export interface Target {
  readonly url: URL
  /** Without the brackets of an IPv6 address and the dot of a complete name. */
  readonly host: string
  readonly port: number
}

const DEFAULT_PORTS = new Map([
  ['http:', 80],
  ['https:', 443],
])

/** What a URL asks for, before anything is resolved. `base` is the address that a redirect came from. */
export function parseTarget(text: string, base?: URL): Target {
  const url = URL.parse(text, base?.href)
  // The error of the URL constructor would hold the text, and with it a password.
  if (url === null) throw new OutboundRefused('url')
  const defaultPort = DEFAULT_PORTS.get(url.protocol)
  if (defaultPort === undefined) throw new OutboundRefused('scheme', `the scheme is ${url.protocol}`)
  if (base?.protocol === 'https:' && url.protocol === 'http:')
    throw new OutboundRefused('scheme', 'https led to http')
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('credentials')
  url.hash = ''
  // A server name in TLS has no last dot; with one, certificates do not match.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const port = url.port === '' ? defaultPort : Number(url.port)
  return { url, host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port }
}
