import { setTimeout as sleep } from 'node:timers/promises'
import type { Surroundings } from '../surroundings.ts'
import { PassingFailure } from './token-failure.ts'

export interface RetryTimes {
  /** For all attempts and the pauses between them. */
  readonly budgetMs: number
  readonly attemptMs: number
}

const ATTEMPTS = 4
const FIRST_PAUSE_MS = 300

/**
 * Also a request whose answer was lost is sent again. The provider may have replaced the refresh token already, but the
 * old one is all there is: many providers accept it for some seconds more, and not asking would not bring back the new.
 */
export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { budgetMs, attemptMs }: RetryTimes,
  { randomBytes: drawBytes }: Surroundings,
): Promise<T> {
  const end = performance.now() + budgetMs
  for (let count = 1; ; count += 1) {
    const left = Math.max(end - performance.now(), 1)
    try {
      return await attempt(AbortSignal.timeout(Math.ceil(Math.min(attemptMs, left))))
    } catch (error) {
      if (!(error instanceof PassingFailure) || count === ATTEMPTS) throw error
      const backoff = FIRST_PAUSE_MS * 2 ** (count - 1)
      // Without chance, processes that failed together would come back together.
      const pause = Math.max(backoff * (1 + (drawBytes(1)[0] ?? 0) / 255), error.retryAfterMs)
      if (performance.now() + pause >= end) throw error
      await sleep(pause)
    }
  }
}
