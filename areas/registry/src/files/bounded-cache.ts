export interface BoundedCacheOptions<Value> {
  readonly maxWeight: number
  readonly weigh: (value: Value) => number
}

/** Keeps what was used last, up to a total weight. What is being loaded is loaded once for everybody who asks. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #loading = new Map<string, Promise<Value | undefined>>()
  readonly #options: BoundedCacheOptions<Value>
  #weight = 0
  #newest: string | undefined

  constructor(options: BoundedCacheOptions<Value>) {
    this.#options = options
  }

  get weight(): number {
    return this.#weight
  }

  peek(key: string): Value | undefined {
    const value = this.#entries.get(key)
    // The hottest key is asked for thousands of times in a row.
    if (value === undefined || key === this.#newest) return value
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    return value
  }

  /** `undefined` is not remembered: what is not there yet may come. */
  async load(key: string, ask: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.peek(key)
    if (known !== undefined) return known
    const underWay = this.#loading.get(key)
    if (underWay !== undefined) return underWay
    const asked = ask()
    this.#loading.set(key, asked)
    try {
      const value = await asked
      // Emptied meanwhile: what was asked before may be old.
      if (value !== undefined && this.#loading.get(key) === asked) this.put(key, value)
      return value
    } finally {
      if (this.#loading.get(key) === asked) this.#loading.delete(key)
    }
  }

  put(key: string, value: Value): void {
    const weight = this.#options.weigh(value)
    if (weight > this.#options.maxWeight) return
    this.drop(key)
    this.#entries.set(key, value)
    this.#newest = key
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#options.maxWeight) return
      this.drop(oldest)
    }
  }

  drop(key: string): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#weight -= this.#options.weigh(value)
  }

  clear(): void {
    this.#entries.clear()
    this.#loading.clear()
    this.#newest = undefined
    this.#weight = 0
  }
}
