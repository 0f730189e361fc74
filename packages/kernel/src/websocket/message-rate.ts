export interface MessageRate {
  readonly perSecond: number
  /** How many may come at once; as many as per second unless told. */
  readonly burst?: number
}

/** Lives in fields of the peer: a bucket object per connection would be memory for every idle one. */
export interface Bucket {
  tokens: number
  refilledAt: number
}

export function capacity(rate: MessageRate): number {
  return rate.burst ?? rate.perSecond
}

/** Takes one token; `false` when none is left. `now` is monotonic, in milliseconds. */
export function takeToken(bucket: Bucket, rate: MessageRate, now: number): boolean {
  const refill = ((now - bucket.refilledAt) * rate.perSecond) / 1000
  bucket.tokens = Math.min(capacity(rate), bucket.tokens + refill)
  bucket.refilledAt = now
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}
