import { type CallInput, type CallResult, call, type EndpointSpec } from '@patchbay/contracts/core'
import { isAnswer, Offline } from '../errors/failure.ts'

const READ_DEADLINE_MS = 5000
/** A change that was given up too early may have happened all the same. */
const CHANGE_DEADLINE_MS = 15_000

export interface AskOptions {
  /** Ends the request when the page that asked is gone. */
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** For what takes longer than requests usually do. */
  readonly deadlineMs?: number
  /** Another way to send it, such as one that tells its progress. */
  readonly fetch?: typeof fetch
}

/** Asks the server that this app came from. Throws what `call` throws, a TimeoutError, or that there is no network. */
export async function ask<Spec extends EndpointSpec>(
  endpoint: Spec,
  input: CallInput<Spec>,
  { signal, headers = {}, deadlineMs = usualDeadlineMs(endpoint), fetch }: AskOptions = {},
): Promise<CallResult<Spec>> {
  const deadline = AbortSignal.timeout(deadlineMs)
  return await call(endpoint, input, {
    baseUrl: location.origin,
    headers,
    ...(fetch === undefined ? {} : { fetch }),
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  }).catch((error: unknown) => {
    // Judged now: when the message is read the network may be back.
    throw navigator.onLine || isAnswer(error) ? error : new Offline()
  })
}

function usualDeadlineMs({ method }: EndpointSpec): number {
  return method === 'GET' ? READ_DEADLINE_MS : CHANGE_DEADLINE_MS
}
