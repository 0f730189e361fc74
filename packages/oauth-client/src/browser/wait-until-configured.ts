import { ConnectError } from './connect-error.ts'
import { askStatus, type ConnectStatus, type Fetch } from './connect-status.ts'

export interface WaitOptions {
  /** The status route. */
  readonly url: string
  /** Between an answer and the next question. Default 2 s. */
  readonly intervalMs?: number
  readonly signal?: AbortSignal
  /** Called with every answer, to show the phrase or how it goes. */
  readonly onStatus?: (status: ConnectStatus) => void
  /** Default `fetch`. */
  readonly fetch?: Fetch
}

const INTERVAL_MS = 2_000
const POLL_TIMEOUT_MS = 10_000
/** In a row: half a minute without the service is no hiccup. */
const MOST_FAILED_POLLS = 15
/** The first answer with a failure may still be about the attempt before this one. */
const FAILURES_BEFORE_BELIEF = 2

/** Asks the status route every 2 s until `configured` is true. Rejects with a `ConnectError`, or as the signal says. */
export async function waitUntilConfigured(options: WaitOptions): Promise<ConnectStatus> {
  const { url, intervalMs = INTERVAL_MS, signal, onStatus, fetch = globalThis.fetch } = options
  let failedPolls = 0
  let failures = 0
  for (;;) {
    const status = await poll(url, fetch, signal).catch((error: unknown) => {
      failedPolls += 1
      if (signal?.aborted === true || failedPolls === MOST_FAILED_POLLS) throw error
      return undefined
    })
    if (status !== undefined) {
      failedPolls = 0
      onStatus?.(status)
      if (status.configured) return status
      failures = status.error === undefined || status.pending === true ? 0 : failures + 1
      if (status.error !== undefined && failures === FAILURES_BEFORE_BELIEF) {
        throw new ConnectError(status.error.code, status.error.message)
      }
    }
    await pause(intervalMs, signal)
  }
}

/** Each question has its own deadline: one that is never answered would end the polling without a word. */
async function poll(url: string, fetch: Fetch, signal: AbortSignal | undefined): Promise<ConnectStatus> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), POLL_TIMEOUT_MS)
  const stop = () => deadline.abort(signal?.reason)
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    return await askStatus(url, fetch, deadline.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
  })
}
