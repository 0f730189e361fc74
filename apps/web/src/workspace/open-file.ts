import { tabs } from '@patchbay/workspace-layout'
import type { ValueStore } from '../parts/value-store.ts'
import type { CatalogStore } from './catalog-store.ts'
import type { DockPort } from './dock-port.ts'
import { addingOf } from './panel-choice.ts'
import type { WorkspaceStore } from './store/workspace-store.ts'
import { words } from './words.tsx'

export interface OpenFileDeps {
  readonly store: WorkspaceStore
  readonly catalog: CatalogStore
  readonly dock: () => DockPort | undefined
  readonly fileToShow: ValueStore<string | undefined>
  readonly newId: () => string
  readonly refuse: (message: string) => void
}

/** Opens a file of the workspace: in the Files panel, which is added where the workspace has none. */
export function openFile(
  { store, catalog, dock, fileToShow, newId, refuse }: OpenFileDeps,
  path: string,
): void {
  const { layout } = store.getSnapshot()
  const panel = [...catalog.getSnapshot().panels.values()].find(({ kind }) => kind === 'files')
  if (panel === undefined) return refuse(words.palette.noFilesPanel)
  const open = tabs(layout).find((tab) => tab.panel === panel.id)
  const adding = open === undefined ? addingOf(layout, panel, undefined, newId) : undefined
  const refused = adding === undefined ? undefined : store.change(adding)
  if (refused !== undefined) return refuse(refused)
  fileToShow.set(path)
  const tabId = open?.id ?? (adding?.type === 'addTab' ? adding.tab.id : undefined)
  if (tabId !== undefined) dock()?.showTab(tabId)
}
