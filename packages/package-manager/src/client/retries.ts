import { setTimeout as sleep } from 'node:timers/promises'
import { RepositoryFailure } from './failure.ts'
import type { ClientLimits } from './limits.ts'

type RetryLimits = Pick<ClientLimits, 'attempts' | 'pauseMs' | 'retryAfterMs'>

export interface RetryDeps {
  readonly limits: RetryLimits
  readonly random: () => number
  readonly signal?: AbortSignal | undefined
}

/** Tries again what may pass by itself, ever more slowly, and not at all when the server asks for too long a pause. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { limits, random, signal }: RetryDeps,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RepositoryFailure) || !error.isPassing || count >= limits.attempts) throw error
      const asked = error.retryAfterMs ?? 0
      if (asked > limits.retryAfterMs) throw error
      // Without chance, clients that failed together would come back together.
      const backoff = limits.pauseMs * 2 ** (count - 1) * (1 + random())
      await sleep(Math.max(asked, backoff), undefined, signal === undefined ? {} : { signal }).catch(() => {
        throw signal?.reason
      })
    }
  }
}
