/** Something that ends. `place` is the queue's: where the item stands in it. */
export interface Ending {
  readonly expiresAt: number
  place: number
}

/**
 * What ends next, whatever the order in which things come and go: a binary heap whose items know their places,
 * so that one can be taken out of the middle and nothing that is gone is kept.
 */
export class EndingQueue<Item extends Ending> {
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
