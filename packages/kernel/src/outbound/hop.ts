import type { Readable } from 'node:stream'
import { Client } from 'undici'
import { createDialer } from './dialer.ts'
import type { Flight } from './flight.ts'
import type { Connector } from './ports.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { Target } from './target.ts'

const MAX_HEADER_BYTES = 16_384

export interface Hop {
  readonly target: Target
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Readable
  close(): void
}

export interface HopRequest {
  readonly target: Target
  readonly addresses: readonly string[]
  readonly connect: Connector
  readonly headers: RequestHeaders
}

/** One request on a connection of its own. Redirects are answers here. */
export async function requestOnce(
  { target, addresses, connect, headers }: HopRequest,
  flight: Flight,
): Promise<Hop> {
  const { signal } = flight
  signal.throwIfAborted()
  const { host, url } = target
  const client = new Client(url.origin, {
    connect: createDialer(connect, { host, addresses, signal }),
    // Sends `Connection: close`.
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The flight has the timers: those of the client are coarse and do not count a silent handshake.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const close = () => {
    signal.removeEventListener('abort', close)
    client.destroy().catch(() => undefined)
  }
  signal.addEventListener('abort', close)
  try {
    const request = client.request({ method: 'GET', path: `${url.pathname}${url.search}`, headers })
    const answer = await flight.race(request)
    return {
      target,
      status: answer.statusCode,
      headers: readHeaders(answer.headers),
      body: answer.body,
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function readHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Map<string, string> {
  const read = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'set-cookie') continue
    read.set(name.toLowerCase(), typeof value === 'string' ? value : value.join(', '))
  }
  return read
}
