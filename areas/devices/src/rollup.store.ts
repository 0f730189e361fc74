import type { DeviceHistory, HistoryPoint } from '@patchbay/contracts/devices'
import { RECORDING_LIMITS } from '@patchbay/contracts/limits'
import {
  createCopyRows,
  createPartitions,
  type Db,
  dropPartitions,
  inTransaction,
} from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { DevicesDeps, RecordingSettings } from './deps.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Rollup, resolutionFor, seriesOf } from './rollup.ts'
import type { DevicesTables } from './tables.ts'

type Tables = Db<DevicesTables>

const PARTITIONS = [
  { table: 'device_seconds', days: 1 },
  { table: 'device_minutes', days: 7 },
  { table: 'device_hours', days: 28 },
] as const
/** Longer than any outage of the database that a release lasts, shorter than what an operator does not notice. */
const AHEAD_MS = 2 * DAY_MS
const COLUMNS = ['series_id', 'at', 'min', 'max', 'mean', 'last', 'count'] as const
/** Seconds that come later than this are in no minute: a node gives up what it could not store before. */
export const LATEST_MS = MINUTE_MS
const STEPS_AT_ONCE = 48

/** Partitions of what is coming are made, and those of what is no longer kept are dropped. */
export async function keepPartitions(db: Tables, now: Date, settings: RecordingSettings): Promise<void> {
  const until = new Date(now.getTime() + AHEAD_MS)
  const keptDays = {
    device_seconds: settings.secondsDays,
    device_minutes: settings.minutesWeeks * 7,
    device_hours: settings.hoursDays,
  }
  for (const partitioning of PARTITIONS) {
    // Minutes and hours are made after their time.
    await createPartitions(db, partitioning, new Date(now.getTime() - DAY_MS), until)
    await dropPartitions(db, partitioning, new Date(now.getTime() - keptDays[partitioning.table] * DAY_MS))
  }
}

