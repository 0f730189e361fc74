import { Problem } from '@patchbay/contracts'

export interface TurnstileLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly patienceMs: number
}

interface Waiting {
  readonly enter: () => void
  readonly giveUp: (problem: Problem) => void
}

/** Lets so many through at once, lets some wait in order, and sends the others away. */
export class Turnstile {
  readonly #limits: TurnstileLimits
  readonly #queue = new Set<Waiting>()
  #inside = 0
  #isClosed = false

  constructor(limits: TurnstileLimits) {
    this.#limits = limits
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Nobody else goes in; who is inside goes on. */
  close(): void {
    this.#isClosed = true
    for (const { giveUp } of this.#queue) giveUp(new Problem('shutting_down'))
  }

  async #enter(): Promise<void> {
    if (this.#isClosed) throw new Problem('shutting_down')
    if (this.#inside < this.#limits.atOnce) {
      this.#inside += 1
      return
    }
    if (this.#queue.size >= this.#limits.waiting) throw tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { enter: resolve, giveUp: reject }
    const timer = setTimeout(() => reject(tooMany()), this.#limits.patienceMs)
    this.#queue.add(waiting)
    await promise.finally(() => {
      clearTimeout(timer)
      this.#queue.delete(waiting)
    })
  }

  /** The place goes to whoever waits longest, without being free in between. */
  #leave(): void {
    const [next] = this.#queue
    if (next === undefined) this.#inside -= 1
    else {
      this.#queue.delete(next)
      next.enter()
    }
  }
}

const RETRY_AFTER_SECONDS = 5

function tooMany(): Problem {
  return new Problem('too_many_uploads', {
    detail: `Try again in ${RETRY_AFTER_SECONDS} s.`,
    extensions: { retry_after_seconds: RETRY_AFTER_SECONDS },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
