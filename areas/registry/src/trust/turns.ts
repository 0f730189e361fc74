import { setImmediate } from 'node:timers/promises'

const LONGEST_MS = 10

/** To be awaited between the steps of long work: whoever else has a request on this node is not kept waiting for all of it. */
export function takeTurns(longestMs = LONGEST_MS): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < longestMs) return
    await setImmediate()
    begun = performance.now()
  }
}
