import { useEffect, useRef } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { words } from './words.ts'

const LONGEST_MS = 10_000
const MOST = 50

interface Waiter {
  readonly revision: number
  readonly resolve: () => void
  readonly timer: ReturnType<typeof setTimeout>
}

/** Lets whoever changed the panel's state wait until it shows. `shown` is the latest revision that does. */
export function useShows(host: PanelHost, tabId: string, shown: number): void {
  const latest = useRef(shown)
  const waiting = useRef(new Set<Waiter>())
  useEffect(() => {
    latest.current = Math.max(latest.current, shown)
    for (const waiter of waiting.current) {
      if (waiter.revision > latest.current) continue
      waiting.current.delete(waiter)
      clearTimeout(waiter.timer)
      waiter.resolve()
    }
  }, [shown])
  useEffect(() => {
    const waiters = waiting.current
    return host.offer(tabId, {
      shows: (revision) =>
        new Promise((resolve, reject) => {
          if (revision <= latest.current) return resolve()
          if (waiters.size >= MOST) return reject(new Error(words.waiting.tooMany))
          const timer = setTimeout(() => {
            waiters.delete(waiter)
            reject(new Error(words.waiting.late(revision)))
          }, LONGEST_MS)
          const waiter: Waiter = { revision, resolve, timer }
          waiters.add(waiter)
        }),
    })
  }, [host, tabId])
}
