import { Plus, Undo2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Unplugged } from '../brand/unplugged.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { SkipLink } from '../components/skip-link.tsx'
import { useValue } from '../parts/use-value.ts'
import { ConsentDialog } from './consent/consent-dialog.tsx'
import { Dock } from './dock/dock.tsx'
import { PaletteDialog } from './menus/palette-dialog.tsx'
import { RenameDialog } from './menus/rename-dialog.tsx'
import { ShortcutSheet } from './menus/shortcut-sheet.tsx'
import { useShortcuts } from './menus/use-shortcuts.ts'
import { AwayNotice } from './nav/away-notice.tsx'
import { NavBar } from './nav/nav-bar.tsx'
import { SharingNotice } from './nav/sharing-notice.tsx'
import { SpokenActions } from './nav/spoken-actions.tsx'
import { FollowingNotice } from './people/following-notice.tsx'
import { PickerDialog } from './picker/picker-dialog.tsx'
import { useIsPast } from './replay.ts'
import { words } from './words.tsx'
import styles from './workspace.module.css'
import { useWorkspace, useWorkspaceSession } from './workspace-context.ts'

const FindDialog = lazy(async () => ({ default: (await import('./find/find-dialog.tsx')).FindDialog }))

const TimeBar = lazy(async () => ({ default: (await import('./time-bar/time-bar.tsx')).TimeBar }))

const DeviceDialog = lazy(async () => ({
  default: (await import('./device-manager/device-dialog.tsx')).DeviceDialog,
}))

/** The bar at the top and everything that is docked below it. */
export function WorkspaceView() {
  const { workspace, host } = useWorkspaceSession()
  const isReplay = useIsPast(host.replay)
  const [wasReplay, setWasReplay] = useState(isReplay)
  // From then on whoever looks back has pressed something.
  if (wasReplay && !isReplay) setWasReplay(false)
  const hasOpened = useWorkspace((snapshot) => snapshot.hasOpened)
  const isEmpty = useWorkspace(({ layout }) => layout.root.type === 'leaf' && layout.root.tabs.length === 0)
  const [hadTabs, setHadTabs] = useState(false)
  if (!isEmpty && !hadTabs) setHadTabs(true)
  const main = useRef<HTMLElement>(null)
  useShortcuts()

  return (
    <>
      <div className={styles.view}>
        <SkipLink target={main}>{words.page.skip}</SkipLink>
        <NavBar />
        <AwayNotice />
        <SharingNotice />
        <FollowingNotice />
        <SpokenActions />
        {isReplay && (
          <Suspense>
            <TimeBar takesFocus={!wasReplay} />
          </Suspense>
        )}
        <main ref={main} id="main" tabIndex={-1} className={styles.main} data-past={isReplay || undefined}>
          <h1 className={styles.hidden}>{words.page.headingOf(workspace.owner, workspace.repo)}</h1>
          <Dock />
          {isEmpty && (
            <div className={styles.empty}>
              {hasOpened ? <Empty hadTabs={hadTabs} /> : <Skeleton label={words.page.opening} lines={4} />}
            </div>
          )}
        </main>
      </div>
      <Overlays />
      <ConsentDialog />
    </>
  )
}

/** What stands above the panels; the drawer of agents belongs to the bar. */
function Overlays() {
  const session = useWorkspaceSession()
  const overlay = useValue(session.overlay)
  const close = () => session.overlay.set(undefined)
  switch (overlay?.type) {
    case 'picker':
      return <PickerDialog leafId={overlay.leafId} close={close} />
    case 'rename':
      return <RenameDialog tabId={overlay.tabId} close={close} />
    case 'palette':
      return <PaletteDialog />
    case 'shortcuts':
      return <ShortcutSheet />
    case 'find':
      return (
        <Suspense>
          <FindDialog text={overlay.text} />
        </Suspense>
      )
    case 'devices':
      return (
        <Suspense>
          <DeviceDialog close={close} />
        </Suspense>
      )
    case 'agents':
    case undefined:
      break
  }
  return null
}

/** Long enough for a menu to close and to try to give the focus back to a tab that is gone. */
const FOCUS_LOST_MS = 100

function Empty({ hadTabs }: { hadTabs: boolean }) {
  const { closing, overlay } = useWorkspaceSession()
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Whoever has just opened the page begins at its top; whoever has closed the last tab goes on here.
    if (!hadTabs) return undefined
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) button.current?.focus()
    }, FOCUS_LOST_MS)
    return () => clearTimeout(timer)
  }, [hadTabs])
  return (
    <EmptyState
      title={words.empty.title}
      picture={<Unplugged cable="panels" />}
      actions={
        mayChange && (
          <>
            <Button
              ref={button}
              variant="primary"
              icon={<Plus aria-hidden />}
              onPress={() => overlay.set({ type: 'picker' })}
            >
              {words.empty.add}
            </Button>
            {hadTabs && (
              <Button icon={<Undo2 aria-hidden />} onPress={() => void closing.reopen()}>
                {words.empty.reopen}
              </Button>
            )}
          </>
        )
      }
    >
      <p>{words.empty.text}</p>
    </EmptyState>
  )
}
