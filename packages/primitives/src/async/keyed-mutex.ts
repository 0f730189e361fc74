/** Work under one key runs one at a time, in the order in which it was asked for; under different keys, side by side. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  isLocked(key: string): boolean {
    return this.#last.has(key)
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work)
    // Work that fails must not keep the next from running.
    const settled = turn.catch(() => undefined)
    this.#last.set(key, settled)
    try {
      return await turn
    } finally {
      // Without this every key that was ever used would stay in memory.
      if (this.#last.get(key) === settled) this.#last.delete(key)
    }
  }

  /** Settles once no key is locked. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values())
  }
}
