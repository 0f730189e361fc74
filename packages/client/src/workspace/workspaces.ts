import type {
  CatalogPanel,
  SharedWorkspace,
  TrashedWorkspace,
  WorkspaceRef,
  WorkspaceRole,
  WorkspaceSummary,
} from '@patchbay/contracts/panels'
import { type Surroundings, systemSurroundings } from '../surroundings.ts'
import { addPanel, type CatalogFilter, listPanels, type NewPanel, removePanel } from './catalog.ts'
import { type ConnectionOptions, connect } from './connection.ts'
import { everyPage } from './paging.ts'
import { JOIN, LIST, LIST_TRASH, PURGE, RESTORE, SHARED } from './routes.ts'
import { type MakeOptions, openWorkspace, type Workspace } from './workspace.ts'

/** The workspaces and the panel catalog of an installation, asked as one key or session. */
export interface Workspaces {
  /** Those of an owner, the last changed first. */
  list(owner: string): Promise<WorkspaceSummary[]>
  /** Those of others that the person was let into, the last changed first; not with a key. */
  shared(): Promise<SharedWorkspace[]>
  /** Joins a workspace with a link, or with what stands behind its `#`; not with a key. */
  join(link: string): Promise<WorkspaceRef & { readonly role: WorkspaceRole }>
  make(at: WorkspaceRef, options?: MakeOptions): Promise<WorkspaceSummary & { readonly isNew: boolean }>
  /** Moves it to the trash, from where it can be restored for 30 days. */
  remove(at: WorkspaceRef): Promise<void>
  /** What was deleted in the last 30 days, the last one first. */
  trash(owner: string): Promise<TrashedWorkspace[]>
  /** Under the name that it had unless another one is given. */
  restore(owner: string, id: string, repo?: string): Promise<WorkspaceRef>
  /** Deletes what is in the trash for good. */
  purge(owner: string, id: string): Promise<void>
  /** Nothing is asked yet. */
  workspace(at: WorkspaceRef): Workspace
  panels(filter?: CatalogFilter): Promise<CatalogPanel[]>
  addPanel(owner: string, panel: NewPanel): Promise<CatalogPanel>
  /** Tabs that show it stay, and say so. */
  removePanel(id: string): Promise<void>
}

export function connectWorkspaces(
  options: ConnectionOptions,
  surroundings: Surroundings = systemSurroundings,
): Workspaces {
  const connection = connect(options, surroundings)
  const workspace = (at: WorkspaceRef) => openWorkspace(connection, at)
  return {
    list: (owner) =>
      everyPage(async (cursor) => {
        const asked = { params: { owner }, query: cursor }
        return (await connection.ask(LIST, asked, { isRepeatable: true })).body
      }),
    shared: () =>
      everyPage(async (query) => (await connection.ask(SHARED, { query }, { isRepeatable: true })).body),
    async join(link) {
      const invitation = link.slice(link.indexOf('#') + 1)
      // Whoever is in already is answered the same: what got lost can be asked again.
      return (await connection.ask(JOIN, { body: { invitation } }, { isRepeatable: true })).body
    },
    make: (at, wishes) => workspace(at).make(wishes),
    remove: (at) => workspace(at).remove(),
    trash: (owner) =>
      everyPage(async (cursor) => {
        const asked = { params: { owner }, query: cursor }
        return (await connection.ask(LIST_TRASH, asked, { isRepeatable: true })).body
      }),
    async restore(owner, id, repo) {
      const body = repo === undefined ? {} : { repo }
      return (await connection.ask(RESTORE, { params: { owner, id }, body })).body
    },
    async purge(owner, id) {
      await connection.ask(PURGE, { params: { owner, id } })
    },
    workspace,
    panels: (filter = {}) => listPanels(connection, filter),
    addPanel: (owner, panel) => addPanel(connection, owner, panel),
    removePanel: (id) => removePanel(connection, id),
  }
}

/** One workspace by its owner and repository. */
export function connectWorkspace(
  { owner, repo, ...options }: ConnectionOptions & WorkspaceRef,
  surroundings: Surroundings = systemSurroundings,
): Workspace {
  return connectWorkspaces(options, surroundings).workspace({ owner, repo })
}
