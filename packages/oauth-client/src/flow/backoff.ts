const FIRST_MS = 250
const LONGEST_MS = 5_000

/**
 * The person may be on the way back while the connection is gone, and the gateway waits only seconds for it: the first
 * attempt comes at once. Jitter, because a node that drains sends all its clients away in the same moment.
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  if (attempt === 0) return random * FIRST_MS
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
  return ceiling / 2 + (random * ceiling) / 2
}
