import type { LogStore, LogEntry } from './panel-definition.ts'

const KEPT = 1_000

/** The lines of the system log. The oldest go when there are too many. */
export function createLogStore(now: () => Date = () => new Date()): LogStore {
  const listeners = new Set<() => void>()
  let entries: readonly LogEntry[] = []
  return {
    entries: () => entries,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(entry) {
      entries = [...entries.slice(-(KEPT - 1)), { ...entry, at: now() }]
      for (const listener of listeners) listener()
    },
  }
}
