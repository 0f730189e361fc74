import { createSweeper, type Sweeper } from '@patchbay/kernel/lifecycle'
import { sql } from 'kysely'
import {
  ACTION_BATCH,
  actionsKeptSince,
  deleteEndedActors,
  deleteOldActions,
  deleteOldActors,
} from './access/action-retention.store.ts'
import type { PanelsDeps } from './deps.ts'
import { settleOverdue } from './sandbox/eval.store.ts'
import { keptSince } from './workspaces/closed-tab.store.ts'
import { trashedSince } from './workspaces/trash.store.ts'

const INTERVAL_MS = 10 * 60_000
const BATCH = ACTION_BATCH
/** Each with all that belongs to it. */
const TRASH_BATCH = 20
/** What is left waits for the next sweep. */
const MOST_BATCHES = 200
/** Whoever is sending a picture at its very end must find the row that names it. */
const UPLOAD_GRACE_MS = 2 * 60_000

/** Deletes what has expired, in bounded batches. */
export function createHousekeeping({ db, clock, objects, log, access, settings }: PanelsDeps): Sweeper {
  const inBatches = async (deleteSome: (now: Date) => Promise<number>, size = BATCH): Promise<void> => {
    for (let batch = 0; batch < MOST_BATCHES && !sweeper.stopping.aborted; batch += 1)
      if ((await deleteSome(clock.now())) < size) return
  }

  const deleteEvaluations = async (now: Date): Promise<number> => {
    const { numAffectedRows = 0n } = await sql`
      delete from sandbox_evals where id in (
        select id from sandbox_evals
        where expires_at <= ${now}::timestamptz and status in ('executed', 'error')
        order by expires_at limit ${BATCH} for update skip locked)`.execute(db)
    return Number(numAffectedRows)
  }

  const deleteTickets = async (now: Date): Promise<number> => {
    const { numAffectedRows = 0n } = await sql`
      delete from proxy_tickets where token_hash in (
        select token_hash from proxy_tickets where expires_at <= ${now}::timestamptz
        order by expires_at limit ${BATCH} for update skip locked)`.execute(db)
    return Number(numAffectedRows)
  }

  const deleteInvitations = async (now: Date): Promise<number> => {
    const { numAffectedRows = 0n } = await sql`
      delete from workspace_invitations where id in (
        select id from workspace_invitations where expires_at <= ${now}::timestamptz
        order by expires_at limit ${BATCH} for update skip locked)`.execute(db)
    return Number(numAffectedRows)
  }

  const deleteClosedTabs = async (now: Date): Promise<number> => {
    const { numAffectedRows = 0n } = await sql`
      delete from closed_tabs where (owner, repo, tab_id) in (
        select owner, repo, tab_id from closed_tabs where closed_at <= ${keptSince(now)}::timestamptz
        order by closed_at limit ${BATCH} for update skip locked)`.execute(db)
    return Number(numAffectedRows)
  }

  const deleteTrash = async (now: Date): Promise<number> => {
    const { numAffectedRows = 0n } = await sql`
      delete from workspaces where (owner, repo) in (
        select owner, repo from workspaces where trashed_at <= ${trashedSince(now)}::timestamptz
        order by trashed_at limit ${TRASH_BATCH} for update skip locked)`.execute(db)
    return Number(numAffectedRows)
  }

  const actionsUntil = () => actionsKeptSince(clock.now(), settings.actionsKeptDays)

  const deleteEnded = async (): Promise<void> => {
    let after: string | null | undefined = null
    for (let batch = 0; batch < MOST_BATCHES && after !== undefined && !sweeper.stopping.aborted; batch += 1)
      after = await deleteEndedActors(db, access, actionsUntil(), after)
  }

  /** The object first: a row that is left names what to delete, an object that is left nobody would ever find. */
  const deleteCaptures = async (now: Date): Promise<number> => {
    const until = new Date(now.getTime() - UPLOAD_GRACE_MS)
    const { rows } = await sql<{ id: string; sha256: string | null }>`
      select id, sha256 from captures where expires_at <= ${until}::timestamptz
      order by expires_at limit ${BATCH}`.execute(db)
    for (const { sha256 } of rows) if (sha256 !== null) await objects.delete(sha256)
    const ids = rows.map(({ id }) => id)
    await sql`delete from captures where id = any(${ids}::uuid[])`.execute(db)
    return rows.length
  }

  const sweeper = createSweeper(
    { intervalMs: INTERVAL_MS, log, failure: 'failed to delete expired workspace data, retrying later' },
    async () => {
      await settleOverdue(db, clock.now())
      await inBatches(deleteEvaluations)
      await inBatches(deleteTickets)
      await inBatches(deleteInvitations)
      await inBatches(deleteClosedTabs)
      await inBatches(deleteTrash, TRASH_BATCH)
      await inBatches(() => deleteOldActions(db, actionsUntil()))
      await inBatches(() => deleteOldActors(db, actionsUntil()))
      await deleteEnded()
      await inBatches(deleteCaptures)
    },
  )
  return sweeper
}
