import {
  BOARDS_PATH,
  type BoardEngine,
  type BoardJob,
  type BoardJobProgress,
} from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { priorityOf, type Question } from './job.ts'
import { isRunning } from './queue.store.ts'
import type { BoardsTables, Said } from './tables.ts'

export interface Ask {
  readonly at: WorkspaceRef
  /** The handle of whoever asks. */
  readonly by: string
  readonly key: string
  readonly engine: string
  readonly question: Question
  /** What was named, and the revision of the workspace's files. */
  readonly path: string
  readonly revision: number
  readonly isRetry: boolean
  readonly now: Date
  /** Of the request, if it is traced: the worker goes on with it. */
  readonly traceparent: string | null
}

/** What has become of these says nothing of the files. */
const NOT_ABOUT_THE_FILES = ['inputs_gone', 'no_worker', 'withdrawn']

/** Notes that a workspace has asked, and queues the job unless it is known. */
export async function askJob(db: Db<BoardsTables>, ask: Ask): Promise<'known' | 'queued'> {
  const outcome = await inTransaction(db, async (tx) => {
    // It is newer for whoever would delete it just now: they look again, and leave it.
    const known = await tx
      .updateTable('board_jobs')
      .set({ used_at: ask.now })
      .where('key', '=', ask.key)
      .returning(['state', 'fault_code as fault'])
      .executeTakeFirst()
    const isOver = known?.state === 'failed' || known?.state === 'refused'
    const isAgain = isOver && (ask.isRetry || NOT_ABOUT_THE_FILES.includes(known.fault ?? ''))
    if (known === undefined || isAgain) await queue(tx, ask)
    await noteAsk(tx, ask)
    return known === undefined || isAgain ? 'queued' : 'known'
  }).catch((error: unknown) => {
    // The workspace went meanwhile.
    throw isMissingWorkspace(error) ? new Problem('workspace_not_found') : error
  })
  return outcome
}

