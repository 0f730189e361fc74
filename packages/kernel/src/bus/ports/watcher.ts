import { Signal } from '@patchbay/primitives/async'
import type { Waiter } from './bus.ts'

/** Calls back on every wake-up. Far lighter than a waiter that always waits: neither a promise nor a timer. */
export class Watcher implements AsyncDisposable {
  readonly #onWake: () => void
  readonly #onDispose: (watcher: Watcher) => Promise<void> | void
  #disposed = false

  constructor(onWake: () => void, onDispose: (watcher: Watcher) => Promise<void> | void) {
    this.#onWake = onWake
    this.#onDispose = onDispose
  }

  wake(): void {
    if (!this.#disposed) this.#onWake()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    await this.#onDispose(this)
  }
}

/** A waiter whose watcher, which `open` sets up, may also be disposed of by others: then nobody waits any longer. */
export async function openWaiter(
  open: (onWake: () => void, onEnd: () => void) => Promise<Watcher>,
): Promise<Waiter> {
  const signal = new Signal()
  const watcher = await open(
    () => signal.notify(),
    () => signal.close(),
  )
  return {
    next: (deadlineMs, abort) => signal.wait(deadlineMs, abort),
    [Symbol.asyncDispose]: () => watcher[Symbol.asyncDispose](),
  }
}
