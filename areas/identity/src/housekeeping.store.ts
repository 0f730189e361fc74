import type { Log } from '@patchbay/kernel/log'
import type { Db } from '@patchbay/kernel/postgres'
import { CompiledQuery } from 'kysely'
import type { IdentityTables } from './tables.ts'

/** Small enough to hold no lock for long. */
const BATCH = 1_000
const HOUR_MS = 3_600_000
/** An expired intent answers "expired" for a week before it is unknown. */
const INTENT_KEPT_MS = 7 * 24 * HOUR_MS

/**
 * Each by an index of its own, and past rows that another node is deleting. Without the order PostgreSQL would read the
 * whole table when its statistics are from before the last deletions, and say that all of it has ended; without the array,
 * to join it with what it found.
 */
const batchOf = (table: string, key: string, end: string, condition = 'true') =>
  `select ${key} from ${table} where ${end} <= $1 and ${end} >= $2 and ${condition}
    order by ${end} limit ${BATCH} for update skip locked`

const counted = (change: string, end: string) =>
  `with gone as (${change} returning ${end} as ended_at) select count(*) as rows, max(ended_at) as last from gone`

const deletion = (table: string, key: string, end: string, condition?: string) =>
  counted(`delete from ${table} where ${key} = any (array(${batchOf(table, key, end, condition)}))`, end)

/** Nobody approves an intent that has expired, so nobody needs to know who asked. */
const FORGET_INTENTS = counted(
  `update intents set label = null, requested_network = '', requested_user_agent = '', watcher = null
    where token_hash = any (array(${batchOf('intents', 'token_hash', 'expires_at', "session_id is null and requested_network <> ''")}))`,
  'expires_at',
)

export const SWEEPS: readonly { readonly text: string; readonly keptMs: number }[] = [
  { text: deletion('sessions', 'id', 'expires_at'), keptMs: 0 },
  { text: deletion('sessions', 'id', 'idle_expires_at'), keptMs: 0 },
  // A linked intent is kept for as long as its session: status answers the token for all that time.
  { text: deletion('intents', 'token_hash', 'expires_at', 'session_id is null'), keptMs: INTENT_KEPT_MS },
  { text: FORGET_INTENTS, keptMs: HOUR_MS },
  { text: deletion('ceremonies', 'secret_hash', 'expires_at'), keptMs: 0 },
  { text: deletion('invitations', 'secret_hash', 'expires_at'), keptMs: 0 },
  { text: deletion('used_ci_tokens', 'token_hash', 'expires_at'), keptMs: 0 },
  { text: deletion('api_keys', 'id', 'expires_at', 'publisher_id is not null'), keptMs: 0 },
]

/**
 * Up to where each sweep of this process is done. What was deleted stays in the index until it is vacuumed: a look from the
 * beginning would pass millions of such entries after a mass expiry, every minute and for every batch.
 */
export class SweepProgress {
  readonly #doneUntil = new Map<string, Date>()
  #beganAt = Number.NEGATIVE_INFINITY

  /** Once an hour from the beginning: rows that somebody had locked were passed over, and a linked intent is older than its session. */
  begin(now: Date): void {
    if (now.getTime() - this.#beganAt < HOUR_MS) return
    this.#beganAt = now.getTime()
    this.#doneUntil.clear()
  }

  since(text: string): Date {
    return this.#doneUntil.get(text) ?? new Date(0)
  }

  done(text: string, until: Date): void {
    this.#doneUntil.set(text, until)
  }
}

/**
 * Deletes what has ended and nobody will ask for, and forgets what nobody needs to know of the rest, batch by batch until there is no more or the signal says that it has
 * taken long enough. One table that cannot be cleaned does not keep the others from it. Answers how many rows it took.
 */
export async function deleteEnded(
  db: Db<IdentityTables>,
  now: Date,
  log: Log,
  signal?: AbortSignal,
  progress = new SweepProgress(),
): Promise<number> {
  let deleted = 0
  progress.begin(now)
  for (const { text, keptMs } of SWEEPS) {
    const until = new Date(now.getTime() - keptMs)
    try {
      for (let isMore = true; isMore; ) {
        if (signal?.aborted === true) return deleted
        const query = CompiledQuery.raw(text, [until, progress.since(text)])
        const { rows: found } = await db.executeQuery<{ rows: number; last: Date | null }>(query)
        const [{ rows, last } = { rows: 0, last: null }] = found
        deleted += rows
        isMore = rows >= BATCH
        progress.done(text, isMore && last !== null ? last : until)
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to delete expired rows, retrying later')
    }
  }
  return deleted
}