async function queue(
  tx: Db<BoardsTables>,
  { at, key, engine, question, now, traceparent }: Ask,
): Promise<void> {
  const { owner } = at
  await sql`select pg_advisory_xact_lock(hashtextextended(${`board jobs of ${owner}`}, 0))`.execute(tx)
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from board_jobs
    where owner = ${owner} and state in ('queued', 'running')`.execute(tx)
  if ((rows[0]?.open ?? 0) >= BOARD_LIMITS.queuedPerOwner)
    throw new Problem('too_many_jobs', {
      detail: `${owner} has ${BOARD_LIMITS.queuedPerOwner} jobs that wait or run. Wait for one to end.`,
    })
  const { operation, options, file, inputs, libraries } = question
  await sql`
    insert into board_jobs as job (key, engine, operation, options, file, inputs, priority, owner, state, created_at,
      queued_at, used_at, libraries, traceparent)
    values (${key}, ${engine}, ${operation}, ${JSON.stringify(options)}, ${file}, ${JSON.stringify(inputs)},
      ${priorityOf(operation)}, ${owner}, 'queued', ${now}, ${now}, ${now}, ${JSON.stringify(libraries)}, ${traceparent})
    on conflict (key) do update set owner = excluded.owner, inputs = excluded.inputs, state = 'queued', attempts = 0,
      claim = null, lease_until = null, fault_code = null, fault_detail = null, notes = '[]', counts = '{}',
      queued_at = excluded.queued_at, started_at = null, finished_at = null, traceparent = excluded.traceparent
    where job.state in ('failed', 'refused')`.execute(tx)
  // Those who asked before have got their answer.
  await sql`update board_asks set askers = '{}' where key = ${key}`.execute(tx)
}

/** A workspace remembers so many, and who waits. */
async function noteAsk(tx: Db<BoardsTables>, { at, by, key, path, revision, now }: Ask): Promise<void> {
  const { owner, repo } = at
  await sql`
    insert into board_asks as ask (owner, repo, key, path, revision, asked_at, askers)
    values (${owner}, ${repo}, ${key}, ${path}, ${revision}, ${now}, ${[by]})
    on conflict (owner, repo, key) do update set path = excluded.path, revision = excluded.revision,
      asked_at = excluded.asked_at, askers = case
        when ${by} = any(ask.askers) then ask.askers
        when cardinality(ask.askers) < ${BOARD_LIMITS.askers} then ask.askers || excluded.askers
      end`.execute(tx)
  await sql`
    delete from board_asks where owner = ${owner} and repo = ${repo} and (asked_at, key) <= (
      select asked_at, key from board_asks where owner = ${owner} and repo = ${repo}
      order by asked_at desc, key desc offset ${BOARD_LIMITS.jobsPerWorkspace} limit 1)`.execute(tx)
}

const WITHDRAWN = 'Nobody waits for it any more. Ask again to have it computed.'

/**
 * Somebody no longer waits for a job; the last one ends it. Its row is locked first: of two who leave at once, the second sees that the first has
 * left, and whoever asks at the same moment comes before this or finds it ended.
 */
export async function withdrawJob(
  db: Db<BoardsTables>,
  { owner, repo }: WorkspaceRef,
  key: string,
  by: string,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const open = await sql`
      select from board_jobs where key = ${key} and state in ('queued', 'running') for update`.execute(tx)
    if (open.rows.length === 0) return
    const left = await sql`
      update board_asks set askers = array_remove(askers, ${by})
      where owner = ${owner} and repo = ${repo} and key = ${key} and ${by} = any(askers)`.execute(tx)
    if (left.numAffectedRows !== 1n) return
    await sql`
      update board_jobs set state = 'refused', fault_code = 'withdrawn', fault_detail = ${WITHDRAWN}, claim = null,
        lease_until = null, finished_at = ${now}
      where key = ${key} and state in ('queued', 'running') and not exists (
        select from board_asks where key = ${key} and (askers is null or cardinality(askers) > 0))`.execute(
      tx,
    )
  })
}

function isMissingWorkspace(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return [error, cause].some((each) => (each as { code?: string } | undefined)?.code === '23503')
}

interface JobRow {
  readonly key: string
  readonly engine: string
  readonly operation: BoardJob['operation']
  readonly options: Readonly<Record<string, unknown>>
  readonly inputs: number
  readonly state: BoardJob['state']
  readonly attempts: number
  readonly fault_code: NonNullable<BoardJob['fault']>['code'] | null
  readonly fault_detail: string | null
  readonly notes: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly progress: Said | null
  readonly typical_ms: number | null
  readonly path: string
  readonly revision: number
  readonly asked_at: Date
  readonly results: readonly {
    readonly name: string
    readonly title: string
    readonly mediaType: string
    readonly bytes: number
    readonly sha256: string
  }[]
}

const COLUMNS = sql`
  job.key, job.engine, job.operation, job.options, jsonb_array_length(job.inputs) as inputs, job.state, job.attempts,
  job.fault_code, job.fault_detail, job.notes, job.counts, job.created_at, job.started_at, job.finished_at,
  job.progress, job.typical_ms, ask.path, ask.revision, ask.asked_at, coalesce((
    select jsonb_agg(jsonb_build_object('name', name, 'title', title, 'mediaType', media_type, 'bytes', bytes,
      'sha256', sha256) order by position)
    from board_results as result where result.key = job.key), '[]') as results`

function present(row: JobRow, { owner, repo }: WorkspaceRef, now: Date): BoardJob {
  const base = `${BOARDS_PATH.replace('{owner}', owner).replace('{repo}', repo)}/jobs/${row.key}`
  return {
    id: row.key,
    operation: row.operation,
    options: row.options,
    path: row.path,
    revision: row.revision,
    inputs: row.inputs,
    engine: row.engine,
    state: row.state,
    fault: row.fault_code === null ? null : { code: row.fault_code, detail: row.fault_detail ?? '' },
    attempts: row.attempts,
    notes: [...row.notes],
    counts: row.counts,
    results: row.results.map((result) => ({ ...result, href: `${base}/results/${result.name}` })),
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    ...(row.state === 'running' && row.started_at !== null
      ? { progress: progressOf(row, now.getTime() - row.started_at.getTime()) }
      : {}),
  }
}

/** Whatever it usually takes, what has not ended is not done. */
const MOST_PERCENT = 99

function progressOf({ progress, typical_ms: typicalMs }: JobRow, sinceMs: number): BoardJobProgress {
  const elapsedMs = Math.max(0, sinceMs)
  const percent =
    typicalMs === null || typicalMs === 0
      ? null
      : Math.min(MOST_PERCENT, Math.floor((elapsedMs / typicalMs) * 100))
  return { step: progress?.step ?? 'reading', said: progress?.said ?? null, elapsedMs, typicalMs, percent }
}

/** `undefined`: the workspace has never asked for it, or it is no longer kept. */
export async function findJob(
  db: Db<BoardsTables>,
  at: WorkspaceRef,
  key: string,
  now: Date,
): Promise<BoardJob | undefined> {
  const { rows } = await sql<JobRow>`
    select ${COLUMNS} from board_asks as ask join board_jobs as job using (key)
    where ask.owner = ${at.owner} and ask.repo = ${at.repo} and ask.key = ${key}`.execute(db)
  return rows.map((row) => present(row, at, now))[0]
}

export interface JobPage {
  readonly items: readonly BoardJob[]
  readonly next: string | null
}

/** The last asked for first. */
export async function listJobs(
  db: Db<BoardsTables>,
  at: WorkspaceRef,
  path: string | undefined,
  {
    after,
    limit,
    now,
  }: {
    readonly after: { readonly at: Date; readonly key: string } | undefined
    readonly limit: number
    readonly now: Date
  },
): Promise<JobPage> {
  const { rows } = await sql<JobRow>`
    select ${COLUMNS} from board_asks as ask join board_jobs as job using (key)
    where ask.owner = ${at.owner} and ask.repo = ${at.repo}
      ${path === undefined ? sql`` : sql`and ask.path = ${path}`}
      ${after === undefined ? sql`` : sql`and (ask.asked_at, ask.key) < (${after.at}::timestamptz, ${after.key})`}
    order by ask.asked_at desc, ask.key desc limit ${limit + 1}`.execute(db)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => present(row, at, now)),
    next: rows.length > limit && last !== undefined ? `${last.asked_at.getTime()}.${last.key}` : null,
  }
}

const USED_MS = 60 * 60_000

/** That somebody reads it, once an hour. */
export async function noteUse(db: Db<BoardsTables>, key: string, now: Date): Promise<void> {
  await db
    .updateTable('board_jobs')
    .set({ used_at: now })
    .where('key', '=', key)
    .where('used_at', '<', new Date(now.getTime() - USED_MS))
    .execute()
}

/** Its bytes are gone: whoever asks the next time has it computed again. */
export async function forgetJob(db: Db<BoardsTables>, key: string): Promise<void> {
  await db.deleteFrom('board_jobs').where('key', '=', key).execute()
}

export interface Engine {
  readonly workers: number
  /** What names it in a job: the version of KiCad, and what stands for its libraries. */
  readonly engine: string | null
  readonly version: string | null
  readonly seenAt: Date | null
}

/** The newest KiCad that runs, or the one that ran last. */
export async function findEngine(db: Db<BoardsTables>, now: Date): Promise<Engine> {
  const { rows } = await sql<{ engine: string; version: string; seen_at: Date }>`
    select engine, version, seen_at from board_workers order by seen_at desc limit 1000`.execute(db)
  const running = rows.filter(({ seen_at: seenAt }) => isRunning(seenAt, now))
  const newest = running.toSorted((one, other) => compareVersions(other, one))[0] ?? rows[0]
  return {
    workers: running.length,
    engine: newest?.engine ?? null,
    version: newest?.version ?? null,
    seenAt: rows[0]?.seen_at ?? null,
  }
}

function compareVersions(
  one: { readonly version: string; readonly engine: string },
  other: { readonly version: string; readonly engine: string },
): number {
  const order = one.version.localeCompare(other.version, 'en', { numeric: true })
  return order === 0 ? one.engine.localeCompare(other.engine) : order
}

const HINT =
  'KiCad works on schematics and boards in a worker beside the server. Install KiCad 9 (with kicad-symbols and kicad-footprints) and bubblewrap on a machine that reaches the database and the object store, and run "patchbay worker" there.'

export function presentEngine({ workers, version, seenAt }: Engine): BoardEngine {
  return {
    isRunning: workers > 0,
    workers,
    version,
    seenAt: seenAt?.toISOString() ?? null,
    hint: workers > 0 ? null : HINT,
  }
}

/** Of these jobs, those that have ended or are gone. */
export async function findEnded(db: Db<BoardsTables>, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select asked.key from unnest(${keys}::text[]) as asked (key)
    where not exists (
      select from board_jobs as job where job.key = asked.key and job.state in ('queued', 'running'))`.execute(
    db,
  )
  return rows.map(({ key }) => key)
}
