import type { Layout, PanelAction, PanelStateOf, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { ACTIONS_KEPT } from '../access/action.ts'
import type { PanelsTables } from '../tables.ts'
import { NOTHING_SEEN, type Seen } from './room.ts'

/** States that are read at once: each may be a third of a megabyte. */
const STATES_AT_ONCE = 16
/** For those who have just come. */
const ACTIONS_TO_BEGIN_WITH = 20
const MADE_AT = sql<number>`(extract(epoch from created_at) * 1000)::float8`

/** What is new in a workspace. */
export interface Update {
  /** What has been seen with this. */
  readonly seen: Seen
  /** `null` unless its version is newer. */
  readonly layout: Layout | null
  readonly states: readonly PanelStateOf[]
  readonly actions: readonly PanelAction[]
  /** Whether there is nothing more to read. */
  readonly isWhole: boolean
}

interface Row {
  readonly madeAt: number
  readonly version: number
  readonly revision: number
  readonly members: number
  readonly layout: Layout | null
  readonly states: readonly PanelStateOf[] | null
  readonly actions: readonly (Omit<PanelAction, 'reason'> & { readonly reason: string | null })[] | null
}

/** In one statement: a layout and the states of its tabs must be of the same moment. `undefined`: no such workspace. */
export async function readUpdate(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  seen: Seen,
): Promise<Update | undefined> {
  // As many as are kept: of what happened meanwhile nothing is left out.
  const actionsAtOnce = seen === NOTHING_SEEN ? ACTIONS_TO_BEGIN_WITH : ACTIONS_KEPT
  const { rows } = await sql<Row>`
    select ${MADE_AT} as "madeAt", version, state_revision as revision, members_revision as members,
      case when version > ${seen.version} then layout end as layout,
      case when state_revision > ${seen.revision} then (
        select json_agg(json_build_object('tabId', tab_id, 'revision', revision, 'state', state) order by revision)
        from (
          select tab_id, revision, state from panel_states
          where owner = ${owner} and repo = ${repo} and revision > ${seen.revision}
          order by revision limit ${STATES_AT_ONCE}
        ) newer
      ) end as states,
      case when state_revision > ${seen.action} then (
        select json_agg(json_build_object(
          'id', id, 'tabId', tab_id, 'action', action, 'reason', reason, 'at', at,
          'by', json_build_object('kind', actor_kind, 'name', actor_name, 'handle', actor_handle)
        ) order by id)
        from (
          select * from panel_actions
          where owner = ${owner} and repo = ${repo} and id > ${seen.action}
          order by id desc limit ${actionsAtOnce}
        ) latest
      ) end as actions
    from workspaces where owner = ${owner} and repo = ${repo}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const states = row.states ?? []
  const isWhole = states.length < STATES_AT_ONCE
  const last = states.at(-1)?.revision ?? row.revision
  return {
    seen: {
      madeAt: row.madeAt,
      version: row.version,
      revision: isWhole ? row.revision : last,
      action: row.revision,
      members: row.members,
    },
    layout: row.layout,
    states,
    actions: (row.actions ?? []).map(({ reason, at, ...action }) => ({
      ...action,
      ...(reason === null ? {} : { reason }),
      at: new Date(at).toISOString(),
    })),
    isWhole,
  }
}

export interface Standing extends WorkspaceRef {
  readonly madeAt: number
  readonly version: number
  readonly revision: number
}

/** Where many workspaces stand; those that are missing are gone. */
export async function readStandings(
  db: Db<PanelsTables>,
  workspaces: readonly WorkspaceRef[],
): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select owner, repo, ${MADE_AT} as "madeAt", version, state_revision as revision from workspaces
    where (owner, repo) in (select * from unnest(
      ${workspaces.map(({ owner }) => owner)}::text[], ${workspaces.map(({ repo }) => repo)}::text[]))`.execute(
    db,
  )
  return rows
}

/** The panel that a tab shows, in catalog form. */
export async function findPanelOfTab(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  tabId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly panel: string | null }>`
    select jsonb_path_query_first(
      layout, '$.**.tabs[*] ? (@.id == $id).panel', jsonb_build_object('id', ${tabId}::text)
    ) #>> '{}' as panel
    from workspaces where owner = ${owner} and repo = ${repo}`.execute(db)
  return rows[0]?.panel ?? undefined
}
