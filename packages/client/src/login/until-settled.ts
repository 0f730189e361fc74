import { lastingFailure, PassingFailure } from '../http/failure.ts'
import { backoffMs, pause, throwIfAborted } from '../http/pause.ts'
import { LoginError } from '../login-error.ts'
import { type Followed, followStream } from './follow-stream.ts'
import { askStatus, isOver, type Watch } from './watch.ts'

/** Streams in a row that brought nothing; after so many, polling is what works here. */
const STREAM_CHANCES = 3
/** A machine that wakes up past the deadline needs a moment until it has a network again. */
const LAST_ATTEMPTS = 6

/**
 * Waits for the session token. Failures that may pass are repeated until the login has expired, and what was the last of
 * them is reported if none of it helped; every other answer that is not OK ends the wait at once.
 */
export async function untilSettled(watch: Watch, transport: 'auto' | 'poll'): Promise<string> {
  const { caller, surroundings, pollIntervalMs } = watch
  let chances = transport === 'auto' ? STREAM_CHANCES : 0
  let failures = 0
  while (!isOver(watch)) {
    throwIfAborted(caller.signal)
    let delay = pollIntervalMs
    try {
      const followed = chances > 0 ? await followStream(watch) : undefined
      if (followed?.end.kind === 'authenticated') return followed.end.sessionToken
      // A server that asked for a pause is not asked again before it; one that has no room for a stream may have for a poll.
      if (followed?.end.kind === 'failed') await pause(followed.end.failure.retryAfterMs, caller.signal)
      if (isOver(watch)) break
      const status = await askStatus(watch)
      if (status.state === 'authenticated') return status.sessionToken
      failures = 0
      if (followed !== undefined) {
        chances = chancesAfter(followed, chances)
        if (chances > 0) delay = backoffMs(STREAM_CHANCES - chances, surroundings.random())
      }
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error
      delay = Math.max(backoffMs(failures, surroundings.random()), error.retryAfterMs)
      failures += 1
    }
    await pause(delay, caller.signal)
  }
  return await askLast(watch)
}

/** Only judged when a poll has just been answered: a network that is away is not the stream's fault. */
function chancesAfter({ end, wasUseful }: Followed, chances: number): number {
  if (end.kind === 'unavailable') return 0
  return wasUseful ? STREAM_CHANCES : chances - 1
}

/** The time is over, but the person may have approved while this machine slept. */
async function askLast(watch: Watch): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const status = await askStatus(watch)
      if (status.state === 'authenticated') return status.sessionToken
      throw new LoginError('expired')
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error
      if (attempt + 1 === LAST_ATTEMPTS) throw lastingFailure(error)
      await pause(backoffMs(attempt, watch.surroundings.random()), watch.caller.signal)
    }
  }
}
