import type { Tab, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { PanelsTables } from '../tables.ts'
import type { ClosedTab } from './closed-tab.ts'

/** Of one workspace; the oldest beyond either go. */
const MOST_CLOSED_TABS = 50
const LARGEST_CLOSED_TABS = 8 * 1024 * 1024
const KEPT_MS = 30 * 24 * 60 * 60_000

/**
 * Before the states of these tabs are deleted, under the lock of the workspace's row. Without the mark of a page that had
 * a text to decide on: it has none any more when the tab is opened again.
 */
export async function keepClosedTabs(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  closed: readonly ClosedTab[],
): Promise<void> {
  if (closed.length === 0) return
  const rows = closed.map(({ tab, place, closedAt, state }) => ({
    tab_id: tab.id,
    panel: tab.panel,
    title: tab.title,
    icon: tab.icon ?? null,
    place,
    state: state ?? null,
    closed_at: closedAt,
  }))
  await sql`
    insert into closed_tabs (owner, repo, tab_id, panel, title, icon, place, state, size, closed_at)
    select ${owner}, ${repo}, tab_id, panel, title, icon, place, state, coalesce(octet_length(state::text), 0), closed_at
    from (
      select closed.tab_id, panel, title, icon, place, closed_at,
        coalesce(nullif(closed.state, 'null'), panel_states.state) - 'conflict' as state
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as closed (
        tab_id uuid, panel text, title text, icon text, place jsonb, state jsonb, closed_at timestamptz)
      left join panel_states
        on panel_states.owner = ${owner} and panel_states.repo = ${repo} and panel_states.tab_id = closed.tab_id
    ) as kept
    on conflict (owner, repo, tab_id) do update set
      panel = excluded.panel, title = excluded.title, icon = excluded.icon, place = excluded.place,
      state = excluded.state, size = excluded.size, closed_at = excluded.closed_at`.execute(tx)
  await sql`
    delete from closed_tabs where owner = ${owner} and repo = ${repo} and tab_id in (
      select tab_id from (
        select tab_id, row_number() over latest as number, sum(size) over latest as total
        from closed_tabs where owner = ${owner} and repo = ${repo}
        window latest as (order by closed_at desc, tab_id)
      ) as counted
      where number > ${MOST_CLOSED_TABS} or total > ${LARGEST_CLOSED_TABS})`.execute(tx)
}

/** What is open again is not closed anymore. */
export async function forgetClosedTabs(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  opened: readonly string[],
): Promise<void> {
  if (opened.length === 0) return
  await tx
    .deleteFrom('closed_tabs')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('tab_id', 'in', opened)
    .execute()
}

/** The last closed first, without what they showed. */
export async function listClosedTabs(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  now: Date,
): Promise<Omit<ClosedTab, 'state'>[]> {
  const rows = await db
    .selectFrom('closed_tabs')
    .select(['tab_id', 'panel', 'title', 'icon', 'place', 'closed_at'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('closed_at', '>', keptSince(now))
    .orderBy('closed_at', 'desc')
    .orderBy('tab_id')
    .execute()
  return rows.map((row) => ({ tab: tabOf(row), place: row.place, closedAt: row.closed_at }))
}

export async function findClosedTab(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  tabId: string,
  now: Date,
): Promise<ClosedTab | undefined> {
  const row = await db
    .selectFrom('closed_tabs')
    .select(['tab_id', 'panel', 'title', 'icon', 'place', 'state', 'closed_at'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('tab_id', '=', tabId)
    .where('closed_at', '>', keptSince(now))
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { tab: tabOf(row), place: row.place, closedAt: row.closed_at, state: row.state ?? undefined }
}

export function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS)
}

function tabOf(row: {
  readonly tab_id: string
  readonly panel: string
  readonly title: string
  readonly icon: string | null
}): Tab {
  return {
    id: row.tab_id,
    panel: row.panel,
    title: row.title,
    ...(row.icon === null ? {} : { icon: row.icon }),
  }
}
