import type { IDockviewHeaderActionsProps } from 'dockview-react'
import { EllipsisVertical, Plus } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { words } from '../words.tsx'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { AllTabs } from './all-tabs.tsx'
import styles from './dock.module.css'
import { useTabMenu } from './dock-context.ts'

/** At the end of the tabs of a leaf: for who has no second mouse button, or no mouse. */
export function GroupActions({ group, activePanel }: IDockviewHeaderActionsProps) {
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const openMenu = useTabMenu()
  const { overlay } = useWorkspaceSession()
  const more = useRef<HTMLButtonElement>(null)
  const title = activePanel?.title ?? words.dock.thisPlace
  return (
    <div className={styles.actions} data-leaf-id={group.id}>
      <AllTabs group={group} />
      {mayChange && (
        <>
          <IconButton
            size="sm"
            label={words.dock.add(title)}
            onPress={() => overlay.set({ type: 'picker', leafId: group.id })}
          >
            <Plus aria-hidden />
          </IconButton>
          <IconButton
            ref={more}
            size="sm"
            label={words.dock.actions(title)}
            onPress={() => {
              if (activePanel !== undefined && more.current !== null)
                openMenu({ tabId: activePanel.id, element: more.current })
            }}
          >
            <EllipsisVertical aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  )
}
