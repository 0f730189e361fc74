import { untilAborted } from './until-aborted.ts'

/** Work that is done a few at a time. What exceeds the places is turned away at once, instead of waiting for ever. */
export interface WaitingLine {
  /** Answers `full` without having begun; throws the signal's reason when it is aborted while waiting. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | 'full'>
}

export function createWaitingLine({ atOnce, waiting }: { atOnce: number; waiting: number }): WaitingLine {
  let running = 0
  const places: (() => void)[] = []

  async function takePlace(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    places.push(resolve)
    try {
      await untilAborted(promise, signal)
    } catch (error) {
      const place = places.indexOf(resolve)
      // Called up in the very moment of being stopped: the turn goes to the next one, or it would be lost for good.
      if (place === -1) passOn()
      else places.splice(place, 1)
      throw error
    }
  }

  function passOn(): void {
    const next = places.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(work, signal) {
      signal.throwIfAborted()
      if (running < atOnce) running += 1
      else if (places.length >= waiting) return 'full'
      else await takePlace(signal)
      try {
        return await work()
      } finally {
        passOn()
      }
    },
  }
}
