import { setTimeout as sleep } from 'node:timers/promises'
import { sendAway } from './peer-events.ts'
import type { Peers } from './peers.ts'

export interface DrainOptions {
  /** Closing is spread over this long, so that the clients do not all reconnect in one instant. */
  readonly windowMs: number
  /** How long after the window a peer may take to finish closing. */
  readonly graceMs: number
}

const STEP_MS = 20
const CUT_MS = 1_000

export async function closeGradually(
  peers: Peers,
  { windowMs, graceMs }: DrainOptions,
  random: () => number,
): Promise<void> {
  const queue = shuffle(peers.all(), random)
  const phase = random()
  const start = performance.now()
  let closed = 0
  while (closed < queue.length && peers.size > 0) {
    const due = dueBy(performance.now() - start, queue.length, windowMs, phase)
    for (const peer of queue.slice(closed, due)) void sendAway(peer)
    closed = Math.max(closed, due)
    if (closed < queue.length) await sleep(STEP_MS)
  }
  await peers.empty(graceMs)
  peers.cut()
  await peers.empty(CUT_MS)
}

/** How many of `count` are to be closed after `elapsedMs`. The phase keeps nodes with few peers apart. */
export function dueBy(elapsedMs: number, count: number, windowMs: number, phase: number): number {
  if (elapsedMs >= windowMs) return count
  return Math.max(0, Math.floor((count * elapsedMs) / windowMs + 1 - phase))
}

/** Draws a lot for each. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const lots = items.map((item) => ({ item, lot: random() }))
  return lots.toSorted((a, b) => a.lot - b.lot).map(({ item }) => item)
}
