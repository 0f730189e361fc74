interface Pause {
  readonly timer: NodeJS.Timeout
  isAsked: boolean
}

/**
 * Work on items that is asked for far more often than it needs to be done: at once, and again after a pause for all that
 * was asked meanwhile. So the last one who asks is never forgotten.
 */
export class Throttle<Item> {
  readonly #work: (item: Item) => void
  readonly #pauseMs: number
  readonly #pauses = new Map<Item, Pause>()

  /** `work` must not throw. */
  constructor(pauseMs: number, work: (item: Item) => void) {
    this.#pauseMs = pauseMs
    this.#work = work
  }

  get size(): number {
    return this.#pauses.size
  }

  run(item: Item): void {
    const pause = this.#pauses.get(item)
    if (pause === undefined) this.#do(item)
    else pause.isAsked = true
  }

  /** Does now what would have been done after a pause. */
  flush(): void {
    for (const [item, { timer, isAsked }] of this.#pauses) {
      clearTimeout(timer)
      if (isAsked) this.#work(item)
    }
    this.#pauses.clear()
  }

  #do(item: Item): void {
    const timer = setTimeout(() => this.#end(item), this.#pauseMs).unref()
    this.#pauses.set(item, { timer, isAsked: false })
    this.#work(item)
  }

  #end(item: Item): void {
    const isAsked = this.#pauses.get(item)?.isAsked === true
    this.#pauses.delete(item)
    if (isAsked) this.#do(item)
  }
}
