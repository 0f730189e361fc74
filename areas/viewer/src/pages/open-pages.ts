/** What a page says of itself. */
export interface Attention {
  readonly isVisible: boolean
  readonly isFocused: boolean
}

export interface OpenPage<Connection> {
  readonly connection: Connection
  /** The same in one tab. A tab that was duplicated shares it, so it is no key. */
  readonly pageId: string
  isVisible: boolean
  /** When it was last focused, as a place in the order of all that happened; 0 for never. */
  focusedAt: number
  readonly openedAt: number
}

/** Tabs that went and may come back: a page that loads another one is gone for a moment. */
const REMEMBERED = 100

/** Which pages are open, and in which of them agents open widgets. */
export class OpenPages<Connection> {
  readonly #pages = new Map<Connection, OpenPage<Connection>>()
  readonly #left = new Map<string, number>()
  #turn = 0

  get size(): number {
    return this.#pages.size
  }

  connections(): Iterable<Connection> {
    return this.#pages.keys()
  }

  find(connection: Connection): OpenPage<Connection> | undefined {
    return this.#pages.get(connection)
  }

  open(connection: Connection, page: Attention & { readonly pageId: string }): void {
    const { pageId, isVisible, isFocused } = page
    const openedAt = this.#next()
    const focusedAt = isFocused ? openedAt : this.#placeOf(pageId)
    this.#left.delete(pageId)
    this.#pages.set(connection, { connection, pageId, isVisible, focusedAt, openedAt })
  }

  attend(connection: Connection, { isVisible, isFocused }: Attention): void {
    const page = this.#pages.get(connection)
    if (page === undefined) return
    page.isVisible = isVisible
    if (isFocused) page.focusedAt = this.#next()
  }

  close(connection: Connection): void {
    const page = this.#pages.get(connection)
    if (page === undefined) return
    this.#pages.delete(connection)
    this.#left.delete(page.pageId)
    this.#left.set(page.pageId, page.focusedAt)
    const [oldest] = this.#left.keys()
    if (this.#left.size > REMEMBERED && oldest !== undefined) this.#left.delete(oldest)
  }

  /** A page that does not do what it is asked: others come first until it is focused again. */
  passOver(connection: Connection): void {
    const page = this.#pages.get(connection)
    if (page === undefined) return
    page.focusedAt = 0
    page.isVisible = false
  }

  /** The one focused last; if none ever was, the visible one opened last; else the one opened last. */
  active(): OpenPage<Connection> | undefined {
    let best: OpenPage<Connection> | undefined
    for (const page of this.#pages.values()) {
      if (best === undefined || comesBefore(page, best)) best = page
    }
    return best
  }

  #placeOf(pageId: string): number {
    const left = this.#left.get(pageId)
    if (left !== undefined) return left
    // Its connection before may not have been seen to end yet.
    let place = 0
    for (const page of this.#pages.values())
      if (page.pageId === pageId) place = Math.max(place, page.focusedAt)
    return place
  }

  #next(): number {
    this.#turn += 1
    return this.#turn
  }
}

function comesBefore(one: OpenPage<unknown>, other: OpenPage<unknown>): boolean {
  if (one.focusedAt !== other.focusedAt) return one.focusedAt > other.focusedAt
  if (one.isVisible !== other.isVisible) return one.isVisible
  return one.openedAt > other.openedAt
}
