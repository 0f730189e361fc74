import { UnexpectedResponse } from '@patchbay/contracts/core'
import { Unanswered } from './unanswered.ts'

/** A picture may have this much, and so may all that the panels of a workspace show. */
const MOST_BYTES = 32 * 1024 * 1024
const STALL_MS = 60_000

/**
 * A `fetch` that follows no redirect, which would carry the key to an address nobody checked, and that reads no answer
 * larger than it should be. The bytes are handed out as well, for answers that are no text.
 */
export function boundedFetch(
  send: typeof fetch,
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void = () => undefined,
): typeof fetch {
  return async (input, init) => {
    const response = await sendOnce(send, input, init)
    const bytes = await readBytes(response)
    onBytes(bytes)
    const { status, statusText, headers } = response
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers })
  }
}

/** The same for an answer of any size: what is no failure is handed out unread. */
export function streamedFetch(
  send: typeof fetch,
  onBody: (body: ReadableStream<Uint8Array<ArrayBuffer>>) => void,
): typeof fetch {
  return async (input, init) => {
    const response = await sendOnce(send, input, init)
    if (!response.ok || response.body === null) return response
    onBody(watched(response.body))
    const { status, statusText, headers } = response
    return new Response(null, { status, statusText, headers })
  }
}

/**
 * Without this, a server that stands still would be waited for until somebody ends the process. By hand: a `TransformStream`
 * costs as much as receiving the bytes. The time of a reader that pauses does not count.
 */
function watched(source: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader()
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const timer = setTimeout(() => {
          const stalled = new Unanswered('nothing came for a minute', true)
          controller.error(stalled)
          reader.cancel(stalled).catch(() => undefined)
        }, STALL_MS)
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } finally {
          clearTimeout(timer)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

async function sendOnce(
  send: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  const response = await send(input, { ...init, redirect: 'manual', cache: 'no-store', credentials: 'omit' })
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status >= 400)) return response
  await response.body?.cancel()
  throw new UnexpectedResponse(response.status, 'it redirects elsewhere; use the address it redirects to')
}

async function readBytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (reader === undefined) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > MOST_BYTES) {
      await reader.cancel()
      throw new UnexpectedResponse(response.status, 'the answer is too large')
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
