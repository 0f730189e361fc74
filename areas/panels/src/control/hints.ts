import type { Place } from './open-workspace.ts'

const MOST = 10_000
const FRESH_MS = 30_000

interface Hint {
  readonly place: Place
  readonly at: number
}

/**
 * Where the acting browser of a workspace was when somebody looked. Its node is asked to say no if that is over, so a
 * hint saves the looking and is never trusted.
 */
export class Hints {
  readonly #hints = new Map<string, Hint>()

  get(key: string): Place | undefined {
    const hint = this.#hints.get(key)
    return hint !== undefined && performance.now() - hint.at < FRESH_MS ? hint.place : undefined
  }

  set(key: string, place: Place): void {
    this.#hints.delete(key)
    this.#hints.set(key, { place, at: performance.now() })
    if (this.#hints.size > MOST) for (const oldest of this.#hints.keys()) return this.forget(oldest)
  }

  forget(key: string): void {
    this.#hints.delete(key)
  }
}
