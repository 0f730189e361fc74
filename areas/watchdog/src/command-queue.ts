import { Problem } from '@patchbay/contracts/core'

export interface QueueLimits {
  readonly capacity: number
  /** A command that waited longer is dropped: nobody expects it anymore. */
  readonly patienceMs: number
}

export const COMMAND_QUEUE: QueueLimits = { capacity: 16, patienceMs: 60_000 }

/** One command at a time, in the order of arrival. */
export class CommandQueue<Result> {
  readonly #limits: QueueLimits
  #end: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #last: { readonly name: string; readonly turn: Promise<Result> } | undefined

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * Runs a command in its turn. One that says the same as the last one in the queue joins it: both are served by one
   * execution that begins after both were given. Without a name a command never joins.
   */
  async run(name: string | undefined, command: () => Promise<Result>): Promise<Result> {
    if (name !== undefined && this.#last?.name === name) return await this.#last.turn
    const { capacity, patienceMs } = this.#limits
    if (this.#waiting >= capacity)
      throw new Problem('rate_limited', { detail: `${capacity} commands are waiting already.` })
    this.#waiting += 1
    const latest = performance.now() + patienceMs
    const turn = this.#end.then(() => {
      this.#waiting -= 1
      if (this.#last?.turn === turn) this.#last = undefined
      if (performance.now() > latest)
        throw new Problem('deadline_exceeded', { detail: 'Its turn did not come in time; nothing was done.' })
      return command()
    })
    this.#last = name === undefined ? undefined : { name, turn }
    // One that fails must not keep the next from its turn.
    this.#end = turn.catch(() => {})
    return await turn
  }
}
