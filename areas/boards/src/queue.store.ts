import type { BoardJobFault, BoardOperation } from '@patchbay/contracts/boards'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { InputFile, Options } from './job.ts'
import type { LibraryInput } from './library.ts'
import type { BoardsTables, Said } from './tables.ts'

export interface ClaimedJob {
  readonly key: string
  readonly claim: string
  readonly operation: BoardOperation
  readonly options: Options
  readonly file: string
  readonly inputs: readonly InputFile[]
  readonly libraries: readonly LibraryInput[]
  readonly attempts: number
  readonly traceparent: string | null
}

export interface NewResult {
  readonly name: string
  readonly title: string
  readonly mediaType: string
  readonly bytes: number
  readonly sha256: string
}

export interface Answer {
  readonly results: readonly NewResult[]
  readonly notes: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

export interface Fault {
  readonly code: BoardJobFault
  readonly detail: string
}

const after = (now: Date, ms: number) => new Date(now.getTime() + ms)

export const isRunning = (seenAt: Date, now: Date): boolean =>
  seenAt.getTime() > now.getTime() - BOARD_LIMITS.workerSeenMs

/** Of the last jobs so many tell how long one takes. */
const REMEMBERED = 50

/** Says that the worker is there. */
export async function noteWorker(
  db: Db<BoardsTables>,
  worker: { readonly id: string; readonly engine: string; readonly version: string },
  now: Date,
): Promise<void> {
  const { id, engine, version } = worker
  await sql`
    insert into board_workers (id, engine, version, seen_at) values (${id}, ${engine}, ${version}, ${now})
    on conflict (id) do update set engine = excluded.engine, version = excluded.version,
      seen_at = excluded.seen_at`.execute(db)
}

export async function forgetWorker(db: Db<BoardsTables>, id: string): Promise<void> {
  // Its row stays: whoever asks next is told which KiCad ran last.
  await sql`update board_workers set seen_at = seen_at - ${BOARD_LIMITS.workerSeenMs} * interval '1 millisecond'
    where id = ${id}`.execute(db)
}

/** How many wait, since when, and who works. */
export async function readQueue(
  db: Db<BoardsTables>,
  now: Date,
): Promise<{
  readonly queued: number
  readonly running: number
  readonly oldestSeconds: number
  readonly workers: number
}> {
  const { rows } = await sql<{ queued: number; running: number; oldest: Date | null; workers: number }>`
    select count(*) filter (where state = 'queued')::int as queued,
      count(*) filter (where state = 'running')::int as running,
      min(queued_at) filter (where state = 'queued') as oldest,
      (select count(*)::int from board_workers
        where seen_at > ${after(now, -BOARD_LIMITS.workerSeenMs)}::timestamptz) as workers
    from board_jobs where state in ('queued', 'running')`.execute(db)
  const { queued = 0, running = 0, oldest = null, workers = 0 } = rows[0] ?? {}
  const oldestSeconds = oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1_000)
  return { queued, running, oldestSeconds, workers }
}

/**
 * Takes a job, and notes how long the last ones like it took: of the owner of whom the fewest run, what a person waits for before exports, the oldest first. One statement, in
 * which the row is locked: of several workers, one gets it.
 */
export async function claimJob(
  db: Db<BoardsTables>,
  { engine, claim, leaseMs, now }: { engine: string; claim: string; leaseMs: number; now: Date },
): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<ClaimedJob>`
    with running as (
      select owner, count(*) as jobs from board_jobs where state = 'running' group by owner
    ), next as (
      select job.key from board_jobs as job left join running on running.owner = job.owner
      where job.state = 'queued' and job.engine = ${engine}
      order by coalesce(running.jobs, 0), job.priority, job.queued_at, job.key
      limit 1 for update of job skip locked
    )
    update board_jobs as job set state = 'running', attempts = job.attempts + 1, claim = ${claim},
      lease_until = ${after(now, leaseMs)}, started_at = ${now}, progress = null, typical_ms = (
        select coalesce(
          percentile_cont(0.5) within group (order by ms) filter (where is_same),
          percentile_cont(0.5) within group (order by ms))
        from (
          select extract(epoch from done.finished_at - done.started_at) * 1000 as ms,
            done.owner = job.owner and done.file = job.file as is_same
          from board_jobs as done where done.state = 'done' and done.operation = job.operation
          order by done.finished_at desc limit ${REMEMBERED}
        ) as last)::integer
    from next where job.key = next.key
    returning job.key, job.claim, job.operation, job.options, job.file, job.inputs,
      job.libraries, job.attempts, job.traceparent`.execute(db)
  return rows[0]
}

/** What it is doing, while it is its. */
export async function noteProgress(db: Db<BoardsTables>, job: Held, said: Said): Promise<void> {
  await sql`update board_jobs set progress = ${JSON.stringify(said)} where ${held(job)}`.execute(db)
}

