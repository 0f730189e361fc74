/** How many entries one write looks at. More than one, so that the sweep outruns the writes. */
const SWEEP_STEP = 4

/**
 * A map whose entries end. Each write also looks at a few old entries, so memory follows what is alive
 * and no call ever scans the whole map.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly endsAt: number }>()
  #cursor = this.#entries.entries()

  get size(): number {
    return this.#entries.size
  }

  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key)
    return entry === undefined || entry.endsAt <= now ? undefined : entry.value
  }

  set(key: string, value: Value, endsAt: number, now: number): void {
    this.#sweep(now)
    this.#entries.set(key, { value, endsAt })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  #sweep(now: number): void {
    for (let step = 0; step < SWEEP_STEP; step += 1) {
      const next = this.#cursor.next()
      if (next.done === true) {
        this.#cursor = this.#entries.entries()
        return
      }
      const [key, entry] = next.value
      if (entry.endsAt <= now) this.#entries.delete(key)
    }
  }
}
