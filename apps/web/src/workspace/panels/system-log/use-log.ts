import { useCallback, useSyncExternalStore } from 'react'
import type { LogStore, LogEntry } from '../../panel-definition.ts'

/** The entries, drawn anew once for each picture on the screen: a script can print a thousand lines in between. */
export function useLog(log: LogStore): readonly LogEntry[] {
  const subscribe = useCallback(
    (listener: () => void) => {
      let queued: number | undefined
      const unsubscribe = log.subscribe(() => {
        queued ??= requestAnimationFrame(() => {
          queued = undefined
          listener()
        })
      })
      return () => {
        unsubscribe()
        if (queued !== undefined) cancelAnimationFrame(queued)
      }
    },
    [log],
  )
  return useSyncExternalStore(subscribe, () => log.entries())
}
