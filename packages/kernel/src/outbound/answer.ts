import type { Flight } from './flight.ts'
import type { Hop } from './hop.ts'
import type { OutboundResponse } from './ports.ts'
import { OutboundRefused } from './refused.ts'

/** What callers get of the last hop. The flight ends with the body. */
export function presentAnswer(hop: Hop, maxBytes: number, flight: Flight): OutboundResponse {
  const { headers, status, target } = hop
  for (const name of ['content-encoding', 'transfer-encoding']) refuseEncoded(name, headers.get(name))
  const declared = Number(headers.get('content-length') ?? 0)
  if (declared > maxBytes) throw new OutboundRefused('too_large', `${declared} bytes are declared`)
  return {
    status,
    headers,
    url: target.url.href,
    body: readBody(hop, maxBytes, flight),
    [Symbol.asyncDispose]: async () =>
      flight.end(new OutboundRefused('interrupted', 'disposed of by the caller')),
  }
}

async function* readBody({ body }: Hop, maxBytes: number, flight: Flight): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
    for (;;) {
      const piece = await flight.waitFor(pieces.next())
      if (piece.done === true) return
      bytes += piece.value.byteLength
      if (bytes > maxBytes) throw new OutboundRefused('too_large', `more than ${maxBytes} bytes`)
      yield piece.value
    }
  } catch (error) {
    throw flight.explain(error, 'interrupted')
  } finally {
    flight.end(new OutboundRefused('interrupted', 'the reader has stopped'))
  }
}

function refuseEncoded(name: string, value = ''): void {
  const codings = value.split(',').map((coding) => coding.trim().toLowerCase())
  const isPlain = codings.every((coding) => ['', 'identity', 'chunked'].includes(coding))
  if (!isPlain) throw new OutboundRefused('encoding', `${name}: ${value}`)
}
