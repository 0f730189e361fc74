/**
 * Work on items, a few at a time and never twice at once on the same. An item that is added while it is worked on gets
 * one more round after that, however often it was added.
 */
export class Rounds<Item> {
  readonly #work: (item: Item) => Promise<void>
  readonly #width: number
  readonly #due = new Set<Item>()
  readonly #busy = new Set<Item>()

  /** `work` must not throw. */
  constructor(width: number, work: (item: Item) => Promise<void>) {
    this.#width = width
    this.#work = work
  }

  add(item: Item): void {
    this.#due.add(item)
    this.#fill()
  }

  /** Whether its work is under way or still to come. */
  isPending(item: Item): boolean {
    return this.#due.has(item) || this.#busy.has(item)
  }

  forget(item: Item): void {
    this.#due.delete(item)
  }

  #fill(): void {
    if (this.#busy.size >= this.#width) return
    for (const item of this.#due) {
      if (this.#busy.has(item)) continue
      this.#due.delete(item)
      this.#busy.add(item)
      void this.#work(item).finally(() => {
        this.#busy.delete(item)
        this.#fill()
      })
      if (this.#busy.size >= this.#width) return
    }
  }
}
