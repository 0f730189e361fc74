const FIRST_MS = 200
const LONGEST_MS = 5_000

/** How long to wait before the next try. Half of it is chance, so that all pages of a node do not come back at once. */
export function backoffMs(failures: number, random: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10))
  return Math.max(FIRST_MS, whole * (0.5 + random / 2))
}
