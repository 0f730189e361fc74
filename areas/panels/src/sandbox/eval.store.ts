import { LONGEST_KEPT_CODE, SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import type { LastRun, PanelStateOf, SandboxResult, WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { type NewAction, noteAction } from '../access/action.store.ts'
import { partyOf } from '../access/action.ts'
import { moveRevision } from '../locks.store.ts'
import type { PanelsTables } from '../tables.ts'
import { patchWithin } from '../workspaces/panel-state.store.ts'
import { type Evaluation, failure, isOverdue, WORDS } from './eval.ts'

/** What may wait in a workspace, whatever the number of its panels, and with an owner, who may have a thousand workspaces. */
const MOST_WAITING = { ofWorkspace: 1_000, ofOwner: 5_000 }
const MOST_BYTES = { ofWorkspace: 16 * 2 ** 20, ofOwner: 64 * 2 ** 20 }

export interface NewEvaluation {
  readonly id: string
  readonly tabId: string
  readonly code: string
  readonly timeoutMs: number
}

/**
 * Under the lock of the workspace's row: the order of numbers is the order in which they can be seen, no two callers take
 * the last place, and no code is left behind for a tab that has just been removed.
 */
export async function enqueue(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { id, tabId, code, timeoutMs }: NewEvaluation,
  now: Date,
  action: NewAction,
): Promise<Evaluation | 'no_tab' | 'full'> {
  const expiresAt = new Date(now.getTime() + SANDBOX_LIMITS.keptMs)
  return await inTransaction(db, async (tx) => {
    const revision = await moveRevision(tx, { owner, repo }, tabId)
    if (revision === undefined) return 'no_tab'
    const lastRun = JSON.stringify({ lastRun: lastRunOf(code, action, now) })
    const { rows } = await sql`
      with queued as (
      insert into sandbox_evals
        (id, owner, repo, tab_id, credential_id, code, timeout_ms, status, created_at, expires_at)
      select ${id}::uuid, ${owner}, ${repo}, ${tabId}::uuid, ${action.caller.credential.id}::uuid, ${code},
        ${timeoutMs}::integer, 'queued', ${now}::timestamptz, ${expiresAt}::timestamptz
      from (
        select count(*) as all_of, coalesce(sum(size), 0) as all_bytes,
          count(*) filter (where repo = ${repo}) as here, coalesce(sum(size) filter (where repo = ${repo}), 0) as bytes,
          count(*) filter (where repo = ${repo} and tab_id = ${tabId}::uuid and status = 'queued') as in_line
        from (
          select repo, tab_id, status, octet_length(code) as size from sandbox_evals
          where owner = ${owner} and status in ('queued', 'running')
        ) waiting
      ) usage
      where in_line < ${SANDBOX_LIMITS.queued} and here < ${MOST_WAITING.ofWorkspace}
        and all_of < ${MOST_WAITING.ofOwner} and bytes < ${MOST_BYTES.ofWorkspace}
        and all_bytes < ${MOST_BYTES.ofOwner}
      returning id
      ), shown as (
        insert into panel_states (owner, repo, tab_id, state, revision)
        select ${owner}, ${repo}, ${tabId}::uuid, ${lastRun}::jsonb, ${revision} from queued
        on conflict (owner, repo, tab_id) do update
          set state = panel_states.state || excluded.state, revision = excluded.revision
      )
      select id from queued`.execute(tx)
    if (rows.length === 0) return 'full'
    await noteAction(tx, { owner, repo }, revision, action, now)
    return { id, status: 'queued', outcome: null, expiresAt, deadlineAt: null }
  })
}

/** What a page offers to run again that has lost what it drew. Within what a state may hold without being added up. */
function lastRunOf(code: string, { caller }: NewAction, now: Date): LastRun {
  // Half of a surrogate pair is fine in code, and none for JSON in PostgreSQL.
  const isKept = code.length <= LONGEST_KEPT_CODE && code.isWellFormed()
  return { ...(isKept && { code }), by: partyOf(caller), at: now.toISOString() }
}

/** As it is now: one that nobody else will settle any more is settled first. */
export async function findEvaluation(
  db: Db<PanelsTables>,
  at: WorkspaceRef,
  id: string,
  now: Date,
): Promise<Evaluation | undefined> {
  const found = await readEvaluation(db, at, id)
  if (found === undefined || !isOverdue(found, now)) return found
  await settleOverdue(db, now, id)
  return await readEvaluation(db, at, id)
}

async function readEvaluation(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  id: string,
): Promise<Evaluation | undefined> {
  const row = await db
    .selectFrom('sandbox_evals')
    .select(['status', 'outcome', 'expires_at as expiresAt', 'deadline_at as deadlineAt'])
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { id, ...row, outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as SandboxResult) }
}

/** Writes off what no frame took in time, and what ran when its node died; of all workspaces unless an id is given. */
export async function settleOverdue(db: Db<PanelsTables>, now: Date, id?: string): Promise<void> {
  await sql`
    update sandbox_evals set status = 'error', code = '', expires_at = ${keptUntil(now)}::timestamptz,
      outcome = case status when 'queued' then ${stored(failure(WORDS.neverReady))}::jsonb
        else ${stored(failure(WORDS.silent))}::jsonb end
    where (${id ?? null}::uuid is null or id = ${id ?? null}::uuid) and (
      (status = 'queued' and expires_at <= ${now}::timestamptz)
      or (status = 'running' and deadline_at <= ${now}::timestamptz))`.execute(db)
}

/** Answers with what shall be shown and with the ids of what was waiting or running, all of which has failed now. */
export async function resetSandbox(
  db: Db<PanelsTables>,
  at: WorkspaceRef,
  tabId: string,
  now: Date,
  action: NewAction,
): Promise<{ readonly shown: PanelStateOf; readonly failed: readonly string[] } | undefined> {
  return await inTransaction(db, async (tx) => {
    const shown = await patchWithin(tx, at, { tabId, patch: {}, stamp: 'reset' }, now, action)
    if (shown === undefined) return undefined
    const { rows } = await sql<{ id: string }>`
      update sandbox_evals set status = 'error', code = '', expires_at = ${keptUntil(now)}::timestamptz,
        outcome = case status when 'queued' then ${stored(failure(WORDS.resetBefore))}::jsonb
          else ${stored(failure(WORDS.resetMeanwhile))}::jsonb end
      where owner = ${at.owner} and repo = ${at.repo} and tab_id = ${tabId}::uuid
        and status in ('queued', 'running')
      returning id`.execute(tx)
    return { shown, failed: rows.map(({ id }) => id) }
  })
}

export function keptUntil(now: Date): Date {
  return new Date(now.getTime() + SANDBOX_LIMITS.keptMs)
}

/** As a text within JSON: jsonb itself takes neither a NUL nor half of a surrogate pair, and code may return both. */
export function stored(outcome: SandboxResult): string {
  return JSON.stringify(JSON.stringify(outcome))
}
