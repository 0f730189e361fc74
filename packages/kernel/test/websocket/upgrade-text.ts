export const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='

export interface UpgradeRequest {
  readonly method?: string
  readonly path?: string
  /** `null` leaves a header out, a list repeats it. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
}

/** An upgrade as it goes over the wire. */
export function upgradeText({ method = 'GET', path = '/echo', headers = {} }: UpgradeRequest = {}): string {
  const all = {
    host: '127.0.0.1',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': KEY,
    'sec-websocket-version': '13',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}
