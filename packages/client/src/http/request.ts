import type { Method } from '@patchbay/contracts/core'
import { LoginError } from '../login-error.ts'
import type { Surroundings } from '../surroundings.ts'
import { readJson } from './answer-body.ts'
import { isPassing, lastingFailure, networkFailure, PassingFailure, problemOf, refusalOf } from './failure.ts'
import { abortion, backoffMs, pause, throwIfAborted } from './pause.ts'
import { retryAfterMs } from './retry-after.ts'

/** How requests are made, the same for every call of this package. */
export interface CallerOptions {
  readonly signal?: AbortSignal | undefined
  readonly fetch?: typeof fetch | undefined
  /** What the application calls itself, for the list of sessions. Browsers send their own. */
  readonly userAgent?: string | undefined
}

export interface Request {
  readonly method: Method
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  /** `undefined` when there is none, or it is no JSON. */
  readonly body: unknown
}

const ANSWER_WITHIN_MS = 10_000
const ATTEMPTS = 3
/** A caller who waits at a prompt is told sooner than after a minute. */
const LONGEST_REPEAT_MS = 5_000

/** A redirect is not followed: it would carry the verifier or the session token to an address nobody checked. */
export async function sendRequest(
  { method, url, headers, body }: Request,
  { fetch: send = fetch, userAgent }: CallerOptions,
  signal: AbortSignal,
): Promise<Response> {
  const response = await send(url, {
    method,
    signal,
    redirect: 'manual',
    cache: 'no-store',
    credentials: 'omit',
    headers: {
      accept: 'application/json',
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    throw new LoginError('unexpected', { detail: 'it redirects elsewhere; use the address it redirects to' })
  }
  return response
}

/** Throws what a response that is not OK means. */
export async function requireOk(response: Response, { now }: Surroundings): Promise<void> {
  const { status } = response
  if (response.ok) return
  const body = await readJson(response)
  if (!isPassing(status)) throw refusalOf(status, body)
  throw new PassingFailure(`it answered ${status}`, {
    status,
    problem: problemOf(body),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now()),
  })
}

/** One attempt: an answer that is OK, a `PassingFailure`, or a `LoginError`. */
export async function askOnce(
  request: Request,
  caller: CallerOptions,
  surroundings: Surroundings,
): Promise<Answer> {
  const { signal } = caller
  throwIfAborted(signal)
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, ANSWER_WITHIN_MS)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const response = await sendRequest(request, caller, controller.signal)
    await requireOk(response, surroundings)
    return { status: response.status, body: await readJson(response) }
  } catch (error) {
    if (signal?.aborted === true) throw abortion(signal)
    if (error instanceof LoginError || error instanceof PassingFailure) throw error
    throw networkFailure(error, controller.signal.aborted)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** A few attempts, for calls that somebody waits for. */
export async function ask(
  request: Request,
  caller: CallerOptions,
  surroundings: Surroundings,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askOnce(request, caller, surroundings)
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error
      if (attempt === ATTEMPTS || error.retryAfterMs > LONGEST_REPEAT_MS) throw lastingFailure(error)
      await pause(Math.max(backoffMs(attempt - 1, surroundings.random()), error.retryAfterMs), caller.signal)
    }
  }
}
