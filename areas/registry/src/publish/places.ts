import { Problem } from '@patchbay/contracts'

const RETRY_AFTER_SECONDS = 5

export interface PlaceLimits {
  readonly total: number
  readonly perPerson: number
}

/** How many may be inside at once; each holds an archive on the disk. Nobody can take all of them. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** The next one is told to come back, instead of waiting in a line that nobody sees. */
  take(personId: string): Disposable {
    const own = this.#taken.get(personId) ?? 0
    if (own >= this.#limits.perPerson) throw refuse('You are publishing too many archives at once.')
    if (this.#total >= this.#limits.total) throw refuse('Too many archives are being published at once.')
    this.#total += 1
    this.#taken.set(personId, own + 1)
    return { [Symbol.dispose]: () => this.#leave(personId) }
  }

  #leave(personId: string): void {
    const left = (this.#taken.get(personId) ?? 0) - 1
    this.#total -= 1
    // Without this everybody who ever published would stay in memory.
    if (left <= 0) this.#taken.delete(personId)
    else this.#taken.set(personId, left)
  }
}

function refuse(why: string): Problem {
  return new Problem('rate_limited', {
    detail: `${why} Try again in a moment.`,
    extensions: { retry_after_seconds: RETRY_AFTER_SECONDS },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
