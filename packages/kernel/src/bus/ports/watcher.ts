/** Whoever a notification wakes: somebody who waits, or somebody who is called. */
export interface Wakeable extends AsyncDisposable {
  ring(): void
}

/** Calls back on every wake-up. Far lighter than a waiter that always waits: neither a promise nor a timer. */
export class Watcher implements Wakeable {
  readonly #onRing: () => void
  readonly #onDispose: (watcher: Watcher) => Promise<void> | void
  #disposed = false

  constructor(onRing: () => void, onDispose: (watcher: Watcher) => Promise<void> | void) {
    this.#onRing = onRing
    this.#onDispose = onDispose
  }

  ring(): void {
    if (!this.#disposed) this.#onRing()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    await this.#onDispose(this)
  }
}
