import type { ScreenshotScope } from '@patchbay/contracts/panels'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Catalog } from './catalog-store.ts'
import type { Snapshot } from './store/snapshot.ts'
import type { WorkspaceSession } from './workspace-session.ts'

export const WorkspaceContext = createContext<WorkspaceSession | undefined>(undefined)

export function useWorkspaceSession(): WorkspaceSession {
  const session = useContext(WorkspaceContext)
  if (session === undefined) throw new Error('no WorkspaceContext around this component')
  return session
}

/** A part of what is shown. The same part must be the same value, or the component renders forever. */
export function useWorkspace<Part>(select: (snapshot: Snapshot) => Part): Part {
  const { store } = useWorkspaceSession()
  return useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => select(store.getSnapshot()),
  )
}

export function useCatalog(): Catalog {
  const { catalog } = useWorkspaceSession()
  return useSyncExternalStore(
    (listener) => catalog.subscribe(listener),
    () => catalog.getSnapshot(),
  )
}

export function useSharing(scope: ScreenshotScope): boolean {
  const { capturer } = useWorkspaceSession()
  return useSyncExternalStore(
    (listener) => capturer.subscribe(listener),
    () => capturer.isSharing(scope),
  )
}
