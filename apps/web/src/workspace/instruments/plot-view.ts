import type { SeriesBuffer } from './series-buffer.ts'

/** Which time a plot shows. */
export interface View {
  readonly span: number
  /** The right edge; without one the plot follows the latest value, or the moment. */
  readonly end: number | undefined
}

export const SHORTEST_MS = 10
const LONGEST_MS = 7 * 86_400_000

/** A plot that follows keeps its right edge; otherwise what is at `at` stays there. */
export function zoomed(
  { span, end }: View,
  factor: number,
  at: number | undefined,
  latest: number | undefined,
): View {
  const next = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, span * factor))
  if (end === undefined || latest === undefined) return { span: next, end }
  const anchor = at ?? end - span / 2
  return { span: next, end: anchor + (end - anchor) * (next / span) }
}

export function panned({ span, end }: View, byMs: number, edge: number | undefined, isPast: boolean): View {
  if (edge === undefined) return { span, end }
  const next = (end ?? edge) + byMs
  // What came after a moment of the past is there to be seen.
  return { span, end: next >= edge && !isPast ? undefined : next }
}

/** Where a plot ends that follows: a moment stands in its middle, with what came before and after it. */
export function edgeOf(
  { span }: View,
  moment: number | undefined,
  latest: number | undefined,
): number | undefined {
  return moment === undefined ? latest : moment + span / 2
}

export function latestOf(buffers: readonly SeriesBuffer[]): number | undefined {
  const last = buffers.reduce((most, { lastTime = -Infinity }) => Math.max(most, lastTime), -Infinity)
  return last === -Infinity ? undefined : last
}
