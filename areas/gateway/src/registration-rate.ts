interface Bucket {
  tokens: number
  at: number
}

const MINUTE_MS = 60_000

/**
 * How often an address may register. Registrations that were delivered leave tombstones behind, and those that can be
 * resumed suspended states, which no cap on living ones would bound.
 */
export class RegistrationRate {
  readonly #perMinute: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  allows(address: string, now: number): boolean {
    const bucket = this.#buckets.get(address) ?? { tokens: this.#perMinute, at: now }
    bucket.tokens = this.#filled(bucket, now)
    bucket.at = now
    this.#buckets.set(address, bucket)
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }

  /** Drops those that are full again. */
  forget(now: number): void {
    for (const [address, bucket] of this.#buckets) {
      if (this.#filled(bucket, now) >= this.#perMinute) this.#buckets.delete(address)
    }
  }

  #filled({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#perMinute, tokens + ((now - at) * this.#perMinute) / MINUTE_MS)
  }
}
