import type { RateLimitRule, RateLimitVerdict } from './bus.ts'

/**
 * Microseconds, because whole numbers add up exactly: in fractions of a millisecond the last hit of a full burst
 * would be refused by a rounding error, and Lua and JavaScript would disagree about it.
 */
const MICROSECONDS = 1_000

export interface Pace {
  readonly interval: number
  readonly burst: number
}

export function paceOf({ max, windowMs }: RateLimitRule): Pace {
  if (!Number.isSafeInteger(max) || max < 1) throw new RangeError('a rate limit lets at least one pass')
  if (!Number.isSafeInteger(windowMs) || windowMs < 1)
    throw new RangeError('a rate limit window is whole milliseconds')
  const interval = Math.max(1, Math.floor((windowMs * MICROSECONDS) / max))
  return { interval, burst: interval * max }
}

export function toMicroseconds(date: Date): number {
  return date.getTime() * MICROSECONDS
}

export interface Decision {
  readonly allowed: boolean
  /** The time at which the bucket is full again; what is stored. */
  readonly fullAt: number
}

/** The generic cell rate algorithm: one number per key says when its whole burst is available again. */
export function decide(storedFullAt: number | undefined, now: number, { interval, burst }: Pace): Decision {
  const fullAt = Math.max(storedFullAt ?? now, now) + interval
  return { allowed: fullAt - burst <= now, fullAt }
}

/** `fullAt` is that of the decision, also for a hit that was refused. */
export function verdictOf(
  { allowed, fullAt }: Decision,
  now: number,
  { interval, burst }: Pace,
): RateLimitVerdict {
  if (!allowed) {
    return { allowed, remaining: 0, retryAfterMs: Math.ceil((fullAt - burst - now) / MICROSECONDS) }
  }
  return { allowed, remaining: Math.floor((burst - (fullAt - now)) / interval), retryAfterMs: 0 }
}