/** The ids of lines of numbers, which are made where there are none. */
export async function findSeries(db: Tables, keys: readonly string[]): Promise<Map<string, number>> {
  const wanted = keys.map(seriesOf)
  const lists = sql`unnest(${wanted.map(({ device }) => device)}::bigint[],
    ${wanted.map(({ channel }) => channel)}::text[], ${wanted.map(({ member }) => member)}::text[])`
  await sql`
    insert into device_series (device_id, channel, member)
    select wanted.* from ${lists} as wanted (device_id, channel, member)
    join devices on devices.id = wanted.device_id
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ id: number; device: number; channel: string; member: string }>`
    select series.id, series.device_id as device, series.channel, series.member
    from ${lists} as wanted (device_id, channel, member)
    join device_series as series using (device_id, channel, member)`.execute(db)
  return new Map(rows.map(({ id, device, channel, member }) => [`${device}\t${channel}\t${member}`, id]))
}

export async function storeRollups(
  copy: DevicesDeps['copy'],
  rollups: readonly Rollup[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = createCopyRows()
  for (const { series, at, min, max, mean, last, count } of rollups) {
    const id = ids.get(series)
    if (id === undefined) continue
    rows.row(COLUMNS.length)
    rows.bigint(id)
    rows.time(at)
    rows.double(min)
    rows.double(max)
    rows.double(mean)
    rows.double(last)
    rows.integer(count)
  }
  if (rows.rows > 0) await copy('device_seconds', COLUMNS, rows.end())
}

const STEPS = {
  minutes: { from: 'device_seconds', to: 'device_minutes', unitMs: MINUTE_MS, atOnceMs: HOUR_MS },
  hours: { from: 'device_minutes', to: 'device_hours', unitMs: HOUR_MS, atOnceMs: DAY_MS },
} as const

/** Minutes of seconds, then hours of minutes, on whichever node comes first. */
export async function makeRollups(db: Tables, now: Date): Promise<void> {
  const latest = now.getTime() - LATEST_MS
  for (const resolution of ['minutes', 'hours'] as const) {
    const limit = resolution === 'minutes' ? latest : ((await untilOf(db, 'minutes')) ?? latest)
    for (let step = 0; step < STEPS_AT_ONCE; step += 1)
      if (!(await makeStep(db, resolution, Math.min(latest, limit)))) break
  }
}

async function untilOf(db: Tables, resolution: keyof typeof STEPS): Promise<number | undefined> {
  const row = await db
    .selectFrom('device_rollups')
    .select('until')
    .where('resolution', '=', resolution)
    .executeTakeFirst()
  return row?.until.getTime()
}

/** Answers whether there may be more to do. */
async function makeStep(db: Tables, resolution: keyof typeof STEPS, limit: number): Promise<boolean> {
  const { from, to, unitMs, atOnceMs } = STEPS[resolution]
  const end = Math.floor(limit / unitMs) * unitMs
  return await inTransaction(db, async (tx) => {
    await tx
      .insertInto('device_rollups')
      .values({ resolution, until: new Date(end - unitMs) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { rows } = await sql<{ until: Date }>`
      select until from device_rollups where resolution = ${resolution} for update skip locked`.execute(tx)
    const begin = rows[0]?.until.getTime()
    if (begin === undefined || begin >= end) return false
    const until = Math.min(begin + atOnceMs, end)
    await sql`
      insert into ${sql.table(to)} (series_id, at, min, max, mean, last, count)
      select series_id, date_bin(make_interval(secs => ${unitMs / 1000}), at, 'epoch') as unit,
        min(min), max(max), sum(mean * count) / sum(count), (array_agg(last order by at desc))[1], sum(count)
      from ${sql.table(from)}
      where at >= ${new Date(begin)}::timestamptz and at < ${new Date(until)}::timestamptz
      group by series_id, unit`.execute(tx)
    await tx
      .updateTable('device_rollups')
      .set({ until: new Date(until) })
      .where('resolution', '=', resolution)
      .execute()
    return until < end
  })
}

export interface HistoryWish {
  readonly from: number
  readonly to: number
  readonly points: number
  /** All unless given. */
  readonly channels: readonly string[] | undefined
}

export async function readHistory(
  db: Tables,
  device: number,
  wish: HistoryWish,
  { secondsDays, minutesWeeks }: RecordingSettings,
  now: number,
): Promise<DeviceHistory> {
  let query = db
    .selectFrom('device_series')
    .select(['id', 'channel', 'member'])
    .where('device_id', '=', device)
  if (wish.channels !== undefined) query = query.where('channel', 'in', wish.channels)
  const found = await query
    .orderBy('channel')
    .orderBy('member')
    .limit(RECORDING_LIMITS.seriesAtOnce + 1)
    .execute()
  const series = found.slice(0, RECORDING_LIMITS.seriesAtOnce)
  const keptFor = { secondsMs: secondsDays * DAY_MS, minutesMs: minutesWeeks * 7 * DAY_MS }
  const { base, stepMs } = resolutionFor(wish, keptFor, now)
  const points = await readPoints(
    db,
    series.map(({ id }) => id),
    { ...wish, base, stepMs },
  )
  return {
    stepMs,
    series: series.map(({ id, channel, member }) => ({
      channel,
      member: member === '' ? null : member,
      points: points.get(id) ?? [],
    })),
    isCut: found.length > series.length,
  }
}

async function readPoints(
  db: Tables,
  ids: readonly number[],
  { from, to, base, stepMs }: HistoryWish & ReturnType<typeof resolutionFor>,
): Promise<Map<number, HistoryPoint[]>> {
  if (ids.length === 0) return new Map()
  const minutesUntil = base === 'seconds' ? 0 : ((await untilOf(db, 'minutes')) ?? 0)
  const hoursUntil = base === 'hours' ? ((await untilOf(db, 'hours')) ?? 0) : 0
  const unitMs = base === 'seconds' ? 1_000 : base === 'minutes' ? MINUTE_MS : HOUR_MS
  const begin = Math.floor(from / unitMs) * unitMs
  // Where the coarser one is not made yet, the finer one has it.
  const part = (table: string, after: number, until: number) => sql`
    select series_id, at, min, max, mean, last, count from ${sql.table(table)}
    where series_id = any(${[...ids]}::bigint[])
      and at >= ${new Date(Math.max(begin, after))}::timestamptz and at < ${new Date(Math.min(to, until))}::timestamptz`
  const { rows } = await sql<
    { id: number } & Record<'at' | 'min' | 'max' | 'mean' | 'last' | 'count', number>
  >`
    select series_id as id,
      (floor((extract(epoch from at) * 1000 - ${begin}) / ${stepMs}) * ${stepMs} + ${begin})::bigint as at,
      min(min) as min, max(max) as max, sum(mean * count) / sum(count) as mean,
      (array_agg(last order by point.at desc))[1] as last, sum(count)::bigint as count
    from (
      ${part('device_hours', 0, hoursUntil)}
      union all ${part('device_minutes', hoursUntil, Math.max(hoursUntil, minutesUntil))}
      union all ${part('device_seconds', Math.max(hoursUntil, minutesUntil), Number.MAX_SAFE_INTEGER)}
    ) as point
    group by 1, 2 order by 2`.execute(db)
  const points = new Map<number, HistoryPoint[]>()
  for (const { id, at, min, max, mean, last, count } of rows) {
    const known = points.get(id) ?? []
    points.set(id, known)
    known.push([at, min, max, mean, last, count])
  }
  return points
}

const DELETED_AT_ONCE = 5_000
const MOST_STEPS = 100

/** What devices that were removed have left. */
export async function dropRemovedSeries(db: Tables): Promise<void> {
  const { rows: removed } = await sql<{ id: number }>`
    select id from device_series where device_id is null order by id limit 100`.execute(db)
  const ids = removed.map(({ id }) => id)
  if (ids.length === 0) return
  for (const { table } of PARTITIONS) {
    for (let step = 0; ; step += 1) {
      // The rest waits for the next time, and so do their names.
      if (step === MOST_STEPS) return
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where (tableoid, ctid) in (
          select tableoid, ctid from ${sql.table(table)}
          where series_id = any(${ids}::bigint[]) limit ${DELETED_AT_ONCE})`.execute(db)
      if (numAffectedRows < BigInt(DELETED_AT_ONCE)) break
    }
  }
  await sql`delete from device_series where id = any(${ids}::bigint[])`.execute(db)
}
