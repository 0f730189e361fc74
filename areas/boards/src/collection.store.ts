import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { createSweeper, type Sweeper } from '@patchbay/kernel/lifecycle'
import { inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { BoardsDeps } from './deps.ts'
import { expireJobs, resultsLock } from './queue.store.ts'

const INTERVAL_MS = 60_000
const BATCH = 50
/** What is left waits for the next sweep. */
const MOST_BATCHES = 100
/** Of a job that no workspace has asked for any more: somebody may be about to. */
const UNASKED_MS = 60 * 60_000
/** Of bytes that no job names: a worker that is still at it names them before that. */
const UNNAMED_MS = 24 * 60 * 60_000
const OBJECTS_PER_PAGE = 1_000
const PAGES_PER_SWEEP = 20

/** Deletes what is kept no longer. Every node does; the row that one takes away, another one does not find. */
export function createCollection({
  db,
  clock,
  log,
  results,
}: Omit<BoardsDeps, 'files' | 'metrics'>): Sweeper {
  let lastListed: string | undefined

  const before = (ms: number) => new Date(clock.now().getTime() - ms)

  /** Nobody notes a result with these bytes meanwhile: whoever is about to finds them gone, and the job is done again. */
  const deleteUnnamed = (hashes: readonly string[]) =>
    inTransaction(db, async (tx) => {
      await resultsLock('exclusive').execute(tx)
      const { rows } = await sql<{ sha256: string }>`
        select distinct sha256 from unnest(${hashes}::text[]) as object (sha256)
        where not exists (select from board_results as result where result.sha256 = object.sha256)`.execute(
        tx,
      )
      for (const { sha256 } of rows) await results.delete(sha256)
    })

  const dropOld = async (): Promise<boolean> => {
    const { rows } = await sql<{ key: string; hashes: string[] }>`
      with old as (
        select key from board_jobs as job where state in ('done', 'failed', 'refused') and (
          used_at < ${before(BOARD_LIMITS.keptMs)}
          or (used_at < ${before(UNASKED_MS)} and not exists (select from board_asks as ask where ask.key = job.key)))
        limit ${BATCH} for update skip locked
      ), named as (
        select old.key, coalesce(array_agg(result.sha256) filter (where result.sha256 is not null), '{}') as hashes
        from old left join board_results as result using (key) group by old.key
      ), gone as (delete from board_jobs using old where board_jobs.key = old.key)
      select key, hashes from named`.execute(db)
    const hashes = rows.flatMap((row) => row.hashes)
    if (hashes.length > 0) await deleteUnnamed(hashes)
    return rows.length === BATCH
  }

  /** Of workers that ended before they noted what they had stored. */
  const dropUnknown = async (): Promise<void> => {
    for (let page = 0; page < PAGES_PER_SWEEP && !sweeper.stopping.aborted; page += 1) {
      const { objects, next } = await results.list({
        limit: OBJECTS_PER_PAGE,
        ...(lastListed === undefined ? {} : { after: lastListed }),
      })
      const old = objects.filter(({ storedAt }) => storedAt <= before(UNNAMED_MS)).map(({ sha256 }) => sha256)
      const { rows } = await sql<{ sha256: string }>`
        select sha256 from unnest(${old}::text[]) as object (sha256)
        where not exists (select from board_results as result where result.sha256 = object.sha256)`.execute(
        db,
      )
      const unknown = rows.map(({ sha256 }) => sha256)
      for (let at = 0; at < unknown.length; at += BATCH) await deleteUnnamed(unknown.slice(at, at + BATCH))
      lastListed = next
      if (next === undefined) return
    }
  }

  const sweeper = createSweeper(
    { intervalMs: INTERVAL_MS, log, failure: 'board collection failed, retrying later' },
    async () => {
      await expireJobs(db, clock.now())
      await db.deleteFrom('board_workers').where('seen_at', '<', before(BOARD_LIMITS.keptMs)).execute()
      for (let batch = 0; batch < MOST_BATCHES && !sweeper.stopping.aborted; batch += 1)
        if (!(await dropOld())) break
      await dropUnknown()
    },
  )
  return sweeper
}
