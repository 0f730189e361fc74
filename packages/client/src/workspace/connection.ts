import {
  type CallInput,
  type CallResult,
  call,
  type EndpointSpec,
  Problem,
  type ProblemCode,
  UnexpectedResponse,
} from '@patchbay/contracts/core'
import { checkBaseUrl } from '../base-url.ts'
import { networkFailure } from '../http/failure.ts'
import { backoffMs, sleep } from '../http/pause.ts'
import type { CallerOptions } from '../http/request.ts'
import { retryAfterMs } from '../http/retry-after.ts'
import type { Surroundings } from '../surroundings.ts'
import { boundedFetch, streamedFetch } from './bounded-fetch.ts'
import { Unanswered } from './unanswered.ts'

/** Who asks: a key with the scopes that the calls need, or the session of a login. */
export type Credential =
  | { readonly apiKey: string; readonly sessionToken?: undefined }
  | { readonly apiKey?: undefined; readonly sessionToken: string }

export type ConnectionOptions = CallerOptions &
  Credential & {
    readonly baseUrl: string
    /** How long a call may take with all its attempts, beyond what it was told to wait. 30 s unless given. */
    readonly deadlineMs?: number | undefined
  }

export interface AskOptions {
  /** What the server was asked to wait, which is no fault of its own. */
  readonly waitMs?: number
  /** Whether asking twice is the same as asking once, so that an answer that got lost does no harm. */
  readonly isRepeatable?: boolean
  readonly accept?: string
  /** Ends this call alone, as the signal of the connection ends all. */
  readonly signal?: AbortSignal | undefined
  /** A last word, said after the signal of the connection has ended everything else. */
  readonly isParting?: boolean
}

export interface Connection {
  readonly surroundings: Surroundings
  readonly signal: AbortSignal | undefined
  ask<Spec extends EndpointSpec>(
    route: Spec,
    input: CallInput<Spec>,
    options?: AskOptions,
  ): Promise<CallResult<Spec>>
  /** The body as it came, for what is no JSON. */
  fetchBytes<Spec extends EndpointSpec>(
    route: Spec,
    input: CallInput<Spec>,
    options?: AskOptions,
  ): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly headers: Headers }>
  /** The same for what may be large: read it to its end, or cancel it. It fails when nothing comes for a minute. */
  open<Spec extends EndpointSpec>(
    route: Spec,
    input: CallInput<Spec>,
    options?: AskOptions,
  ): Promise<{ readonly body: ReadableStream<Uint8Array<ArrayBuffer>>; readonly headers: Headers }>
}

const DEADLINE_MS = 30_000
/** Refused before anything was done, so that asking again is always right. */
const NOT_BEGUN: ReadonlySet<ProblemCode> = new Set(['rate_limited', 'shutting_down'])
const MAY_PASS: ReadonlySet<number> = new Set([502, 503])
/** Somebody at a prompt is told soon that nobody is there. */
const ATTEMPTS = 3

export function connect(options: ConnectionOptions, surroundings: Surroundings): Connection {
  const { signal, userAgent, fetch: send = fetch, deadlineMs = DEADLINE_MS } = options
  const baseUrl = checkBaseUrl(options.baseUrl)
  const headers = {
    ...credentialHeaders(options),
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
  }
  const { now, random } = surroundings

  const askWith = async <Spec extends EndpointSpec>(
    route: Spec,
    input: CallInput<Spec>,
    { waitMs = 0, isRepeatable = false, accept, signal: own, isParting = false }: AskOptions,
    fetchWith: typeof fetch = boundedFetch(send),
  ): Promise<CallResult<Spec>> => {
    const ending = eitherOf(isParting ? undefined : signal, own)
    const endsAt = now() + deadlineMs + waitMs
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await withinMs(Math.max(1, endsAt - now()), ending, (ended) =>
          call(route, input, {
            baseUrl,
            headers: accept === undefined ? headers : { ...headers, accept },
            fetch: fetchWith,
            signal: ended,
          }),
        )
      } catch (error) {
        const asked = pauseAfter(error, isRepeatable && attempt + 1 < ATTEMPTS, now())
        if (asked === undefined) throw error
        const pauseMs = Math.max(asked, backoffMs(attempt, random()))
        if (now() + pauseMs >= endsAt) throw error
        await sleep(pauseMs, ending)
        ending?.throwIfAborted()
      }
    }
  }
  return {
    surroundings,
    signal,
    ask: (route, input, asked = {}) => askWith(route, input, asked),
    async fetchBytes(route, input, asked = {}) {
      let bytes = new Uint8Array()
      // The body is taken on its way: as text, which `call` would make of it, a picture is lost.
      const taking = boundedFetch(send, (read) => {
        bytes = read
      })
      const answer = await askWith(unread(route), input, asked, taking)
      return { bytes, headers: answer.headers }
    },
    async open(route, input, asked = {}) {
      let body = new ReadableStream<Uint8Array<ArrayBuffer>>()
      const taking = streamedFetch(send, (stream) => {
        body = stream
      })
      const answer = await askWith(unread(route), input, asked, taking)
      return { body, headers: answer.headers }
    },
  }
}

/** For `call`, an endpoint whose answer somebody else reads. */
function unread<Spec extends EndpointSpec>(route: Spec): Spec {
  return { ...route, responses: { 200: null } }
}

function credentialHeaders({ apiKey, sessionToken }: ConnectionOptions): Record<string, string> {
  const secret = apiKey ?? sessionToken ?? ''
  // The transport's own error for this would repeat it.
  if (!/^[\x21-\x7e]{1,4096}$/.test(secret))
    throw new TypeError('apiKey or sessionToken must be given, without spaces and line breaks')
  return apiKey === undefined ? { authorization: `Bearer ${secret}` } : { 'x-api-key': secret }
}

/** How long to wait before asking again at the least; `undefined` when asking again is not right. */
function pauseAfter(error: unknown, mayRepeat: boolean, now: number): number | undefined {
  if (error instanceof Problem && NOT_BEGUN.has(error.code))
    return retryAfterMs(error.headers['retry-after'] ?? null, now)
  return mayRepeat && mayPass(error) ? 0 : undefined
}

/** Whether the server, or what stands before it, may be there again in a moment. */
export function mayPass(error: unknown): boolean {
  if (error instanceof Unanswered) return true
  return (error instanceof Problem || error instanceof UnexpectedResponse) && MAY_PASS.has(error.status)
}

export function eitherOf(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other])
}

/** One attempt, with an end. What `fetch` throws is told without the address and the headers that it was given. */
async function withinMs<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, ms)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await work(controller.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Problem || error instanceof UnexpectedResponse || isCallersFault(error)) throw error
    throw new Unanswered(networkFailure(error, controller.signal.aborted).message, controller.signal.aborted)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** Of `address`, before anything was sent. */
function isCallersFault(error: unknown): boolean {
  return error instanceof TypeError && /path parameter|cannot be part of an address/.test(error.message)
}
