const CAPACITY = 16
/** A value that was refused never comes back, and must not hide the same one of somebody else forever. */
const AWAITED_MS = 10_000

/** What this page has stored and not yet seen stored: when it comes back it is no news. */
export class Echoes {
  #awaited: { readonly value: string; readonly at: number }[] = []
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get isAwaiting(): boolean {
    this.#forgetOld()
    return this.#awaited.length > 0
  }

  expect(value: string): void {
    this.#awaited = [...this.#awaited.slice(1 - CAPACITY), { value, at: this.#now() }]
  }

  /** Whether it is one of them. With it those before it have arrived: a later one may stand for all. */
  hears(value: string): boolean {
    this.#forgetOld()
    const place = this.#awaited.findIndex((awaited) => awaited.value === value)
    if (place === -1) return false
    this.#awaited = this.#awaited.slice(place + 1)
    return true
  }

  /** Whatever comes back from now on is news. */
  forget(): void {
    this.#awaited = []
  }

  #forgetOld(): void {
    const oldest = this.#now() - AWAITED_MS
    this.#awaited = this.#awaited.filter(({ at }) => at >= oldest)
  }
}
