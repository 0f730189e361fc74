import { type PanelStateOf, Problem, type WorkspaceRef } from '@patchbay/contracts'
import type { Db } from '@patchbay/kernel/postgres'
import { CompiledQuery } from 'kysely'
import { ACTIONS_KEPT, type NewAction, partyOf } from './access/action.ts'
import type { LayoutMark } from './shown-state.ts'
import type { PanelState, PanelsTables } from './tables.ts'

export interface ShownChange {
  readonly tabId: string
  readonly set: PanelState
  /** A key that is set to the revision of this very change. */
  readonly stamp?: string | undefined
}

/** Counted once in so many actions: to find where the latest begin, all of them are passed. */
const PRUNED_AFTER = 16

const OF_WORKSPACE = 'where owner = $1 and repo = $2'
const HAS_TAB = `jsonb_path_exists(layout, '$.**.tabs[*].id ? (@ == $id)', jsonb_build_object('id', $3::text))`
const IS_AS_READ = 'version = $14 and created_at = $15'

/**
 * As texts that are there from the beginning: made anew for each call, they would have to be hashed each time to find the
 * statement that was prepared.
 */
const SET_IF_TAB = setShownText(HAS_TAB)
const SET_IF_AS_READ = setShownText(IS_AS_READ)

function setShownText(condition: string): string {
  return `
    with moved as (
      update workspaces set state_revision = state_revision + 1
      ${OF_WORKSPACE} and ${condition}
      returning state_revision as revision
    ), shown as (
      insert into panel_states (owner, repo, tab_id, state, revision)
      select $1, $2, $3::text::uuid, $4::jsonb || case
        when $5::text is null then '{}'::jsonb else jsonb_build_object($5::text, revision) end, revision
      from moved
      on conflict (owner, repo, tab_id) do update
        set state = panel_states.state || excluded.state, revision = excluded.revision
      returning revision, state
    ), noted as (
      insert into panel_actions
        (owner, repo, id, tab_id, actor_kind, actor_name, actor_handle, action, reason, at)
      select $1, $2, revision, $3::text::uuid, $6, $7, $8, $9, $10, $11::timestamptz from moved
    ), actor as (
      insert into workspace_actors
        (owner, repo, credential_id, kind, name, handle, last_action, last_action_at)
      select $1, $2, $12::uuid, $6, $7, $8, $9, $11::timestamptz from moved where $13::boolean
      on conflict (owner, repo, credential_id) do update set name = excluded.name,
        last_action = excluded.last_action, last_action_at = excluded.last_action_at,
        actions = workspace_actors.actions + 1 / (not workspace_actors.is_ended)::integer
    ), pruned as (
      delete from panel_actions ${OF_WORKSPACE} and id <= case
        when (select revision from moved) - ${ACTIONS_KEPT + PRUNED_AFTER}
          >= (select min(id) from panel_actions ${OF_WORKSPACE})
        then (select id from panel_actions ${OF_WORKSPACE} order by id desc offset ${ACTIONS_KEPT} limit 1) end
    )
    select revision, state from shown`
}

/**
 * What `patchPanelState` does in a transaction of six round trips, in one: a caller waits for nothing else as long as for
 * these. With a mark, only in the layout as it was read. `undefined`: that is another one by now, or without a mark, it has
 * no such tab at this moment.
 */
export async function setShown(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { tabId, set, stamp }: ShownChange,
  now: Date,
  { caller, action, reason }: NewAction,
  mark?: LayoutMark,
): Promise<PanelStateOf | undefined> {
  const { kind, name, handle } = partyOf(caller)
  const { id } = caller.credential
  const who = [kind, name, handle, action, reason ?? null, now, id, kind !== 'browser']
  const values = [owner, repo, tabId, JSON.stringify(set), stamp ?? null, ...who]
  const query =
    mark === undefined
      ? CompiledQuery.raw(SET_IF_TAB, values)
      : CompiledQuery.raw(SET_IF_AS_READ, [...values, mark.version, mark.madeAt])
  const { rows } = await db
    .executeQuery<{ revision: number; state: PanelState }>(query)
    .catch((error: unknown) => {
      throw isOfEnded(error) ? new Problem('access_ended', { cause: error }) : error
    })
  const [row] = rows
  return row === undefined ? undefined : { tabId, revision: row.revision, state: row.state }
}

/**
 * Whoever waited for the row sees the end of their access only where the row of the actor is written, and by then the rest is
 * written as well: a division by zero there undoes all of it.
 */
function isOfEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22012'
}
