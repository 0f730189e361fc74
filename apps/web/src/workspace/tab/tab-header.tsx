import { findTab } from '@patchbay/workspace-layout'
import type { IDockviewPanelHeaderProps } from 'dockview-react'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { actionInWords } from '../action-words.ts'
import { PanelIcon } from '../icons.tsx'
import { TabPeople } from '../people/tab-people.tsx'
import type { SeenAction } from '../store/snapshot.ts'
import { words } from '../words.tsx'
import { useCatalog, useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import styles from './tab-header.module.css'

const SHOWN_MS = 6_000

/** What somebody did with a tab within the last seconds. */
function useLiveAction(tabId: string): SeenAction | undefined {
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

/** What a tab shows: its icon and title, who acts on it right now, and a cross. */
export function TabHeader({ api }: IDockviewPanelHeaderProps) {
  const { closing } = useWorkspaceSession()
  const tab = useWorkspace(({ layout }) => findTab(layout, api.id)?.tab)
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const { panels } = useCatalog()
  const live = useLiveAction(api.id)
  if (tab === undefined) return null
  return (
    <span className={styles.tab} data-live={live !== undefined || undefined}>
      <PanelIcon name={tab.icon ?? panels.get(tab.panel)?.icon} />
      <span className={styles.title}>{tab.title}</span>
      <TabPeople tabId={tab.id} />
      {live !== undefined && (
        <span className={styles.live} title={live.reason}>
          {words.tab.live(live.by.name, actionInWords(live.action))}
        </span>
      )}
      {mayChange && (
        // No button: a tab can hold none. With the keyboard Delete and the menu close it.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          aria-hidden
          title={words.tab.close}
          className={styles.close}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => closing.close(tab.id)}
        >
          <X />
        </span>
      )}
    </span>
  )
}
