import type { ExchangeEnd } from './failure.ts'

/** An answer of a few words, with what providers add about costs and identifiers. */
const ANSWER_BYTES = 256 * 1024

/** One request to a provider and its answer. */
export interface Exchange {
  readonly signal: AbortSignal
  /** For a library that takes its own. */
  readonly fetch: typeof fetch
  end(): ExchangeEnd
}

/**
 * The network as the providers' libraries get it: an answer is cut when it exceeds its limit, and a redirect is an answer
 * like any other, since following it would carry the key and the picture elsewhere.
 */
export function createExchange(signal: AbortSignal, deadlineMs: number): Exchange {
  const deadline = AbortSignal.timeout(deadlineMs)
  const ended = AbortSignal.any([signal, deadline])
  let wasAnswered = false
  let isTooLong = false

  function countBytes(): TransformStream<Uint8Array, Uint8Array> {
    let bytes = 0
    return new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > ANSWER_BYTES) {
          isTooLong = true
          controller.error(new Error('the answer is too long'))
        } else controller.enqueue(chunk)
      },
      flush() {
        wasAnswered = true
      },
    })
  }

  return {
    signal: ended,
    end: () => ({ isLate: deadline.aborted && !signal.aborted, isTooLong, wasAnswered }),
    async fetch(input, init) {
      const headers = new Headers(init?.headers)
      // What is not compressed cannot grow while it is read.
      headers.set('accept-encoding', 'identity')
      const answer = await fetch(input, { ...init, headers, redirect: 'manual', signal: ended })
      if (answer.body === null) wasAnswered = true
      const { status, statusText } = answer
      return new Response(answer.body?.pipeThrough(countBytes()) ?? null, {
        status,
        statusText,
        headers: answer.headers,
      })
    },
  }
}
