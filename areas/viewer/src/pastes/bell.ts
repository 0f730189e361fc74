/** Wakes everybody who waits for something to change. */
export class Bell {
  readonly #waiting = new Set<() => void>()

  ring(): void {
    for (const wake of this.#waiting) wake()
  }

  /** Settles at the next ring, at the end of the time, or when the signal aborts: whoever waited looks for themselves. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || ms <= 0) return
    const { promise, resolve: wake } = Promise.withResolvers<void>()
    const timer = setTimeout(wake, ms)
    const stop = () => wake()
    // Taken away again: a signal that lives longer than the wait would keep every one of them.
    signal.addEventListener('abort', stop)
    this.#waiting.add(wake)
    await promise
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    this.#waiting.delete(wake)
  }
}
