import type { Log } from '@patchbay/kernel/log'
import type { Db } from '@patchbay/kernel/postgres'
import { CompiledQuery } from 'kysely'
import type { IdentityTables } from './tables.ts'

/** Small enough to hold no lock for long. */
const BATCH = 1_000
/** An expired intent answers "expired" for an hour before it is unknown. */
const INTENT_KEPT_MS = 3_600_000

/** Each by an index of its own, and past rows that another node is deleting. */
const deletion = (table: string, key: string, condition: string) =>
  `delete from ${table} where ${key} in (
  select ${key} from ${table} where ${condition} limit ${BATCH} for update skip locked)`

export const DELETIONS: readonly { readonly text: string; readonly keptMs: number }[] = [
  { text: deletion('sessions', 'id', 'expires_at <= $1'), keptMs: 0 },
  { text: deletion('sessions', 'id', 'idle_expires_at <= $1'), keptMs: 0 },
  // A linked intent is kept for as long as its session: status answers the token for all that time.
  {
    text: deletion('intents', 'token_hash', 'expires_at <= $1 and session_id is null'),
    keptMs: INTENT_KEPT_MS,
  },
  { text: deletion('ceremonies', 'secret_hash', 'expires_at <= $1'), keptMs: 0 },
  { text: deletion('invitations', 'secret_hash', 'expires_at <= $1'), keptMs: 0 },
]

/**
 * Deletes what has ended and nobody will ask for, batch by batch until there is no more or the signal says that it has
 * taken long enough. One table that cannot be cleaned does not keep the others from it. Answers how many rows went.
 */
export async function deleteEnded(
  db: Db<IdentityTables>,
  now: Date,
  log: Log,
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0
  for (const { text, keptMs } of DELETIONS) {
    const until = new Date(now.getTime() - keptMs)
    try {
      for (let isMore = true; isMore; ) {
        if (signal?.aborted === true) return deleted
        const { numAffectedRows = 0n } = await db.executeQuery(CompiledQuery.raw(text, [until]))
        deleted += Number(numAffectedRows)
        isMore = numAffectedRows >= BATCH
      }
    } catch (error) {
      log.warn({ err: error }, 'what has ended could not be deleted, trying again later')
    }
  }
  return deleted
}
