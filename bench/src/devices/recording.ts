import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecorder, type DevicesTables, devicesMigrations, writeDueFiles } from '@patchbay/devices'
import { createLog } from '@patchbay/kernel/log'
import { createFileObjects } from '@patchbay/kernel/objects'
import { collectMigrations, createDatabase, kernelMigrations, migrate } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { inTurns, type Rounds } from '../report.ts'
import { type Database, startDatabase } from '../server.ts'
import { copyRows, insertRows, makeBareTable, type Sent, writeMcap } from './bare-recording.ts'

export interface RecordingSizes {
  readonly devices: number
  readonly channels: number
  /** Of which each brings one value of every channel. */
  readonly seconds: number
  readonly rounds: number
}

export const NUMBERS = ['copy', 'unnest', 'recorder'] as const
export const VALUES = ['writer', 'recorder'] as const

export interface RecordingFigures {
  /** Rows a second. */
  readonly numbers: Rounds<(typeof NUMBERS)[number], number>
  /** Values a second. */
  readonly values: Rounds<(typeof VALUES)[number], number>
}

export async function measureRecording(sizes: RecordingSizes): Promise<RecordingFigures> {
  await using database = await startDatabase()
  await prepare(database, sizes)
  return {
    numbers: await inTurns(NUMBERS, sizes.rounds, (side) =>
      side === 'recorder' ? keepNumbers(database, sizes) : storeRows(database, sizes, side),
    ),
    values: await inTurns(VALUES, sizes.rounds, (side) =>
      side === 'recorder' ? recordValues(database, sizes) : writeValues(sizes),
    ),
  }
}

async function prepare({ url, client }: Database, { devices }: RecordingSizes): Promise<void> {
  await client.query('create table workspaces (owner text, repo text, primary key (owner, repo))')
  await migrate({ url, migrations: await collectMigrations([kernelMigrations, devicesMigrations]) })
  await client.query("insert into workspaces values ('ada', 'board')")
  await client.query(
    `insert into devices (username, key_hash, owner, repo, name, title, channels, actor_kind, actor_name, actor_handle, created_at)
     select 'u' || n, 'h' || n, 'ada', 'board', 'd' || n, 'd', '[]', 'browser', 'ada', 'ada', now() from generate_series(1, $1) as n`,
    [devices],
  )
}

/** The same for everybody, and different from value to value, as measurements are. */
const valueOf = (n: number) => Math.round(Math.sin(n * 0.37) * 1e6) / 1e4

function* valuesOf({ devices, channels }: RecordingSizes, at: number): Generator<Sent> {
  for (let n = 0; n < devices * channels; n += 1) yield { series: n, at, value: valueOf(n + at / 1_000) }
}

