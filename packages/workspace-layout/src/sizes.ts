/** Sizes are whole numbers of these: what rounding would otherwise drift apart stays equal on every machine. */
const STEPS = 10_000
const TOLERANCE = 1e-6

/** Larger than any screen, and far from what would overflow in a sum. */
export const LARGEST_SIZE = 1_000_000

/** Any positive numbers, as fractions in whole steps that sum to 1. Sizes that are so already come out unchanged. */
export function normalizeSizes(sizes: readonly number[]): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  // No child vanishes: it could never be dragged open again.
  const steps = sizes.map((size) => Math.max(1, Math.round((size / total) * STEPS)))
  const missing = STEPS - steps.reduce((sum, step) => sum + step, 0)
  // With at most one step per child to settle, the largest of 64 has room for all of it.
  const largest = steps.indexOf(Math.max(...steps))
  return steps.map((step, index) => (index === largest ? step + missing : step) / STEPS)
}

export function areNormalized(sizes: readonly number[]): boolean {
  const inSteps = sizes.every((size) => Math.abs(size * STEPS - Math.round(size * STEPS)) < TOLERANCE)
  const total = sizes.reduce((sum, size) => sum + Math.round(size * STEPS), 0)
  return inSteps && total === STEPS
}
