import type { SendOutcome } from './ports.ts'
import { unavailable } from './unavailable.ts'

type Settle<Outcome> = (outcome: Outcome) => void

/** A question on its way. Fields instead of closures: there are thousands of them a second. */
class Waiting {
  readonly id: string
  readonly endsAt: number
  readonly resolve: Settle<SendOutcome>
  readonly reject: Settle<unknown>
  readonly neighbours: Set<Waiting>
  isPosted = false

  constructor(
    id: string,
    endsAt: number,
    neighbours: Set<Waiting>,
    resolve: Settle<SendOutcome>,
    reject: Settle<unknown>,
  ) {
    this.id = id
    this.endsAt = endsAt
    this.neighbours = neighbours
    this.resolve = resolve
    this.reject = reject
  }
}

const SWEEP_MS = 20

/** The questions of this node that wait for an answer. */
export class Questions {
  readonly #waiting = new Map<string, Waiting>()
  /** By their deadline's length: of those with the same, whoever asked first ends first. */
  readonly #byDeadline = new Map<number, Set<Waiting>>()
  readonly #limit: number
  #sweep: NodeJS.Timeout | undefined
  #asked = 0
  #closed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** `post` puts the question on its way; what it resolves with, if anything, is the outcome at once. */
  ask<Verdict>(
    deadlineMs: number,
    post: (id: string) => Promise<Verdict | undefined>,
  ): Promise<SendOutcome | Verdict> {
    if (this.#closed) return Promise.reject(unavailable())
    if (this.#waiting.size >= this.#limit)
      return Promise.reject(unavailable('too many messages wait for an answer'))
    return new Promise<SendOutcome | Verdict>((resolve, reject) => {
      const waiting = this.#enter(deadlineMs, resolve, reject)
      post(waiting.id).then(
        (verdict) => {
          waiting.isPosted = true
          if (verdict === undefined) return
          this.#forget(waiting)
          resolve(verdict)
        },
        (error) => {
          this.#forget(waiting)
          reject(error)
        },
      )
    })
  }

  answered(id: string, reply: string): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#forget(waiting)
    waiting.resolve({ outcome: 'answered', reply })
  }

  requireOpen(): void {
    if (this.#closed) throw unavailable()
  }

  /** Nobody can answer any more. */
  close(): void {
    this.#closed = true
    for (const waiting of this.#waiting.values()) {
      this.#forget(waiting)
      waiting.reject(unavailable())
    }
    clearInterval(this.#sweep)
  }

  #enter(deadlineMs: number, resolve: Settle<SendOutcome>, reject: Settle<unknown>): Waiting {
    let neighbours = this.#byDeadline.get(deadlineMs)
    if (neighbours === undefined) {
      neighbours = new Set()
      this.#byDeadline.set(deadlineMs, neighbours)
    }
    const id = (this.#asked += 1).toString(36)
    const waiting = new Waiting(id, performance.now() + deadlineMs, neighbours, resolve, reject)
    this.#waiting.set(id, waiting)
    neighbours.add(waiting)
    // One timer for all: a timer of its own for each would cost more than the rest of this file.
    this.#sweep ??= setInterval(() => this.#expire(), SWEEP_MS)
    return waiting
  }

  #forget(waiting: Waiting): void {
    this.#waiting.delete(waiting.id)
    waiting.neighbours.delete(waiting)
  }

  #expire(): void {
    const now = performance.now()
    for (const [deadlineMs, neighbours] of this.#byDeadline) {
      for (const waiting of neighbours) {
        if (waiting.endsAt > now) break
        this.#forget(waiting)
        if (waiting.isPosted) waiting.resolve({ outcome: 'timeout' })
        // Redis has not even said whether the node has a lease.
        else waiting.reject(unavailable('Redis did not take the message in time'))
      }
      if (neighbours.size === 0) this.#byDeadline.delete(deadlineMs)
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}
