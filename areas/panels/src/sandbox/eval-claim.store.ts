import type { SandboxResult, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { PanelsTables } from '../tables.ts'
import { keptUntil, stored } from './eval.store.ts'
import { CLAIM_GRACE_MS, failure, WORDS } from './eval.ts'

/** `settled`: the first in the line was written off, so look again. `busy`: it runs. */
export type Claim =
  | { readonly outcome: 'claimed'; readonly id: string; readonly code: string; readonly timeoutMs: number }
  | { readonly outcome: 'settled'; readonly id: string }
  | { readonly outcome: 'busy'; readonly id: string; readonly deadlineAt: Date }
  | { readonly outcome: 'none' }

interface Head {
  readonly id: string
  readonly deadline_at: Date | null
  readonly status: 'running' | 'error' | null
  readonly code: string | null
  readonly timeout_ms: number | null
}

/**
 * Whoever wants to run something locks the first of the tab's line, whether it waits or runs: so nothing is claimed
 * twice, nothing overtakes, and nothing begins beside what still runs, from however many nodes.
 */
export async function claimNext(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  tabId: string,
  node: string,
  now: Date,
): Promise<Claim> {
  const { rows } = await sql<Head>`
    with head as (
      select id, status, deadline_at, expires_at from sandbox_evals
      where owner = ${owner} and repo = ${repo} and tab_id = ${tabId}::uuid and status in ('queued', 'running')
      order by seq limit 1 for update
    ), changed as (
      update sandbox_evals set
        status = case when may_run then 'running' else 'error' end,
        code = case when may_run then code else '' end,
        claimed_by = case when may_run then ${node} else claimed_by end,
        deadline_at = case when may_run
          then ${now}::timestamptz + (timeout_ms + ${sql.lit(CLAIM_GRACE_MS)}) * interval '1 millisecond'
          else deadline end,
        expires_at = case when may_run then ends_at else ${keptUntil(now)}::timestamptz end,
        outcome = case when may_run then null
          when was = 'queued' then ${stored(failure(WORDS.neverReady))}::jsonb
          else ${stored(failure(WORDS.silent))}::jsonb end
      from (
        select id as head_id, status as was, deadline_at as deadline, expires_at as ends_at,
          status = 'queued' and expires_at > ${now}::timestamptz as may_run
        from head
      ) as first
      where id = head_id and (was = 'queued' or deadline <= ${now}::timestamptz)
      returning id, status, code, timeout_ms
    )
    select head.id, head.deadline_at, changed.status, changed.code, changed.timeout_ms
    from head left join changed on changed.id = head.id`.execute(db)
  const [head] = rows
  return head === undefined ? { outcome: 'none' } : claimOf(head, now)
}

function claimOf({ id, status, code, timeout_ms: timeoutMs, ...head }: Head, now: Date): Claim {
  if (status === 'error') return { outcome: 'settled', id }
  if (status === 'running' && code !== null && timeoutMs !== null)
    return { outcome: 'claimed', id, code, timeoutMs }
  return { outcome: 'busy', id, deadlineAt: head.deadline_at ?? now }
}

/** `false`: it was written off in the meantime, and stays so. */
export async function finish(
  db: Db<PanelsTables>,
  id: string,
  node: string,
  outcome: SandboxResult,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sandbox_evals')
    // Code that is over is nobody's anymore: kept with its outcome, it would be most of the table.
    .set({ status: outcome.status, outcome: stored(outcome), code: '', expires_at: keptUntil(now) })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('claimed_by', '=', node)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Back to the head of its line: it has not begun. Answers with all that wait in it now. */
export async function putBack(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  tabId: string,
  id: string,
  node: string,
): Promise<readonly string[]> {
  await db
    .updateTable('sandbox_evals')
    .set({ status: 'queued', claimed_by: null, deadline_at: null })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('claimed_by', '=', node)
    .execute()
  const waiting = await db
    .selectFrom('sandbox_evals')
    .select('id')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('tab_id', '=', tabId)
    .where('status', '=', 'queued')
    .execute()
  return waiting.map((row) => row.id)
}
