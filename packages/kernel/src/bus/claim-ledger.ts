import { type Ending, EndingQueue } from './ending-queue.ts'

export interface LedgerEntry {
  readonly epoch: string
  readonly seal: string | undefined
  readonly expiresAt: number
}

type Held = LedgerEntry & Ending & { readonly key: string }

/**
 * The live claims of one node in one directory. A claim that was resumed ends before others that were made earlier,
 * so what has ended is asked of a queue in the order of ends: counting looks at its front only.
 */
export class ClaimLedger {
  readonly #claims = new Map<string, Held>()
  readonly #ends = new EndingQueue<Held>()

  /** Replaces what the key had. */
  add(key: string, { epoch, seal, expiresAt }: LedgerEntry, now: number): void {
    this.#prune(now)
    this.remove(key)
    const held: Held = { key, epoch, seal, expiresAt, place: 0 }
    this.#claims.set(key, held)
    this.#ends.add(held)
  }

  /** With an epoch, only the claim of that epoch. */
  remove(key: string, epoch?: string): void {
    const held = this.#claims.get(key)
    if (held === undefined || (epoch !== undefined && held.epoch !== epoch)) return
    this.#claims.delete(key)
    this.#ends.remove(held)
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
    for (let first = this.#ends.first(); first !== undefined; first = this.#ends.first()) {
      if (first.expiresAt > now) return
      this.#claims.delete(first.key)
      this.#ends.remove(first)
    }
  }
}
