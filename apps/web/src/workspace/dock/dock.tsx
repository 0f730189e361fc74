import './dockview.css'
import { leaves } from '@patchbay/workspace-layout'
import { DockviewReact, type DockviewReadyEvent, type IDockviewPanelProps } from 'dockview-react'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { PanelFrame } from '../frame/panel-frame.tsx'
import { TabMenu, type TabMenuRequest } from '../menus/tab-menu.tsx'
import { TabHeader } from '../tab/tab-header.tsx'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import styles from './dock.module.css'
import { DockContext } from './dock-context.ts'
import { createDockController, type DockController } from './dock-controller.ts'
import { PANEL_COMPONENT, TAB_COMPONENT } from './grid.ts'
import { GroupActions } from './group-actions.tsx'
import { listenToPeople } from './people.ts'
import { listenToUse } from './use.ts'

/** Below this there is no room beside anything. The same width as in the stylesheets. */
const NARROW = matchMedia('(max-width: 45rem)')
const subscribeToWidth = (listener: () => void) => {
  NARROW.addEventListener('change', listener)
  return () => NARROW.removeEventListener('change', listener)
}

const COMPONENTS = { [PANEL_COMPONENT]: PanelSlot }
const TABS = { [TAB_COMPONENT]: TabHeader }
const THEME = { name: 'patchbay', className: 'patchbay-dock' }

/** The panels of the workspace, as the layout arranges them. */
export function Dock() {
  const session = useWorkspaceSession()
  const layout = useWorkspace((snapshot) => snapshot.layout)
  const isStacked = useSyncExternalStore(subscribeToWidth, () => NARROW.matches)
  const root = useRef<HTMLDivElement>(null)
  const [controller, setController] = useState<DockController>()
  const [menu, setMenu] = useState<TabMenuRequest>()
  const height = `max(100%, ${leaves(layout).length * 26}rem)`

  const ready = useCallback(
    ({ api }: DockviewReadyEvent) => {
      if (root.current === null) return
      const { store } = session
      const surroundings = {
        getLayout: () => store.getSnapshot().layout,
        mayChange: () => store.getSnapshot().mayChange,
        change: (change: Parameters<typeof store.change>[0]) => {
          const refused = store.change(change)
          if (refused !== undefined) session.refuse(refused)
        },
        onUse: (tabId: string) => session.presence.use(tabId),
      }
      const made = createDockController(api, root.current, surroundings)
      listenToPeople(api, root.current, {
        ...surroundings,
        controller: made,
        openMenu: setMenu,
        run: (command, tabId) => command.run({ session, tabId }),
        newId: session.newId,
      })
      setController(made)
    },
    [session],
  )
  useEffect(() => {
    session.dock.set(controller)
    return () => controller?.dispose()
  }, [session, controller])
  useEffect(() => {
    controller?.show(layout, isStacked)
    session.presence.look()
  }, [session, controller, layout, isStacked])
  useEffect(
    () =>
      root.current === null ? undefined : listenToUse(root.current, (tabId) => session.presence.use(tabId)),
    [session],
  )

  return (
    <DockContext value={setMenu}>
      <div className={styles.scroll}>
        <div
          ref={root}
          className={styles.dock}
          data-stacked={isStacked || undefined}
          style={isStacked ? { blockSize: height } : {}}
        >
          <DockviewReact
            components={COMPONENTS}
            tabComponents={TABS}
            rightHeaderActionsComponent={GroupActions}
            watermarkComponent={Nothing}
            onReady={ready}
            theme={THEME}
            defaultRenderer="always"
            disableFloatingGroups
            disableTabsOverflowList
            announcements={false}
            scrollbars="native"
          />
        </div>
      </div>
      {menu !== undefined && <TabMenu request={menu} close={() => setMenu(undefined)} />}
    </DockContext>
  )
}

function PanelSlot({ api }: IDockviewPanelProps) {
  const isShown = useSyncExternalStore(
    (listener) => {
      const subscription = api.onDidVisibilityChange(listener)
      return () => subscription.dispose()
    },
    () => api.isVisible,
  )
  return <PanelFrame tabId={api.id} isShown={isShown} />
}

function Nothing() {
  return null
}
