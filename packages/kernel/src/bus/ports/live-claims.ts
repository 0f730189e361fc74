export interface LiveClaim {
  readonly epoch: string
  readonly seal: string | undefined
  readonly expiresAt: number
}

type Held = LiveClaim & Expiring & { readonly key: string }

/**
 * The live claims of one node in one directory. A claim that was resumed ends before others that were made earlier,
 * so what has ended is asked of a queue in the order of ends: counting looks at its front only.
 */
export class LiveClaims {
  readonly #claims = new Map<string, Held>()
  readonly #ends = new ExpiryQueue<Held>()

  /** Replaces what the key had. */
  add(key: string, { epoch, seal, expiresAt }: LiveClaim, now: number): void {
    this.#prune(now)
    const replaced = this.#claims.get(key)
    if (replaced !== undefined) this.#delete(replaced)
    const held: Held = { key, epoch, seal, expiresAt, place: 0 }
    this.#claims.set(key, held)
    this.#ends.add(held)
  }

  remove(key: string, epoch: string): void {
    const held = this.#claims.get(key)
    if (held?.epoch === epoch) this.#delete(held)
  }

  get(key: string): LiveClaim | undefined {
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
      this.#delete(first)
    }
  }

  #delete(held: Held): void {
    this.#claims.delete(held.key)
    this.#ends.remove(held)
  }
}

/** Something that ends. `place` is the queue's: where the item stands in it. */
interface Expiring {
  readonly expiresAt: number
  place: number
}

/**
 * What ends next, whatever the order in which things come and go: a binary heap whose items know their places,
 * so that one can be taken out of the middle and nothing that is gone is kept.
 */
class ExpiryQueue<Item extends Expiring> {
  readonly #items: Item[] = []

  first(): Item | undefined {
    return this.#items[0]
  }

  add(item: Item): void {
    this.#items.push(item)
    this.#rise(item, this.#items.length - 1)
  }

  remove(item: Item): void {
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    if (last.expiresAt < item.expiresAt) this.#rise(last, item.place)
    else this.#sink(last, item.place)
  }

  #rise(item: Item, from: number): void {
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = this.#items[above]
      if (parent === undefined || parent.expiresAt <= item.expiresAt) break
      this.#put(parent, place)
      place = above
    }
    this.#put(item, place)
  }

  #sink(item: Item, from: number): void {
    let place = from
    for (;;) {
      const below = this.#sooner(2 * place + 1, 2 * place + 2)
      const child = this.#items[below]
      if (child === undefined || child.expiresAt >= item.expiresAt) break
      this.#put(child, place)
      place = below
    }
    this.#put(item, place)
  }

  #sooner(left: number, right: number): number {
    const [a, b] = [this.#items[left], this.#items[right]]
    return a !== undefined && b !== undefined && b.expiresAt < a.expiresAt ? right : left
  }

  #put(item: Item, place: number): void {
    this.#items[place] = item
    item.place = place
  }
}
