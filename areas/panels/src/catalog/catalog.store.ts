import type { CatalogPanel, Layout, LayoutChange } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { type Selectable, sql } from 'kysely'
import type { PanelsTables } from '../tables.ts'
import { findBuiltIn, findBuiltInOfKind } from './built-in-panels.ts'
import { type CatalogRules, panelsOf, rulesFrom, THIRD_PARTY_KIND } from './catalog.ts'

/** Those that the catalog has, ours and others', by their ids. */
export async function findCatalogPanels(
  db: Db<PanelsTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CatalogPanel>> {
  const ours = ids.flatMap((id) => findBuiltIn(id) ?? [])
  const found = new Map(ours.map((panel) => [panel.id, panel]))
  const others = [...new Set(ids)].filter((id) => !found.has(id))
  if (others.length === 0) return found
  const pairs = others.map((id) => id.split('/'))
  const rows = await db
    .selectFrom('catalog_panels')
    .select(PANEL_COLUMNS)
    .where(
      sql<boolean>`(owner, panel_uuid) in (select * from unnest(
        ${pairs.map(([owner]) => owner)}::text[], ${pairs.map(([, uuid]) => uuid)}::uuid[]))`,
    )
    .execute()
  for (const panel of rows.map(presentRow)) found.set(panel.id, panel)
  return found
}

/** By its id, or one of ours by its kind. */
export async function findPanelType(
  db: Db<PanelsTables>,
  panelType: string,
): Promise<CatalogPanel | undefined> {
  if (!CATALOG_ID.test(panelType)) return findBuiltInOfKind(panelType)
  return (await findCatalogPanels(db, [panelType])).get(panelType)
}

/**
 * What changes of the published shape need to be made on this layout. Whether a panel is a singleton never changes while
 * it is in the catalog, so what was read before the row is locked still holds after.
 */
export async function rulesFor(
  db: Db<PanelsTables>,
  layout: Layout,
  changes: readonly LayoutChange[],
): Promise<CatalogRules> {
  return rulesFrom(layout, changes, await findCatalogPanels(db, panelsOf(changes)))
}

/** The database would refuse to compare anything else with a UUID. */
const CATALOG_ID = /^[a-z0-9-]{1,39}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const PANEL_COLUMNS = [
  'owner',
  'panel_uuid',
  'name',
  'description',
  'category',
  'icon',
  'url',
  'singleton',
] as const

export function presentRow(
  row: Pick<Selectable<PanelsTables['catalog_panels']>, (typeof PANEL_COLUMNS)[number]>,
): CatalogPanel {
  return {
    id: `${row.owner}/${row.panel_uuid}`,
    kind: THIRD_PARTY_KIND,
    name: row.name,
    description: row.description,
    category: row.category,
    icon: row.icon,
    singleton: row.singleton,
    availability: 'ready',
    url: row.url,
  }
}
