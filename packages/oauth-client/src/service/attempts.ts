import type { OAuthFlow } from '../flow/start-flow.ts'
import type { Failure } from './failure.ts'

/** One try to connect, of one browser and one user. */
export interface Attempt {
  readonly session: string
  readonly user: string
  readonly startedAt: number
  readonly cancel: AbortController
  flow?: OAuthFlow
  failure?: Failure
  isOver: boolean
}

const REMEMBER_MS = 10 * 60_000
const MOST_REMEMBERED = 1_000

/** The attempts that are under way, and for a while how the others ended. Oldest first. */
export class Attempts {
  readonly #bySession = new Map<string, Attempt>()

  get running(): number {
    return [...this.#bySession.values()].filter(({ isOver }) => !isOver).length
  }

  find(session: string | undefined): Attempt | undefined {
    return session === undefined ? undefined : this.#bySession.get(session)
  }

  add(attempt: Attempt): void {
    this.#forget(attempt.startedAt)
    this.#bySession.set(attempt.session, attempt)
  }

  /** Ends it and keeps nothing of it. */
  cancel(attempt: Attempt | undefined): void {
    if (attempt === undefined) return
    this.#bySession.delete(attempt.session)
    attempt.isOver = true
    attempt.cancel.abort()
  }

  /** Makes room for one more of this user: somebody who opens tab after tab must not use up everybody's flows. */
  cancelOldest(user: string, most: number): void {
    const running = [...this.#bySession.values()].filter(
      (attempt) => !attempt.isOver && attempt.user === user,
    )
    for (const attempt of running.slice(0, Math.max(0, running.length - most + 1))) this.cancel(attempt)
  }

  cancelAll(): void {
    for (const attempt of this.#bySession.values()) this.cancel(attempt)
  }

  #forget(now: number): void {
    for (const { isOver, startedAt, session } of this.#bySession.values()) {
      const isOld = now - startedAt > REMEMBER_MS || this.#bySession.size > MOST_REMEMBERED
      if (isOver && isOld) this.#bySession.delete(session)
    }
  }
}
