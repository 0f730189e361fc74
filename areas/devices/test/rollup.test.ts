import { createCopyRows } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  dropRemovedSeries,
  findSeries,
  keepPartitions,
  makeRollups,
  readHistory,
} from '../src/rollup.store.ts'
import { BASE_MS, createRollups, DAY_MS, HOUR_MS, numbersOf, resolutionFor } from '../src/rollup.ts'
import { startDevices } from './start.ts'

const SETTINGS = { secondsDays: 7, minutesWeeks: 8, hoursDays: 365, fileDays: 30, ownerBytes: 1 }
const NOW = Date.UTC(2026, 5, 15, 12, 34, 56)

test('[G-80] a second has the least, the greatest, the mean, the last and how many', () => {
  const rollups = createRollups()
  for (const [value, at] of [
    [4, 1_000],
    [1, 1_400],
    [7, 1_999],
    [2, 2_000],
  ] as const)
    rollups.add('a', value, at)
  expect(rollups.takeUntil(2_000)).toEqual([
    { series: 'a', at: 1_000, min: 1, max: 7, mean: 4, last: 7, count: 3 },
  ])
  // A clock that was set back goes on in the second that it was in.
  rollups.add('a', 9, 500)
  expect(rollups.takeUntil(3_000)).toEqual([
    { series: 'a', at: 2_000, min: 2, max: 9, mean: 5.5, last: 9, count: 2 },
  ])
  expect(rollups.takeUntil(9_000)).toEqual([])
})

test('[G-80] numbers are a bare one, or the first 16 of an object', () => {
  expect([...numbersOf(3)]).toEqual([['', 3]])
  expect([...numbersOf({ x: 1, name: 'a', ok: true, y: 2 })]).toEqual([
    ['x', 1],
    ['y', 2],
  ])
  expect([...numbersOf('3')]).toEqual([])
  expect([...numbersOf([1, 2])]).toEqual([])
  expect([...numbersOf(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`m${n}`, n])))]).toHaveLength(
    16,
  )
  expect([...numbersOf({ 'a\tb': 1, 'a\0b': 1, '': 1, fine: 1 })]).toEqual([['fine', 1]])
})

test('[G-82] a time is read at the finest resolution that is there and needs no more points', () => {
  const kept = { secondsMs: 7 * DAY_MS, minutesMs: 56 * DAY_MS }
  const at = (ago: number, range: number, points: number) =>
    resolutionFor({ from: NOW - ago, to: NOW - ago + range, points }, kept, NOW)
  expect(at(60_000, 60_000, 500)).toEqual({ base: 'seconds', stepMs: 1_000 })
  expect(at(HOUR_MS, HOUR_MS, 360)).toMatchObject({ base: 'seconds', stepMs: 10_000 })
  expect(at(8 * DAY_MS, 60_000, 500)).toEqual({ base: 'minutes', stepMs: 60_000 })
  expect(at(DAY_MS, DAY_MS, 2_000).base).toBe('minutes')
  expect(at(60 * DAY_MS, HOUR_MS, 500)).toEqual({ base: 'hours', stepMs: HOUR_MS })
  expect(at(30 * DAY_MS, 30 * DAY_MS, 2_000).base).toBe('hours')
  for (const range of [1, 999, 61_001, HOUR_MS + 7, 30 * DAY_MS + 1])
    for (const points of [1, 7, 2_000]) {
      const { base, stepMs } = at(range, range, points)
      const begin = Math.floor((NOW - range) / BASE_MS[base]) * BASE_MS[base]
      expect(Math.ceil((NOW - begin) / stepMs)).toBeLessThanOrEqual(points)
    }
})

interface Put {
  readonly at: number
  readonly value: number
}

async function putSeconds(
  node: Awaited<ReturnType<typeof startDevices>>,
  id: number,
  seconds: readonly Put[],
) {
  for (const { at, value } of seconds)
    await sql`insert into device_seconds values
      (${id}, ${new Date(at)}::timestamptz, ${value - 1}, ${value + 1}, ${value}, ${value}, 2)`.execute(
      node.db,
    )
}