/** What is stored must be there, or it was no recording. */
export function requireAll(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`)
}

async function storeRows(
  { client }: Database,
  sizes: RecordingSizes,
  side: 'copy' | 'unnest',
): Promise<number> {
  const { devices, channels, seconds } = sizes
  await makeBareTable(client)
  const begin = Date.now()
  const store = side === 'copy' ? copyRows : insertRows
  const started = performance.now()
  for (let second = 0; second < seconds; second += 1)
    await store(client, [...valuesOf(sizes, begin + second * 1_000)])
  const elapsed = performance.now() - started
  const { rows } = await client.query('select count(*)::int as count from bare_seconds')
  requireAll(side, rows[0].count, devices * channels * seconds)
  return ((devices * channels * seconds) / elapsed) * 1_000
}

/** A recorder whose clock the measurement moves. */
async function startRecorder({ url, client }: Database) {
  await using starting = new AsyncDisposableStack()
  await client.query(
    'truncate device_seconds, device_chunks, device_recorder_runs, device_recordings, device_storage',
  )
  const log = createLog({ level: 'silent', process: 'server' })
  const database = starting.use(
    createDatabase<DevicesTables>({ url, poolSize: 4, applicationName: 'bench', statementTimeoutMs: 60_000 }),
  )
  const root = await mkdtemp(join(tmpdir(), 'patchbay-bench-recordings-'))
  starting.defer(() => rm(root, { recursive: true, force: true }))
  const recordings = await createFileObjects({ root })
  // The begin of a second, so that each one is whole.
  const time = { now: Math.ceil(Date.now() / 1_000) * 1_000 }
  const clock = { now: () => new Date(time.now) }
  const { db } = database
  const recording = { secondsDays: 7, minutesWeeks: 8, hoursDays: 365, fileDays: 30, ownerBytes: 1024 ** 4 }
  const recorder = createRecorder({
    db,
    copy: database.copy,
    clock,
    log,
    node: 'bench',
    broker: { isUp: true },
    settings: { recording },
  })
  let secrets = 0
  const files = { db, recordings, clock, log, createSecret: () => `secret-${(secrets += 1)}` }
  const running = starting.move()
  return { recorder, files, time, db, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function hearSeconds(
  { recorder, time }: Awaited<ReturnType<typeof startRecorder>>,
  sizes: RecordingSizes,
  ids: readonly number[],
  seconds: number,
): Promise<void> {
  const names = Array.from({ length: sizes.channels }, (_each, n) => `c${n}`)
  for (let second = 0; second < seconds; second += 1) {
    for (const { series, at, value } of valuesOf(sizes, time.now)) {
      const device = ids[Math.floor(series / sizes.channels)] ?? 0
      recorder.hear({ device, channel: names[series % sizes.channels] ?? '', value, at })
    }
    time.now += 1_000
    await recorder.flush()
  }
}

async function idsOf({ client }: Database): Promise<number[]> {
  const { rows } = await client.query<{ id: string }>('select id from devices order by id')
  return rows.map(({ id }) => Number(id))
}

async function keepNumbers(database: Database, sizes: RecordingSizes): Promise<number> {
  const { devices, channels, seconds } = sizes
  await database.client.query('delete from device_recorders')
  await using rig = await startRecorder(database)
  const ids = await idsOf(database)
  // The names of what is measured are made once in the life of a device.
  await hearSeconds(rig, sizes, ids, 1)
  const started = performance.now()
  await hearSeconds(rig, sizes, ids, seconds)
  const elapsed = performance.now() - started
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from device_seconds`.execute(
    rig.db,
  )
  requireAll('recorder', rows[0]?.count ?? 0, devices * channels * (seconds + 1))
  return ((devices * channels * seconds) / elapsed) * 1_000
}

/** Ten values of each channel in a second: what makes values more than numbers. */
const RATE = 10

async function recordValues(database: Database, sizes: RecordingSizes): Promise<number> {
  const { devices, channels, seconds } = sizes
  await database.client.query(
    `insert into device_recorders values ('ada', 'board', now(), 'browser', 'ada', 'ada') on conflict do nothing`,
  )
  await using rig = await startRecorder(database)
  const { recorder, time } = rig
  const ids = await idsOf(database)
  await recorder.flush()
  const names = Array.from({ length: channels }, (_each, n) => `c${n}`)
  const started = performance.now()
  for (let second = 0; second < seconds; second += 1) {
    for (let part = 0; part < RATE; part += 1) {
      for (const { series, at, value } of valuesOf(sizes, time.now)) {
        const device = ids[Math.floor(series / channels)] ?? 0
        recorder.hear({ device, channel: names[series % channels] ?? '', value, at })
      }
      time.now += 1_000 / RATE
    }
    await recorder.flush()
  }
  await recorder.stop()
  await writeDueFiles(rig.files, { run: undefined, reachedSince: undefined })
  const elapsed = performance.now() - started
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(messages), 0)::int as count from device_recordings`.execute(rig.db)
  requireAll('recorder', rows[0]?.count ?? 0, devices * channels * seconds * RATE)
  return ((devices * channels * seconds * RATE) / elapsed) * 1_000
}

async function writeValues(sizes: RecordingSizes): Promise<number> {
  const { devices, channels, seconds } = sizes
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-mcap-'))
  const begin = Date.now()
  function* all(): Generator<Sent> {
    for (let part = 0; part < seconds * RATE; part += 1) yield* valuesOf(sizes, begin + part * 100)
  }
  try {
    const started = performance.now()
    const written = await writeMcap(join(folder, 'all.mcap'), channels, all())
    const elapsed = performance.now() - started
    requireAll('writer', written, devices * channels * seconds * RATE)
    return (written / elapsed) * 1_000
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
