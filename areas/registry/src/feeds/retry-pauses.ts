const FIRST_MS = 500
const LONGEST_MS = 60_000

/** What failed is tried again after a pause that grows: a feed that cannot be built must not keep a node busy. */
export class RetryPauses {
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>()

  isOver(name: string, now: number): boolean {
    return (this.#failures.get(name)?.until ?? now) <= now
  }

  fail(name: string, now: number): void {
    const count = (this.#failures.get(name)?.count ?? 0) + 1
    this.#failures.set(name, { count, until: now + Math.min(FIRST_MS * 2 ** (count - 1), LONGEST_MS) })
  }

  succeed(name: string): void {
    this.#failures.delete(name)
  }
}