async function withSeries() {
  const node = await startDevices({ isIdle: true })
  const { device } = await node.add('one')
  const { rows } = await sql<{ id: number }>`select id from devices where name = ${device.name}`.execute(
    node.db,
  )
  const deviceId = rows[0]?.id ?? 0
  const { db } = node
  await keepPartitions(db, new Date(NOW), SETTINGS)
  const [id = 0] = (await findSeries(db, [`${deviceId}\tspeed\t`])).values()
  return { node, db, id, deviceId }
}

test('[G-81] minutes are made of seconds and hours of minutes, once, and what is not made yet is read from the finer ones', async () => {
  const { node, db, id, deviceId } = await withSeries()
  await using _ = node
  const noon = Date.UTC(2026, 5, 15, 12)
  await sql`truncate device_rollups`.execute(db)
  await sql`insert into device_rollups values ('minutes', ${new Date(noon - HOUR_MS)}), ('hours', ${new Date(noon - HOUR_MS)})`.execute(
    db,
  )
  const seconds = Array.from({ length: 7_200 / 30 }, (_each, n) => ({
    at: noon - HOUR_MS + n * 30_000,
    value: n,
  }))
  await putSeconds(node, id, seconds)
  const now = new Date(noon + HOUR_MS / 2)
  await Promise.all([makeRollups(db, now), makeRollups(db, now)])
  await makeRollups(db, now)
  const read = (from: number, to: number, points: number) =>
    readHistory(db, deviceId, { from, to, points, channels: undefined }, SETTINGS, now.getTime())
  const hours = await read(noon - HOUR_MS, noon + HOUR_MS, 2)
  expect(hours.series[0]?.points).toEqual([
    [noon - HOUR_MS, -1, 120, 59.5, 119, 240],
    // Minutes are made until 12:29 and the rest is seconds.
    [noon, 119, 240, 179.5, 239, 240],
  ])
  const { rows } = await sql<{ minutes: number; hours: number }>`
    select (select count(*)::int from device_minutes) as minutes, (select count(*)::int from device_hours) as hours`.execute(
    db,
  )
  expect(rows).toEqual([{ minutes: 89, hours: 1 }])
  const minutes = await read(noon - 120_000, noon, 2)
  expect(minutes).toMatchObject({ stepMs: 60_000, isCut: false })
  expect(minutes.series[0]?.points.map(([at, , , mean]) => [at, mean])).toEqual([
    [noon - 120_000, 116.5],
    [noon - 60_000, 118.5],
  ])
})

test('[G-88] partitions are made ahead, and dropped when their time is over', async () => {
  const { node, db } = await withSeries()
  await using _ = node
  const names = async () => {
    const { rows } = await sql<{ name: string }>`
      select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
      where inhparent = 'device_seconds'::regclass order by 1`.execute(db)
    return rows.map(({ name }) => name).filter((name) => name.includes('_202606'))
  }
  expect(await names()).toEqual([14, 15, 16, 17].map((day) => `device_seconds_202606${day}`))
  await Promise.all([1, 2, 3].map(() => keepPartitions(db, new Date(NOW + 8 * DAY_MS), SETTINGS)))
  expect(await names()).toEqual([16, 17, 22, 23, 24, 25].map((day) => `device_seconds_202606${day}`))
})

test('[G-3] what a removed device has left is deleted', async () => {
  const { node, db, id } = await withSeries()
  await using _ = node
  await putSeconds(node, id, [{ at: NOW, value: 1 }])
  await node.ask('DELETE', 'ada/board/devices/one')
  await dropRemovedSeries(db)
  const { rows } = await sql`select from device_seconds`.execute(db)
  expect(rows).toEqual([])
  expect(await sql`select from device_series`.execute(db)).toMatchObject({ rows: [] })
})

test('[G-89] rows in the format of COPY are what they say', async () => {
  await using node = await startDevices()
  const rows = createCopyRows()
  rows.row(2)
  rows.text('a')
  rows.bigint(2 ** 40 + 5)
  expect(rows.rows).toBe(1)
  await expect(node.copy('device_storage', ['owner', 'bytes'], rows.end())).resolves.toBeUndefined()
  const found = await node.db.selectFrom('device_storage').selectAll().execute()
  expect(found).toEqual([{ owner: 'a', bytes: 2 ** 40 + 5 }])
})
