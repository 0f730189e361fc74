import { Readable } from 'node:stream'
import { Problem } from '@patchbay/contracts/core'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  createCopyRows,
  createPartitions,
  type DatabaseDump,
  dropPartitions,
  dumpDatabase,
  isUniqueViolation,
  restoreDatabase,
} from '../../src/postgres/index.ts'
import { connect, emptyDatabase, kernelDatabase, outcomeOf } from './open-database.ts'

const COLUMNS = ['id', 'n', 'x', 'at', 'name', 'data', 'bytes']
const CREATE = sql`
  create table things (
    id bigint primary key, n integer, x double precision, at timestamptz, name text, data jsonb, bytes bytea)`

test('[K-453] rows come back as they went', async () => {
  await using empty = await emptyDatabase()
  await using database = connect<{ things: Record<string, unknown> }>(empty.url)
  await CREATE.execute(database.db)
  const rows = createCopyRows()
  const ids = [0, 1, -1, 2 ** 32, -(2 ** 32) - 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
  const at = new Date('2026-03-29T01:30:00.001Z')
  for (const id of ids) {
    rows.row(COLUMNS.length)
    rows.bigint(id)
    rows.integer(-2_147_483_648)
    rows.double(-0.1)
    rows.time(at.getTime())
    rows.text('"\t\\.\n€')
    rows.json({ a: [1, null] })
    rows.binary(Buffer.from([0, 255]))
  }
  rows.row(COLUMNS.length)
  rows.bigint(5)
  for (let column = 1; column < COLUMNS.length; column += 1) rows.none()
  await database.copy('things', COLUMNS, rows.end())
  const found = await database.db.selectFrom('things').selectAll().orderBy('id').execute()
  expect(found.map(({ id }) => id)).toEqual([...ids, 5].toSorted((a, b) => a - b))
  expect(found[0]).toEqual({
    id: Number.MIN_SAFE_INTEGER,
    n: -2_147_483_648,
    x: -0.1,
    at,
    name: '"\t\\.\n€',
    data: { a: [1, null] },
    bytes: Buffer.from([0, 255]),
  })
  expect(found.find(({ id }) => id === 5)).toMatchObject({ name: null, bytes: null })
})

test('[K-453] all rows or none: one that is refused takes the others with it, and the connection goes on', async () => {
  await using empty = await emptyDatabase()
  await using database = connect<{ things: Record<string, unknown> }>(empty.url, { poolSize: 1 })
  await CREATE.execute(database.db)
  const twice = createCopyRows()
  for (let n = 0; n < 2; n += 1) {
    twice.row(1)
    twice.bigint(7)
  }
  const { error } = await outcomeOf(() => database.copy('things', ['id'], twice.end()))
  expect(isUniqueViolation(error)).toBe(true)
  expect(await database.db.selectFrom('things').selectAll().execute()).toEqual([])
})

test('[K-453] a database that is away is `database_unavailable`', async () => {
  await using database = connect('postgres://nobody@127.0.0.1:1/nothing')
  const { error } = await outcomeOf(() => database.copy('things', ['id'], createCopyRows().end()))
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ code: 'database_unavailable' })
})

const PARTITIONED = sql`create table seconds (at timestamptz not null, n integer) partition by range (at)`
const DAY = { table: 'seconds', days: 1 }
const day = (n: number) => new Date(Date.UTC(2026, 5, n, 12))

test('[K-454] partitions are made once by several at once, and dropped when their time is over', async () => {
  await using empty = await emptyDatabase()
  await using database = connect<{ seconds: Record<string, unknown> }>(empty.url, { poolSize: 4 })
  await PARTITIONED.execute(database.db)
  await Promise.all([1, 2, 3].map(() => createPartitions(database.db, DAY, day(1), day(3))))
  for (const n of [1, 2, 3]) await sql`insert into seconds values (${day(n)}, ${n})`.execute(database.db)
  expect(await dropPartitions(database.db, DAY, new Date(Date.UTC(2026, 5, 3)))).toBe(2)
  const { rows } = await sql`select n from seconds`.execute(database.db)
  expect(rows).toEqual([{ n: 3 }])
  expect(await dropPartitions(database.db, DAY, new Date(Date.UTC(2026, 5, 3)))).toBe(0)
})

async function dumped(): Promise<{ dump: DatabaseDump; tables: Map<string, string> }> {
  await using empty = await kernelDatabase()
  await using database = connect<{ seconds: Record<string, unknown> }>(empty.url)
  await PARTITIONED.execute(database.db)
  await createPartitions(database.db, DAY, day(1), day(2))
  for (const n of [1, 2]) await sql`insert into seconds values (${day(n)}, ${n})`.execute(database.db)
  const tables = new Map<string, string>()
  const dump = await dumpDatabase(empty.url, async (table, rows: Readable) => {
    tables.set(table, Buffer.concat(await rows.toArray()).toString())
  })
  return { dump, tables }
}

test('[K-455] a dump holds the rows of partitions, and restoring it makes them', async () => {
  const { dump, tables } = await dumped()
  await using empty = await kernelDatabase()
  await using database = connect<{ seconds: Record<string, unknown> }>(empty.url)
  await PARTITIONED.execute(database.db)
  await restoreDatabase(empty.url, dump, (table) => Readable.from([tables.get(table) ?? '']))
  const { rows } = await sql`select n from seconds order by n`.execute(database.db)
  expect(rows).toEqual([{ n: 1 }, { n: 2 }])
})

test('[K-455] a dump that was changed brings in no other statement', async () => {
  const { dump, tables } = await dumped()
  const [partition] = dump.partitions ?? []
  if (partition === undefined) throw new Error('no partition')
  await using empty = await kernelDatabase()
  await using database = connect<{ seconds: Record<string, unknown> }>(empty.url)
  await PARTITIONED.execute(database.db)
  for (const change of [
    { name: 'a; drop table seconds' },
    { table: 'seconds"' },
    { from: "2026-01-01'); drop table seconds; --" },
  ]) {
    const changed = { ...dump, partitions: [{ ...partition, ...change }] }
    const { error } = await outcomeOf(() =>
      restoreDatabase(empty.url, changed, (table) => Readable.from([tables.get(table) ?? ''])),
    )
    expect(String(error)).toContain('partition of the backup')
  }
})
