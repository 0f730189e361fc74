import { useEffect, useState } from 'react'
import type { SeenAction } from '../store/snapshot.ts'
import { useWorkspace } from '../workspace-context.ts'

const SHOWN_MS = 6_000

/** What somebody did with a tab within the last seconds. */
export function useLiveAction(tabId: string): SeenAction | undefined {
  const latest = useWorkspace(({ actions }) => actions.findLast((action) => action.tabId === tabId))
  const [over, setOver] = useState<SeenAction>()
  useEffect(() => {
    if (latest === undefined) return undefined
    const left = latest.seenAt === 0 ? 0 : latest.seenAt + SHOWN_MS - performance.now()
    const timer = setTimeout(() => setOver(latest), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [latest])
  return latest === over || latest?.seenAt === 0 ? undefined : latest
}
