/** Writes again what the engine may have lost: once for any number of reasons, and again after a failure. */
export class Recovery {
  readonly #restore: () => Promise<void>
  #needed = false
  #running = false

  constructor(restore: () => Promise<void>) {
    this.#restore = restore
  }

  need(): void {
    this.#needed = true
  }

  async attempt(): Promise<void> {
    if (!this.#needed || this.#running) return
    this.#needed = false
    this.#running = true
    try {
      await this.#restore()
    } catch {
      this.#needed = true
    } finally {
      this.#running = false
    }
  }
}
