import { LoginError } from '../login-error.ts'

/** Ends early when the signal is aborted, and leaves no timer behind. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, signal)
  throwIfAborted(signal)
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortion(signal)
}

export function abortion(signal: AbortSignal): LoginError {
  return new LoginError('aborted', { cause: signal.reason })
}

const FIRST_MS = 500
const LONGEST_MS = 10_000

/** Jitter, because a node that is replaced sends all its clients away in the same moment. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10))
  return ceiling / 2 + (random * ceiling) / 2
}
