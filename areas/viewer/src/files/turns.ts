/** Work on one paste happens in the order in which it was asked for; on different ones at once. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  isBusy(id: string): boolean {
    return this.#last.has(id)
  }

  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(id) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    this.#last.set(id, settled)
    try {
      return await turn
    } finally {
      if (this.#last.get(id) === settled) this.#last.delete(id)
    }
  }

  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values())
  }
}
