/**
 * "Something has changed, look again." Carries no data. Callers look, then wait: a notification that nobody waits for is
 * remembered until somebody does, so a change between the two is not missed.
 */
export class Signal {
  readonly #waiting = new Set<(isNotified: boolean) => void>()
  #isPending = false
  #isClosed = false

  /** Wakes everybody who waits. Several that nobody waits for are remembered as one. */
  notify(): void {
    this.#isPending = this.#waiting.size === 0
    this.#settle(true)
  }

  /** `true` at the next notification, `false` at the end of the time, when `signal` aborts, and once it is closed. */
  wait(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#isClosed || signal?.aborted === true) return Promise.resolve(false)
    if (this.#isPending) {
      this.#isPending = false
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const finish = (isNotified: boolean) => {
        clearTimeout(timer)
        // A signal that lives longer than the wait would keep every one of them in memory.
        signal?.removeEventListener('abort', giveUp)
        this.#waiting.delete(finish)
        resolve(isNotified)
      }
      const giveUp = () => finish(false)
      const timer = setTimeout(giveUp, timeoutMs)
      signal?.addEventListener('abort', giveUp)
      this.#waiting.add(finish)
    })
  }

  close(): void {
    this.#isClosed = true
    this.#settle(false)
  }

  #settle(isNotified: boolean): void {
    for (const finish of this.#waiting) finish(isNotified)
  }
}
