import type { SendOutcome } from '../ports/bus.ts'
import { unavailable } from '../ports/errors.ts'

type Settle<Outcome> = (outcome: Outcome) => void

/** A request on its way. Fields instead of closures: there are thousands of them a second. */
class Pending {
  readonly id: string
  readonly endsAt: number
  readonly resolve: Settle<SendOutcome>
  readonly reject: Settle<unknown>
  readonly neighbors: Set<Pending>
  isPosted = false

  constructor(
    id: string,
    endsAt: number,
    neighbors: Set<Pending>,
    resolve: Settle<SendOutcome>,
    reject: Settle<unknown>,
  ) {
    this.id = id
    this.endsAt = endsAt
    this.neighbors = neighbors
    this.resolve = resolve
    this.reject = reject
  }
}

const SWEEP_MS = 20

/** The requests of this node that wait for a reply. */
export class PendingRequests {
  readonly #pending = new Map<string, Pending>()
  /** By their deadline's length: of those with the same, whichever was sent first ends first. */
  readonly #byDeadline = new Map<number, Set<Pending>>()
  readonly #limit: number
  #sweep: NodeJS.Timeout | undefined
  #sent = 0
  #closed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** `post` puts the request on its way; what it resolves with, if anything, is the outcome at once. */
  send<Verdict>(
    deadlineMs: number,
    post: (id: string) => Promise<Verdict | undefined>,
  ): Promise<SendOutcome | Verdict> {
    if (this.#closed) return Promise.reject(unavailable())
    if (this.#pending.size >= this.#limit)
      return Promise.reject(unavailable('too many messages wait for an answer'))
    return new Promise<SendOutcome | Verdict>((resolve, reject) => {
      const pending = this.#enter(deadlineMs, resolve, reject)
      post(pending.id).then(
        (verdict) => {
          pending.isPosted = true
          if (verdict === undefined) return
          this.#forget(pending)
          resolve(verdict)
        },
        (error) => {
          this.#forget(pending)
          reject(error)
        },
      )
    })
  }

  replied(id: string, reply: string): void {
    const pending = this.#pending.get(id)
    if (pending === undefined) return
    this.#forget(pending)
    pending.resolve({ outcome: 'answered', reply })
  }

  requireOpen(): void {
    if (this.#closed) throw unavailable()
  }

  /** Nobody can answer anymore. */
  close(): void {
    this.#closed = true
    for (const pending of this.#pending.values()) {
      this.#forget(pending)
      pending.reject(unavailable())
    }
    clearInterval(this.#sweep)
  }

  #enter(deadlineMs: number, resolve: Settle<SendOutcome>, reject: Settle<unknown>): Pending {
    let neighbors = this.#byDeadline.get(deadlineMs)
    if (neighbors === undefined) {
      neighbors = new Set()
      this.#byDeadline.set(deadlineMs, neighbors)
    }
    const id = (this.#sent += 1).toString(36)
    const pending = new Pending(id, performance.now() + deadlineMs, neighbors, resolve, reject)
    this.#pending.set(id, pending)
    neighbors.add(pending)
    // One timer for all: a timer of its own for each would cost more than the rest of this file.
    this.#sweep ??= setInterval(() => this.#expire(), SWEEP_MS)
    return pending
  }

  #forget(pending: Pending): void {
    this.#pending.delete(pending.id)
    pending.neighbors.delete(pending)
  }

  #expire(): void {
    const now = performance.now()
    for (const [deadlineMs, neighbors] of this.#byDeadline) {
      for (const pending of neighbors) {
        if (pending.endsAt > now) break
        this.#forget(pending)
        if (pending.isPosted) pending.resolve({ outcome: 'timeout' })
        // Redis has not even said whether the node has a lease.
        else pending.reject(unavailable('Redis did not take the message in time'))
      }
      if (neighbors.size === 0) this.#byDeadline.delete(deadlineMs)
    }
    if (this.#pending.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}
