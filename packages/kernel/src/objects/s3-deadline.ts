import { unavailable } from './errors.ts'

export interface Deadline {
  readonly signal: AbortSignal
  /** Something moved: the time starts again. */
  readonly moved: () => void
  readonly fail: (error: Error) => void
}

/** Runs a call to S3 until it settles, stands still for `ms`, or its caller aborts; the last rejects with the signal's reason. */
export async function withDeadline<T>(
  ms: number,
  caller: AbortSignal | undefined,
  call: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted()
  const controller = new AbortController()
  const fail = (error: Error) => controller.abort(error)
  const timer = setTimeout(() => fail(new Error(`nothing moved for ${ms} ms`)), ms)
  const onAbort = () => fail(new Error('aborted by the caller'))
  caller?.addEventListener('abort', onAbort, { once: true })
  try {
    return await call({ signal: controller.signal, moved: () => timer.refresh(), fail })
  } catch (error) {
    caller?.throwIfAborted()
    throw unavailable(controller.signal.aborted ? controller.signal.reason : error)
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', onAbort)
  }
}
