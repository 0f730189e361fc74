/** How many streams there are, in all and for each client address. */
export class StreamCaps {
  readonly #most: number
  readonly #mostPerAddress: number
  readonly #byAddress = new Map<string, number>()
  #open = 0

  constructor(most: number, mostPerAddress: number) {
    this.#most = most
    this.#mostPerAddress = mostPerAddress
  }

  get open(): number {
    return this.#open
  }

  /** Whether there is room for one more; if so, it is taken. */
  take(address: string): boolean {
    const here = this.#byAddress.get(address) ?? 0
    if (this.#open >= this.#most || here >= this.#mostPerAddress) return false
    this.#open += 1
    this.#byAddress.set(address, here + 1)
    return true
  }

  give(address: string): void {
    const here = this.#byAddress.get(address) ?? 0
    this.#open -= 1
    if (here <= 1) this.#byAddress.delete(address)
    else this.#byAddress.set(address, here - 1)
  }
}
