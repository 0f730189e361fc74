/** A clock that stands still until a test moves it. Fits the kernel's `Clock`. */
export class SettableClock {
  #now: number

  constructor(start: Date | string = '2026-01-01T00:00:00.000Z') {
    this.#now = new Date(start).getTime()
  }

  now(): Date {
    return new Date(this.#now)
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}
