import { Problem } from '@patchbay/contracts/core'
import type { PanelStateOf, WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { type NewAction, noteAction } from '../access/action.store.ts'
import { moveRevision } from '../locks.store.ts'
import type { PanelState, PanelsTables } from '../tables.ts'
import { holds, withoutNulls } from './panel-state.ts'

export interface StatePatch {
  readonly tabId: string
  /** Keys that are set; null removes one. */
  readonly patch: PanelState
  /** A key that is set to the revision of this very change: it differs from all before, as a reload must. */
  readonly stamp?: string
}

/** What a change was made on. */
export interface StateBase {
  /** The revision that its page had seen. */
  readonly base: number
  /** The one that the same page made last. */
  readonly own: number | undefined
}

/**
 * Changes what a panel shall show, if the layout has the tab at this moment; `undefined` if not. Under the lock of the
 * workspace's row, so that revisions become visible in their order.
 */
export async function patchPanelState(
  db: Db<PanelsTables>,
  at: WorkspaceRef,
  change: StatePatch,
  now: Date,
  action?: NewAction,
): Promise<PanelStateOf | undefined> {
  return await withinSize(() => inTransaction(db, (tx) => patchWithin(tx, at, change, now, action)))
}

/** The same, unless somebody else has changed the panel since: then `newer` is what it shows. */
export async function patchPanelStateOn(
  db: Db<PanelsTables>,
  at: WorkspaceRef,
  { base, own }: StateBase,
  change: StatePatch,
  now: Date,
): Promise<PanelStateOf | { readonly newer: PanelStateOf } | undefined> {
  const { owner, repo } = at
  const { tabId } = change
  return await withinSize(() =>
    inTransaction(db, async (tx) => {
      // In a statement before: what a statement reads that has to wait for the lock is from before it got it.
      await sql`select from workspaces where owner = ${owner} and repo = ${repo} for update`.execute(tx)
      const shown = await tx
        .selectFrom('panel_states')
        .select(['state', 'revision'])
        .where('owner', '=', owner)
        .where('repo', '=', repo)
        .where('tab_id', '=', tabId)
        .executeTakeFirst()
      if (shown !== undefined && shown.revision > base && shown.revision !== own) {
        const found = { tabId, ...shown }
        // Sent again after a lost connection, or the same by chance.
        return holds(shown.state, change.patch) ? found : { newer: found }
      }
      return await patchWithin(tx, at, change, now)
    }),
  )
}

/** The same as part of a transaction. */
export async function patchWithin(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { tabId, patch: keys, stamp }: StatePatch,
  now: Date,
  action?: NewAction,
): Promise<PanelStateOf | undefined> {
  const set = JSON.stringify(withoutNulls(keys))
  const removed = Object.keys(keys).filter((key) => keys[key] === null)
  const { rows } = await sql<{ revision: number; state: PanelState }>`
    with moved as (
      update workspaces set state_revision = state_revision + 1
      where owner = ${owner} and repo = ${repo} and jsonb_path_exists(
        layout, '$.**.tabs[*].id ? (@ == $id)', jsonb_build_object('id', ${tabId}::text))
      returning state_revision
    )
    insert into panel_states (owner, repo, tab_id, state, revision)
    select ${owner}, ${repo}, ${tabId}::uuid, ${set}::jsonb || case when ${stamp ?? null}::text is null
      then '{}' else jsonb_build_object(${stamp ?? null}::text, state_revision) end, state_revision
    from moved
    on conflict (owner, repo, tab_id) do update set
      state = (panel_states.state || excluded.state) - ${removed}::text[],
      revision = excluded.revision
    returning revision, state`.execute(tx)
  const [shown] = rows
  if (shown === undefined) return undefined
  if (isLargeState(keys)) await requireRoom(tx, { owner, repo })
  if (action !== undefined) await noteAction(tx, { owner, repo }, shown.revision, action, now)
  return { tabId, ...shown }
}

/** Each patch is within its limit; what they add up to is known only where they meet. */
async function withinSize<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'panel_states_size'))
      throw error
    throw new Problem('limit_reached', { detail: 'The panel would hold more than it may.', cause: error })
  }
}

/** Something happened to a panel that changes nothing of what it shows. */
export async function noteActionAlone(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  action: NewAction,
  now: Date,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const revision = await moveRevision(tx, { owner, repo }, null)
    if (revision === undefined) return false
    await noteAction(tx, { owner, repo }, revision, action, now)
    return true
  })
}

export async function listPanelStates(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
): Promise<PanelStateOf[]> {
  const rows = await db
    .selectFrom('panel_states')
    .select(['tab_id', 'state', 'revision'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .orderBy('revision')
    .execute()
  return rows.map(({ tab_id: tabId, state, revision }) => ({ tabId, state, revision }))
}

/** What is smaller than this is not added up: all tabs together have an end by their number. */
const LARGE_STATE = 16_384
/** Of all panels of a workspace, as JSON: whoever opens it is sent all of it. */
const LARGEST_WORKSPACE = 8 * 1024 * 1024
/** Of all workspaces of an owner, as it is stored. By age nothing goes: it is somebody's work. */
const LARGEST_OWNER = 1024 * 1024 * 1024

export function isLargeState(state: PanelState): boolean {
  return JSON.stringify(state).length > LARGE_STATE
}

/** After a large state is written, under the lock of the workspace's row. */
export async function requireRoom(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  largestOwner = LARGEST_OWNER,
): Promise<void> {
  const { size } = await tx
    .selectFrom('panel_states')
    .select(sql<number>`coalesce(sum(octet_length(state::text)), 0)::float8`.as('size'))
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .executeTakeFirstOrThrow()
  if (size > LARGEST_WORKSPACE)
    throw new Problem('limit_reached', {
      detail: `All panels of a workspace together hold at most ${LARGEST_WORKSPACE} bytes.`,
    })
  // As stored: to know its length as text, each state of each workspace would have to be read.
  const { stored } = await tx
    .selectFrom('panel_states')
    .select(sql<number>`coalesce(sum(pg_column_size(state)), 0)::float8`.as('stored'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  if (stored > largestOwner)
    throw new Problem('limit_reached', {
      detail: `All workspaces of an owner together hold at most ${largestOwner} bytes. Remove one to go on.`,
    })
}