type Held = Pick<ClaimedJob, 'key' | 'claim'>

const held = ({ key, claim }: Held) => sql`key = ${key} and claim = ${claim} and state = 'running'`

/** `false`: somebody else has it, or it is over. */
export async function renewLease(db: Db<BoardsTables>, job: Held, leaseUntil: Date): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`update board_jobs set lease_until = ${leaseUntil} where ${held(job)}`.execute(db)
  return numAffectedRows === 1n
}

/** Whether it is still its: nobody else has it, and somebody waits for it. */
export async function isHeld(db: Db<BoardsTables>, job: Held): Promise<boolean> {
  const { rows } = await sql`select from board_jobs where ${held(job)}`.execute(db)
  return rows.length === 1
}

/** What deletes results and what names them wait for each other. */
export const resultsLock = (mode: 'shared' | 'exclusive') =>
  mode === 'shared'
    ? sql`select pg_advisory_xact_lock_shared(hashtextextended('board results', 0))`
    : sql`select pg_advisory_xact_lock(hashtextextended('board results', 0))`

/** Ends the job with what KiCad has given. `false`: it is somebody else's by now, and stays as it is. */
export async function finishJob(
  db: Db<BoardsTables>,
  objects: ObjectStore,
  job: Held,
  { results, notes, counts }: Answer,
  now: Date,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    await resultsLock('shared').execute(tx)
    // The same bytes may have been of a job that was just collected.
    for (const { sha256 } of results)
      if ((await objects.stat(sha256)) === undefined)
        throw new Error('a result was collected while it was noted')
    const { numAffectedRows = 0n } = await sql`
      update board_jobs set state = 'done', claim = null, lease_until = null, notes = ${JSON.stringify(notes)},
        counts = ${JSON.stringify(counts)}, finished_at = ${now}, used_at = ${now}
      where ${held(job)}`.execute(tx)
    if (numAffectedRows !== 1n) return false
    await tx.deleteFrom('board_results').where('key', '=', job.key).execute()
    if (results.length > 0)
      await tx
        .insertInto('board_results')
        .values(
          results.map(({ name, title, mediaType, bytes, sha256 }, position) => ({
            key: job.key,
            name,
            position,
            title,
            media_type: mediaType,
            bytes,
            sha256,
          })),
        )
        .execute()
    return true
  })
}

export async function endJob(
  db: Db<BoardsTables>,
  job: Held,
  state: 'failed' | 'refused',
  { code, detail }: Fault,
  notes: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update board_jobs set state = ${state}, claim = null, lease_until = null, fault_code = ${code},
      fault_detail = ${detail}, notes = ${JSON.stringify(notes)}, finished_at = ${now}
    where ${held(job)}`.execute(db)
}

const KILLED = `It ended KiCad, or the worker, ${BOARD_LIMITS.attempts} times. The file is damaged, or takes more memory than a worker has.`

const AGAIN = (now: Date) => sql`
  state = case when attempts >= ${BOARD_LIMITS.attempts} then 'refused' else 'queued' end,
  fault_code = case when attempts >= ${BOARD_LIMITS.attempts} then 'kicad_killed' end,
  fault_detail = case when attempts >= ${BOARD_LIMITS.attempts} then ${KILLED} end,
  finished_at = case when attempts >= ${BOARD_LIMITS.attempts} then ${now}::timestamptz end,
  queued_at = ${now}, claim = null, lease_until = null`

/** Its attempt came to nothing: it is queued again, or refused after the last one. */
export async function retryJob(db: Db<BoardsTables>, job: Held, now: Date): Promise<void> {
  await sql`update board_jobs set ${AGAIN(now)} where ${held(job)}`.execute(db)
}

/** A worker that ends gives it back, first in its line: nothing was wrong with it. */
export async function giveBackJob(db: Db<BoardsTables>, job: Held): Promise<void> {
  await sql`
    update board_jobs set state = 'queued', attempts = attempts - 1, claim = null, lease_until = null, started_at = null
    where ${held(job)}`.execute(db)
}

const UNCLAIMED = `No worker took it within ${BOARD_LIMITS.queuedMs / 60_000} minutes.`

/** Jobs whose worker is gone, and those that no worker takes. Any node and any worker does it. */
export async function expireJobs(db: Db<BoardsTables>, now: Date): Promise<void> {
  await sql`
    update board_jobs set ${AGAIN(now)} where state = 'running' and lease_until < ${now} and key in (
      select key from board_jobs where state = 'running' and lease_until < ${now}
      limit 100 for update skip locked)`.execute(db)
  await sql`
    update board_jobs set state = 'refused', fault_code = 'no_worker', fault_detail = ${UNCLAIMED},
      finished_at = ${now}
    where state = 'queued' and key in (
      select key from board_jobs where state = 'queued' and queued_at < ${after(now, -BOARD_LIMITS.queuedMs)}
      limit 1000 for update skip locked)`.execute(db)
}
