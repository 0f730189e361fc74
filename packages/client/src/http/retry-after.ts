/** Longer than any server of ours asks for; one that says "tomorrow" must not put a login to sleep. */
const LONGEST_MS = 60_000

/** `Retry-After` as a pause: seconds or a date (RFC 9110, section 10.2.3). What cannot be read asks for nothing. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0
  const text = header.trim()
  const wanted = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wanted) ? 0 : Math.min(LONGEST_MS, Math.max(0, wanted))
}
