import { RepositoryFailure } from './failure.ts'

interface Waits {
  readonly idleMs: number
  readonly deadlineMs: number
}

/** One request from its first byte out to its last byte in: a deadline for all of it, and one for every silence. */
export class Deadline implements Disposable {
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #timers: readonly NodeJS.Timeout[]
  #isOver = false
  #lastSign = performance.now()

  constructor({ idleMs, deadlineMs }: Waits, caller?: AbortSignal) {
    this.#caller = caller
    // One that looks now and then: a new one for every piece of an archive would cost more than the hash.
    const look = () => performance.now() - this.#lastSign >= idleMs && this.#giveUp()
    this.#timers = [setTimeout(() => this.#giveUp(), deadlineMs), setInterval(look, Math.ceil(idleMs / 4))]
    this.signal =
      caller === undefined ? this.#controller.signal : AbortSignal.any([caller, this.#controller.signal])
  }

  /** The other side has to give a sign of life from now on. */
  listen(): void {
    this.#lastSign = performance.now()
  }

  /** It is the reader who takes his time: that is not the other side's silence. */
  rest(): void {
    this.#lastSign = Number.POSITIVE_INFINITY
  }

  /** What to throw for what the transport threw. */
  explain(error: unknown, code: 'unreachable' | 'interrupted', url: string): unknown {
    if (this.#caller?.aborted === true) return this.#caller.reason
    if (error instanceof RepositoryFailure) return error
    if (this.#isOver) {
      return new RepositoryFailure(
        'timeout',
        'try again later, or ask its operator whether it is overloaded',
        { url },
      )
    }
    const advice =
      code === 'unreachable'
        ? `check the address and your connection${causeOf(error)}`
        : 'try again; if it goes on, the server or a proxy on the way cuts answers short'
    return new RepositoryFailure(code, advice, { url, cause: error })
  }

  [Symbol.dispose](): void {
    this.#timers.forEach(clearTimeout)
  }

  #giveUp(): void {
    this.#isOver = true
    this[Symbol.dispose]()
    this.#controller.abort()
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error) || !('code' in cause)) return ''
  return ` (${String(cause.code)})`
}
