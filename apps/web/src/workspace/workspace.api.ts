import {
  type AddedTab,
  type CatalogPanel,
  type ClosedTab,
  getClosedTabs,
  getPanelCatalog,
  getWorkspaceAccess,
  postReopenTab,
  putCapture,
  type WorkspaceActor,
  type WorkspaceRef,
} from '@patchbay/contracts/panels'
import { ask } from '../server/server.api.ts'

/** As many as an owner may add, and more than anybody looks through. */
const MOST_PAGES = 20
const UPLOAD_DEADLINE_MS = 60_000

/** Every panel that a workspace of this owner can hold. */
export async function fetchCatalog(owner: string): Promise<readonly CatalogPanel[]> {
  const panels: CatalogPanel[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { owner, limit: 200, ...(cursor !== undefined && { cursor }) }
    const { body } = await ask(getPanelCatalog, { query })
    panels.push(...body.items)
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  return panels
}

export const fetchActors = async (
  workspace: WorkspaceRef,
  signal: AbortSignal,
): Promise<{ readonly items: readonly WorkspaceActor[] }> =>
  (await ask(getWorkspaceAccess, { params: workspace }, { signal })).body

export const fetchClosedTabs = async (
  workspace: WorkspaceRef,
  signal: AbortSignal,
): Promise<{ readonly items: readonly ClosedTab[] }> =>
  (await ask(getClosedTabs, { params: workspace }, { signal })).body

export async function reopenTab(
  workspace: WorkspaceRef,
  tabId: string,
  csrfToken: string,
): Promise<AddedTab> {
  const headers = { 'x-csrf-token': csrfToken }
  return (await ask(postReopenTab, { params: { ...workspace, tabId } }, { headers })).body
}

/** Hands in the picture that a command asked for. */
export async function uploadCapture(
  workspace: WorkspaceRef,
  id: string,
  png: Blob,
  csrfToken: string,
): Promise<void> {
  await ask(
    putCapture,
    { params: { ...workspace, id }, upload: png },
    { headers: { 'x-csrf-token': csrfToken }, deadlineMs: UPLOAD_DEADLINE_MS },
  )
}
