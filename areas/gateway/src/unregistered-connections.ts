/**
 * Connections without a registration, longest waiting first. One list for all of them: a timer per connection would be
 * memory for every idle one.
 */
export class UnregisteredConnections<Visitor> {
  readonly #since = new Map<Visitor, number>()
  readonly #patienceMs: number

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  enter(visitor: Visitor, now: number): void {
    // Without the delete, somebody who comes back would keep an old place.
    this.#since.delete(visitor)
    this.#since.set(visitor, now)
  }

  leave(visitor: Visitor): void {
    this.#since.delete(visitor)
  }

  /** Removes and returns those who have waited too long. */
  overdue(now: number): Visitor[] {
    const overdue: Visitor[] = []
    for (const [visitor, since] of this.#since) {
      if (now - since < this.#patienceMs) break
      overdue.push(visitor)
    }
    for (const visitor of overdue) this.#since.delete(visitor)
    return overdue
  }
}
