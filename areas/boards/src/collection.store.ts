import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { createSweeper, type Sweeper } from '@patchbay/kernel/lifecycle'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { inTransaction } from '@patchbay/kernel/postgres'
import { type RawBuilder, sql } from 'kysely'
import type { BoardsDeps } from './deps.ts'
import { librariesLock } from './library.store.ts'
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
  libraries,
}: Pick<BoardsDeps, 'db' | 'clock' | 'log' | 'results'> & {
  readonly libraries: Pick<BoardsDeps['libraries'], 'objects'>
}): Sweeper {
  const before = (ms: number) => new Date(clock.now().getTime() - ms)

  const resultBytes = createByteCollection(db, results, {
    lock: resultsLock,
    named: sql`select from board_results as result where result.sha256 = object.sha256`,
  })
  const libraryBytes = createByteCollection(db, libraries.objects, {
    lock: librariesLock,
    named: sql`select from board_libraries as library where library.sha256 = object.sha256
      or library.symbols @> jsonb_build_array(jsonb_build_object('sha256', object.sha256))
      union all select from board_installed_symbols as installed where installed.sha256 = object.sha256`,
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
    if (hashes.length > 0) await resultBytes.deleteUnnamed(hashes)
    return rows.length === BATCH
  }

  const sweeper = createSweeper(
    { intervalMs: INTERVAL_MS, log, failure: 'board collection failed, retrying later' },
    async () => {
      await expireJobs(db, clock.now())
      await db.deleteFrom('board_workers').where('seen_at', '<', before(BOARD_LIMITS.keptMs)).execute()
      await sql`delete from board_installed_symbols as installed where not exists (
        select from board_workers as worker where worker.engine = installed.engine)`.execute(db)
      for (let batch = 0; batch < MOST_BATCHES && !sweeper.stopping.aborted; batch += 1)
        if (!(await dropOld())) break
      // Of workers that ended before they noted what they had stored.
      for (const bytes of [resultBytes, libraryBytes])
        await bytes.dropUnknown(before(UNNAMED_MS), sweeper.stopping)
    },
  )
  return sweeper
}

/** Deletes bytes that no row names. `named`: of the `sha256` of an `object`. */
function createByteCollection(
  db: BoardsDeps['db'],
  objects: ObjectStore,
  { lock, named }: { readonly lock: typeof resultsLock; readonly named: RawBuilder<unknown> },
) {
  let lastListed: string | undefined
  const unnamedOf = (hashes: readonly string[]) => sql<{ sha256: string }>`
    select distinct sha256 from unnest(${hashes}::text[]) as object (sha256) where not exists (${named})`

  /** Nobody names these bytes meanwhile: whoever is about to finds them gone, and makes them again. */
  const deleteUnnamed = (hashes: readonly string[]) =>
    inTransaction(db, async (tx) => {
      await lock('exclusive').execute(tx)
      const { rows } = await unnamedOf(hashes).execute(tx)
      for (const { sha256 } of rows) await objects.delete(sha256)
    })

  return {
    deleteUnnamed,
    async dropUnknown(storedBefore: Date, stopping: AbortSignal): Promise<void> {
      for (let page = 0; page < PAGES_PER_SWEEP && !stopping.aborted; page += 1) {
        const { objects: listed, next } = await objects.list({
          limit: OBJECTS_PER_PAGE,
          ...(lastListed === undefined ? {} : { after: lastListed }),
        })
        const old = listed.filter(({ storedAt }) => storedAt <= storedBefore).map(({ sha256 }) => sha256)
        const unknown = (await unnamedOf(old).execute(db)).rows.map(({ sha256 }) => sha256)
        for (let at = 0; at < unknown.length; at += BATCH) await deleteUnnamed(unknown.slice(at, at + BATCH))
        lastListed = next
        if (next === undefined) return
      }
    },
  }
}
