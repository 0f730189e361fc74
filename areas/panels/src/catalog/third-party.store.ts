import { Problem } from '@patchbay/contracts/core'
import type { CatalogPanel, PanelCategory } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { lockOwner } from '../locks.store.ts'
import type { PanelsTables } from '../tables.ts'
import { PANEL_COLUMNS, presentRow } from './catalog.store.ts'
import type { PanelPosition } from './catalog-page.ts'

const PANELS_PER_OWNER = 200

export interface NewPanel {
  readonly uuid: string
  readonly name: string
  readonly description: string
  readonly category: PanelCategory
  readonly icon: string
  readonly url: string
  readonly singleton: boolean
}

/** Under the lock of the owner: panels that are added at once would each count all but the others. */
export async function addThirdPartyPanel(
  db: Db<PanelsTables>,
  owner: string,
  { uuid, ...panel }: NewPanel,
  now: Date,
): Promise<CatalogPanel> {
  return await inTransaction(db, async (tx) => {
    await lockOwner(tx, owner)
    const { count } = await tx
      .selectFrom('catalog_panels')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    if (count >= PANELS_PER_OWNER)
      throw new Problem('limit_reached', { detail: `An owner may add ${PANELS_PER_OWNER} panels.` })
    const row = await tx
      .insertInto('catalog_panels')
      .values({ owner, panel_uuid: uuid, ...panel, created_at: now })
      .returning(PANEL_COLUMNS)
      .executeTakeFirstOrThrow()
    return presentRow(row)
  })
}

export async function removeThirdPartyPanel(
  db: Db<PanelsTables>,
  owner: string,
  uuid: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('catalog_panels')
    .where('owner', '=', owner)
    .where('panel_uuid', '=', uuid)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** By name. */
export async function listThirdPartyPanels(
  db: Db<PanelsTables>,
  owner: string,
  page: {
    readonly category: PanelCategory | undefined
    readonly after: PanelPosition | undefined
    readonly limit: number
  },
): Promise<CatalogPanel[]> {
  const { category, after, limit } = page
  let query = db.selectFrom('catalog_panels').select(PANEL_COLUMNS).where('owner', '=', owner)
  if (category !== undefined) query = query.where('category', '=', category)
  if (after !== undefined)
    query = query.where(sql<boolean>`(name, panel_uuid) > (${after.name}::text, ${after.uuid}::uuid)`)
  const rows = await query.orderBy('name').orderBy('panel_uuid').limit(limit).execute()
  return rows.map(presentRow)
}
