/** `key_full`: the limit of this key; `full`: that of all; `timeout`: no permit came free in time. */
export type SemaphoreRefusal = 'key_full' | 'full' | 'timeout' | 'closed'

export class SemaphoreRefused extends Error {
  readonly reason: SemaphoreRefusal

  constructor(reason: SemaphoreRefusal) {
    super(`no permit: ${reason}`)
    this.name = 'SemaphoreRefused'
    this.reason = reason
  }
}

export interface SemaphoreOptions {
  readonly total: number
  /** Of callers that name the same key. */
  readonly perKey?: number
  /** How many callers of `run` may wait; one more is refused. No limit unless given. */
  readonly maxWaiting?: number
  /** How long each of them may wait. No limit unless given. */
  readonly timeoutMs?: number
  /** What is thrown instead of `SemaphoreRefused`. */
  readonly refuse?: (reason: SemaphoreRefusal) => Error
}

export interface RunOptions<Key> {
  readonly key?: Key
  /** Whoever waits stops waiting when it is aborted; work that has begun is not stopped. */
  readonly signal?: AbortSignal
}

interface Waiter<Key> {
  readonly key: Key | undefined
  readonly admit: () => void
  readonly reject: (error: unknown) => void
}

/** A number of permits, of which one key can be kept from taking all. */
export class Semaphore<Key = string> {
  readonly #options: SemaphoreOptions
  readonly #heldBy = new Map<Key, number>()
  readonly #waiting = new Set<Waiter<Key>>()
  #held = 0
  #isClosed = false

  constructor(options: SemaphoreOptions) {
    this.#options = options
  }

  isHeldBy(key: Key): boolean {
    return this.#heldBy.has(key)
  }

  /** Permits, to be disposed of. Never waits: throws the refusal. */
  acquireNow({ key, count = 1 }: { readonly key?: Key; readonly count?: number } = {}): Disposable {
    const refusal = this.#refusalFor(key, count)
    if (refusal !== undefined) throw this.#error(refusal)
    this.#take(key, count)
    let isReleased = false
    return {
      [Symbol.dispose]: () => {
        // Released twice, it would let in one too many.
        if (isReleased) return
        isReleased = true
        this.#release(key, count)
      },
    }
  }

  /** Runs the work with a permit: at once if one is free, otherwise in the order of the callers. */
  async run<T>(work: () => Promise<T>, { key, signal }: RunOptions<Key> = {}): Promise<T> {
    signal?.throwIfAborted()
    const refusal = this.#refusalFor(key, 1)
    if (refusal === undefined) this.#take(key, 1)
    else if (this.#isClosed || this.#waiting.size >= (this.#options.maxWaiting ?? Number.POSITIVE_INFINITY))
      throw this.#error(refusal)
    else await this.#wait(key, signal)
    try {
      // It may have been aborted in the very moment in which its turn came.
      signal?.throwIfAborted()
      return await work()
    } finally {
      this.#release(key, 1)
    }
  }

  /** Whoever waits or comes later is refused; work that has begun goes on. */
  close(): void {
    this.#isClosed = true
    for (const { reject } of this.#waiting) reject(this.#error('closed'))
  }

  #wait(key: Key | undefined, signal: AbortSignal | undefined): Promise<void> {
    const { timeoutMs } = this.#options
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter)
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
      }
      const waiter: Waiter<Key> = {
        key,
        admit: () => {
          leave()
          resolve()
        },
        reject: (error) => {
          leave()
          reject(error)
        },
      }
      const stop = () => waiter.reject(signal?.reason)
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => waiter.reject(this.#error('timeout')), timeoutMs)
      signal?.addEventListener('abort', stop)
      this.#waiting.add(waiter)
    })
  }

  #take(key: Key | undefined, count: number): void {
    this.#held += count
    if (key !== undefined) this.#heldBy.set(key, (this.#heldBy.get(key) ?? 0) + count)
  }

  /** Permits go to those who wait without being free in between: whoever comes then would be one too many. */
  #release(key: Key | undefined, count: number): void {
    this.#held -= count
    if (key !== undefined) {
      const left = (this.#heldBy.get(key) ?? 0) - count
      // Without this every key that was ever used would stay in memory.
      if (left <= 0) this.#heldBy.delete(key)
      else this.#heldBy.set(key, left)
    }
    for (const waiter of this.#waiting) {
      if (this.#held >= this.#options.total) return
      if (this.#refusalFor(waiter.key, 1) !== undefined) continue
      this.#take(waiter.key, 1)
      waiter.admit()
    }
  }

  #refusalFor(key: Key | undefined, count: number): SemaphoreRefusal | undefined {
    const { total, perKey = Number.POSITIVE_INFINITY } = this.#options
    if (this.#isClosed) return 'closed'
    if (key !== undefined && (this.#heldBy.get(key) ?? 0) + count > perKey) return 'key_full'
    return this.#held + count > total ? 'full' : undefined
  }

  #error(reason: SemaphoreRefusal): Error {
    return this.#options.refuse?.(reason) ?? new SemaphoreRefused(reason)
  }
}
