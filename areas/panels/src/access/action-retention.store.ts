import type { Db } from '@patchbay/kernel/postgres'
import { CompiledQuery } from 'kysely'
import type { PanelsAccess } from '../deps.ts'
import type { PanelsTables } from '../tables.ts'

/** Of one statement: small enough to hold no lock for long. */
export const ACTION_BATCH = 500
const DAY_MS = 86_400_000

const OLD_ACTIONS = `delete from panel_actions where (owner, repo, id) in (
  select owner, repo, id from panel_actions where at <= $1
  order by at limit ${ACTION_BATCH} for update skip locked)`

// Not those whose access was ended: without the row, their credential would be let in again.
const OLD_ACTORS = `delete from workspace_actors where (owner, repo, credential_id) in (
  select owner, repo, credential_id from workspace_actors where last_action_at <= $1 and not is_ended
  order by last_action_at limit ${ACTION_BATCH} for update skip locked)`

const ENDED_ACTORS = `select credential_id from workspace_actors
  where is_ended and last_action_at <= $1 and ($2::uuid is null or credential_id > $2::uuid)
  order by credential_id limit ${ACTION_BATCH}`

export const ACTION_SWEEPS: readonly { readonly text: string }[] = [
  OLD_ACTIONS,
  OLD_ACTORS,
  ENDED_ACTORS,
].map((text) => ({ text }))

export function actionsKeptSince(now: Date, keptDays: number): Date {
  return new Date(now.getTime() - keptDays * DAY_MS)
}

export async function deleteOldActions(db: Db<PanelsTables>, until: Date): Promise<number> {
  return await affected(db, OLD_ACTIONS, until)
}

export async function deleteOldActors(db: Db<PanelsTables>, until: Date): Promise<number> {
  return await affected(db, OLD_ACTORS, until)
}

/** Of one batch after `after`; answers the last credential that was looked at, `undefined` when there are no more. */
export async function deleteEndedActors(
  db: Db<PanelsTables>,
  { findCredentials }: Pick<PanelsAccess, 'findCredentials'>,
  until: Date,
  after: string | null,
): Promise<string | undefined> {
  const query = CompiledQuery.raw(ENDED_ACTORS, [until, after])
  const { rows } = await db.executeQuery<{ credential_id: string }>(query)
  const ids = [...new Set(rows.map((row) => row.credential_id))]
  const known = await findCredentials(ids)
  const removed = ids.filter((id) => !known.has(id))
  if (removed.length > 0)
    await db
      .deleteFrom('workspace_actors')
      .where('credential_id', 'in', removed)
      .where('is_ended', '=', true)
      .where('last_action_at', '<=', until)
      .execute()
  return rows.length < ACTION_BATCH ? undefined : ids.at(-1)
}

async function affected(db: Db<PanelsTables>, text: string, until: Date): Promise<number> {
  const { numAffectedRows = 0n } = await db.executeQuery(CompiledQuery.raw(text, [until]))
  return Number(numAffectedRows)
}
