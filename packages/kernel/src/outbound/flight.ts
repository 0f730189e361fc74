import type { OpenOptions } from './ports.ts'
import { OutboundRefused } from './refused.ts'

const DEFAULT_IDLE_MS = 10_000

/** One request with all its hops, from the lookup to the last byte. Its signal ends whatever still runs for it. */
export class Flight {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #deadline: NodeJS.Timeout
  readonly #idleMs: number
  readonly #onEnd: (flight: Flight) => void

  constructor(
    { deadlineMs, idleMs = DEFAULT_IDLE_MS, signal }: OpenOptions,
    onEnd: (flight: Flight) => void,
  ) {
    this.#idleMs = idleMs
    this.#onEnd = onEnd
    this.#caller = signal
    this.#deadline = setTimeout(
      () => this.end(new OutboundRefused('deadline', `${deadlineMs} ms are over`)),
      deadlineMs,
    )
    signal?.addEventListener('abort', this.#onCallerAbort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Waits for a step of the other side that does not end with the signal by itself. */
  async race<T>(step: Promise<T>): Promise<T> {
    const { promise: ended, reject } = Promise.withResolvers<never>()
    const onEnd = () => reject(this.signal.reason)
    this.signal.addEventListener('abort', onEnd)
    // An end between two steps wakes nobody who begins to listen afterwards.
    if (this.signal.aborted) onEnd()
    try {
      return await this.waitFor(Promise.race([step, ended]))
    } finally {
      this.signal.removeEventListener('abort', onEnd)
    }
  }

  /** Waits for a step that fails when the signal ends; nothing may come of it for `idleMs` at most. */
  async waitFor<T>(step: Promise<T>): Promise<T> {
    const idle = setTimeout(
      () => this.end(new OutboundRefused('deadline', `idle for ${this.#idleMs} ms`)),
      this.#idleMs,
    )
    try {
      return await step
    } finally {
      clearTimeout(idle)
    }
  }

  /** Why a step failed: what ended the flight explains all that followed. */
  explain(error: unknown, otherwise: 'unreachable' | 'interrupted'): unknown {
    if (this.signal.aborted) return this.signal.reason
    if (error instanceof OutboundRefused) return error
    return new OutboundRefused(hasCode(error, 'UND_ERR_HEADERS_OVERFLOW') ? 'too_large' : otherwise, error)
  }

  end(reason: unknown): void {
    clearTimeout(this.#deadline)
    this.#caller?.removeEventListener('abort', this.#onCallerAbort)
    this.#onEnd(this)
    this.#controller.abort(reason)
  }

  readonly #onCallerAbort = (): void => this.end(this.#caller?.reason)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
