/** What a notification rings: somebody who waits, or somebody who is called. */
export interface Ringable extends AsyncDisposable {
  ring(): void
}

/** Calls back on every ring. Far lighter than a waiter that always waits: neither a promise nor a timer. */
export class Alarm implements Ringable {
  readonly #onRing: () => void
  readonly #onDispose: (alarm: Alarm) => Promise<void> | void
  #disposed = false

  constructor(onRing: () => void, onDispose: (alarm: Alarm) => Promise<void> | void) {
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
