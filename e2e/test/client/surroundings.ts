import type { Surroundings } from '@patchbay/client'

/** The real surroundings, with a wall clock that can be moved, as that of a machine that slept. */
export function movableSurroundings(): Surroundings & { sleepFor(ms: number): void } {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    random: () => 0,
    randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
    sleepFor(ms) {
      ahead += ms
    },
  }
}
