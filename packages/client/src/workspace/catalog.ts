import type { CatalogPanel, PanelCategory } from '@patchbay/contracts/panels'
import type { Connection } from './connection.ts'
import { everyPage } from './paging.ts'
import { ADD_PANEL, LIST_PANELS, REMOVE_PANEL } from './routes.ts'

export interface CatalogFilter {
  /** Also what this owner has added. */
  readonly owner?: string | undefined
  readonly category?: PanelCategory | undefined
}

/** A page of the web that workspaces can hold as a panel. */
export interface NewPanel {
  readonly name: string
  /** One sentence. */
  readonly description: string
  readonly category: PanelCategory
  readonly url: string
  readonly icon?: string
  /** At most once in a workspace. */
  readonly singleton?: boolean
}

export async function listPanels(
  connection: Connection,
  { owner, category }: CatalogFilter,
): Promise<CatalogPanel[]> {
  const filter = {
    ...(owner === undefined ? {} : { owner }),
    ...(category === undefined ? {} : { category }),
  }
  return await everyPage(async (cursor) => {
    const query = { ...filter, ...cursor }
    return (await connection.ask(LIST_PANELS, { query }, { isRepeatable: true })).body
  })
}

export async function addPanel(
  connection: Connection,
  owner: string,
  panel: NewPanel,
): Promise<CatalogPanel> {
  return (await connection.ask(ADD_PANEL, { params: { owner }, body: { ...panel } })).body
}

/** `id`: in the form of the catalog, `<owner>/<panel_uuid>`. */
export async function removePanel(connection: Connection, id: string): Promise<void> {
  const [owner = '', panelUuid = ''] = id.split('/')
  await connection.ask(REMOVE_PANEL, { params: { owner, panelUuid } })
}
