import type { Waiter } from './ports/bus.ts'

/** One waiter, in process: `ring` wakes it, or is remembered until it asks. */
export class Bell implements Waiter {
  readonly #waiting = new Set<(woken: boolean) => void>()
  readonly #onDispose: (bell: Bell) => Promise<void> | void
  #rung = false
  #disposed = false

  constructor(onDispose: (bell: Bell) => Promise<void> | void) {
    this.#onDispose = onDispose
  }

  ring(): void {
    if (this.#waiting.size === 0) this.#rung = true
    this.#settle(true)
  }

  next(deadlineMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#disposed || signal?.aborted === true) return Promise.resolve(false)
    if (this.#rung) {
      this.#rung = false
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const finish = (woken: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        this.#waiting.delete(finish)
        resolve(woken)
      }
      const giveUp = () => finish(false)
      const timer = setTimeout(giveUp, deadlineMs)
      signal?.addEventListener('abort', giveUp)
      this.#waiting.add(finish)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    this.#settle(false)
    await this.#onDispose(this)
  }

  #settle(woken: boolean): void {
    for (const finish of this.#waiting) finish(woken)
  }
}
