import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@patchbay/contracts/core'
import type { Log } from '@patchbay/kernel/log'
import type { Db } from '@patchbay/kernel/postgres'
import { findEnded } from './job.store.ts'
import type { BoardsTables } from './tables.ts'

/** At once on this node. */
const MOST_WAITING = 1_000
const LOOK_MS = 25

export interface JobWatch {
  /** Until the job has ended, or so long. */
  wait(key: string, ms: number): Promise<void>
  stop(): void
}

/** One look at the database for everybody on this node who waits. */
export function createJobWatch(db: Db<BoardsTables>, log: Log): JobWatch {
  const waiting = new Map<string, Set<() => void>>()
  let count = 0
  let isLooking = false
  const stopping = new AbortController()

  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      while (waiting.size > 0 && !stopping.signal.aborted) {
        try {
          for (const key of await findEnded(db, [...waiting.keys()]))
            waiting.get(key)?.forEach((end) => end())
        } catch (error) {
          log.debug({ err: error }, 'failed to look at board jobs, retrying')
        }
        await sleep(LOOK_MS)
      }
    } finally {
      isLooking = false
    }
  }

  return {
    async wait(key, ms) {
      if (count >= MOST_WAITING) throw new Problem('too_many_waiting')
      const { promise, resolve: end } = Promise.withResolvers<void>()
      const timer = setTimeout(end, ms)
      const others = waiting.get(key) ?? new Set()
      waiting.set(key, others.add(end))
      count += 1
      void look()
      try {
        await promise
      } finally {
        clearTimeout(timer)
        count -= 1
        others.delete(end)
        if (others.size === 0) waiting.delete(key)
      }
    },
    stop() {
      stopping.abort()
      for (const each of waiting.values()) each.forEach((end) => end())
    },
  }
}
