import type { Peers } from './peers.ts'

const MAX_SLICES = 100
const MIN_TICK_MS = 10

/** At 25 s: a hundred ticks of 250 ms, so 100,000 peers are a thousand pings at a time. */
export function sliceCount(intervalMs: number): number {
  return Math.max(2, Math.min(MAX_SLICES, Math.floor(intervalMs / MIN_TICK_MS)))
}

/**
 * Visits every slice once per interval. Slices are counted in ticks, not in wall time: after a pause of the whole
 * process the pongs that wait in the kernel are read before anybody is judged again.
 */
export function startHeartbeat(peers: Peers, intervalMs: number): NodeJS.Timeout {
  let current = 0
  return setInterval(() => {
    for (const peer of peers.slices[current] ?? []) peer.beat()
    current = (current + 1) % peers.slices.length
  }, intervalMs / peers.slices.length).unref()
}
