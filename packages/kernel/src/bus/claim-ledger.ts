export interface LedgerEntry {
  readonly epoch: string
  readonly expiresAt: number
}

/**
 * The live claims of one node in one directory. They all last equally long, so the oldest entry ends first:
 * counting looks at the front only.
 */
export class ClaimLedger {
  readonly #claims = new Map<string, LedgerEntry>()

  add(key: string, epoch: string, expiresAt: number, now: number): void {
    this.#prune(now)
    if (this.#claims.get(key)?.epoch === epoch) return
    // Without the delete, a key that is claimed anew would keep its old place and hide ended claims behind it.
    this.#claims.delete(key)
    this.#claims.set(key, { epoch, expiresAt })
  }

  /** With an epoch, only the claim of that epoch. */
  remove(key: string, epoch?: string): void {
    if (epoch === undefined || this.#claims.get(key)?.epoch === epoch) this.#claims.delete(key)
  }

  get(key: string): LedgerEntry | undefined {
    return this.#claims.get(key)
  }

  count(now: number): number {
    this.#prune(now)
    return this.#claims.size
  }

  keys(): IterableIterator<string> {
    return this.#claims.keys()
  }

  #prune(now: number): void {
    for (const [key, { expiresAt }] of this.#claims) {
      if (expiresAt > now) return
      this.#claims.delete(key)
    }
  }
}
