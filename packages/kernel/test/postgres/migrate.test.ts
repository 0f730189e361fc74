import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { depth } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { describeSchema } from '@patchbay/testkit/schema'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { Secret } from '../../src/log/index.ts'
import { collectMigrations, kernelMigrations, migrate } from '../../src/postgres/index.ts'
import { MIGRATION_LOCK } from '../../src/postgres/migration.store.ts'
import { readMigration } from '../../src/postgres/migration.ts'
import { connect, emptyDatabase } from './open-database.ts'

const file = (name: string, text: string) => readMigration('area', name, text)
const createA = file('0001_a.sql', 'create table a (id int);\ninsert into a values (1);')

async function read(url: string, query: string): Promise<unknown[]> {
  await using connection = connect(url, { poolSize: 1 })
  return (await sql.raw(query).execute(connection.db)).rows
}

test('[K-442] each migration is applied once and leaves its row', async () => {
  await using database = await emptyDatabase()
  const { url } = database
  const createB = file('0002_b.sql', 'create table b as select id + 1 as id from a')
  expect(await migrate({ url: new Secret(url), migrations: [createA] })).toEqual([createA])
  expect(await migrate({ url, migrations: [createA, createB] })).toEqual([createB])
  expect(await migrate({ url, migrations: [createA, createB] })).toEqual([])
  expect(await read(url, 'select id from b')).toEqual([{ id: 2 }])
  expect(await read(url, 'select area, number, name, sha256 from schema_migrations order by number')).toEqual(
    [
      { area: 'area', number: 1, name: 'a', sha256: createA.sha256 },
      { area: 'area', number: 2, name: 'b', sha256: createB.sha256 },
    ],
  )
})

test('[K-443] whoever starts at once, each migration is applied exactly once', async () => {
  await using database = await emptyDatabase()
  const script = fileURLToPath(new URL('fixtures/migrate-once.ts', import.meta.url))
  await using started = new AsyncDisposableStack()
  const others = depth({ common: 0, deep: 3 })
  const processes = Array.from({ length: others }, () =>
    started.use(startProcess(process.execPath, [script, database.url])),
  )
  const migrations = await collectMigrations([kernelMigrations])
  const here = Promise.all(Array.from({ length: 3 }, () => migrate({ url: database.url, migrations })))
  await waitUntil('every process is done', () => processes.every(({ child }) => child.exitCode !== null), {
    deadlineMs: 60_000,
  })
  expect(processes.map((each) => each.child.exitCode)).toEqual(processes.map(() => 0))
  const elsewhere = processes.map((each) => Number(each.output()))
  const counts = [...elsewhere, ...(await here).map((applied) => applied.length)]
  expect(counts.reduce((sum, count) => sum + count)).toBe(migrations.length)
  expect(await read(database.url, 'select area, number from schema_migrations')).toHaveLength(
    migrations.length,
  )
}, 90_000)

test('[K-443] a node that applies nothing needs no right to create tables', async () => {
  await using database = await emptyDatabase()
  await migrate({ url: database.url, migrations: [createA] })
  const role = `reader_${randomUUID().replaceAll('-', '')}`
  await read(database.url, `create role ${role} login`)
  await read(database.url, `grant select on schema_migrations to ${role}`)
  const url = database.url.replace('postgres@', `${role}@`)
  expect(await migrate({ url, migrations: [createA] })).toEqual([])
  await expect(
    migrate({ url, migrations: [createA, file('0002_b.sql', 'create table b (id int)')] }),
  ).rejects.toThrow(
    'area/0002_b.sql failed at line 1, column 14: permission denied for schema public (42501)',
  )
})

test('[K-444] a migration that fails leaves nothing of itself and names the place', async () => {
  await using database = await emptyDatabase()
  const { url } = database
  const broken = file('0002_b.sql', '-- 🦊\ncreate table b (id int);\ninsert into b values (1), (missing);')
  await expect(migrate({ url, migrations: [createA, broken] })).rejects.toThrow(
    'area/0002_b.sql failed at line 3, column 28: column "missing" does not exist (42703). Nothing of it was applied',
  )
  expect(await read(url, 'select name from schema_migrations')).toEqual([{ name: 'a' }])
  expect(await read(url, `select to_regclass('a') is null as a, to_regclass('b') is null as b`)).toEqual([
    { a: false, b: true },
  ])
  const fixed = file('0002_b.sql', 'create table b (id int)')
  expect(await migrate({ url, migrations: [createA, fixed] })).toEqual([fixed])
})

test('[K-442] a migration whose row cannot be written is not applied', async () => {
  await using database = await emptyDatabase()
  const { url } = database
  const lying = file(
    '0001_a.sql',
    'create table a (id int); alter table schema_migrations add check (number > 1)',
  )
  await expect(migrate({ url, migrations: [lying] })).rejects.toThrow(
    'area/0001_a.sql failed: new row for relation',
  )
  expect(await read(url, `select to_regclass('a') is null as absent`)).toEqual([{ absent: true }])
})

test('[K-444] a failure without a place still names the file', async () => {
  await using database = await emptyDatabase()
  const dividing = file('0001_a.sql', 'select 1 / (select count(*) from pg_class where false)')
  await expect(migrate({ url: database.url, migrations: [dividing] })).rejects.toThrow(
    'area/0001_a.sql failed: division by zero (22012). Nothing of it was applied',
  )
})

test('[K-445][K-446] a database that does not fit the files is left as it is', async () => {
  await using database = await emptyDatabase()
  const { url } = database
  const createB = file('0002_b.sql', 'create table b (id int)')
  await migrate({ url, migrations: [createA] })
  const changed = file('0001_a.sql', 'create table a (id bigint)')
  await expect(migrate({ url, migrations: [changed, createB] })).rejects.toThrow(
    'area/0001_a.sql was changed after',
  )
  await expect(
    migrate({ url, migrations: [readMigration('other', '0001_x.sql', 'select 1')] }),
  ).rejects.toThrow('the database has area/0001_a.sql')
  expect(await read(url, 'select area, name from schema_migrations')).toEqual([{ area: 'area', name: 'a' }])
})

test('[K-446] a node whose database a newer version has extended starts on it', async () => {
  await using database = await emptyDatabase()
  const { url } = database
  const added = file('0002_b.sql', '-- expand\nalter table a add column b text')
  const taken = file('0003_c.sql', '-- contract\nalter table a drop column b')
  await migrate({ url, migrations: [createA, added] })
  expect(await migrate({ url, migrations: [createA] })).toEqual([])
  await migrate({ url, migrations: [createA, added, taken] })
  await expect(migrate({ url, migrations: [createA, added] })).rejects.toThrow(
    'the database has area/0003_c.sql',
  )
})

test('[K-853] the kind is kept with each migration; those before there were kinds are contracts', async () => {
  await using database = await emptyDatabase()
  const { url } = database
  const [first, ...later] = await collectMigrations([kernelMigrations])
  if (first === undefined) throw new Error('no migrations')
  // As the version before kinds left it.
  await read(
    url,
    `create table schema_migrations (area text not null, number integer not null, name text not null,
       sha256 text not null, applied_at timestamptz not null default now(), primary key (area, number));
     ${first.sql};
     insert into schema_migrations values ('kernel', 1, 'installation', '${first.sha256}')`,
  )
  expect(await migrate({ url, migrations: [first, ...later] })).toEqual(later)
  expect(await read(url, 'select number, kind from schema_migrations order by number limit 2')).toEqual([
    { number: 1, kind: 'contract' },
    { number: 2, kind: 'expand' },
  ])
  await using other = await emptyDatabase()
  await migrate({ url: other.url, migrations: [first, ...later] })
  expect(await describeSchema(url)).toBe(await describeSchema(other.url))
})

test('[K-856] a migration that waits for a table lets those behind it pass in time, and is applied when it is free', async () => {
  await using database = await emptyDatabase()
  const { url } = database
  await migrate({ url, migrations: [createA] })
  const backup = new Client({ connectionString: url })
  await backup.connect()
  await using _end = { [Symbol.asyncDispose]: () => backup.end() }
  await backup.query('begin; select from a')
  await using node = connect(url, { poolSize: 1 })
  const added = file('0002_b.sql', '-- expand\nalter table a add column b text')
  let isApplied = false
  const migrating = migrate({ url, migrations: [createA, added] }).finally(() => {
    isApplied = true
  })
  const waiting = async () =>
    (await read(url, `select from pg_locks where relation = 'a'::regclass and not granted`)).length > 0
  await waitUntil('the migration waits', waiting)
  // Behind the migration, and answered all the same.
  expect((await sql`select id from a`.execute(node.db)).rows).toEqual([{ id: 1 }])
  expect(isApplied).toBe(false)
  await backup.query('commit')
  expect(await migrating).toEqual([added])
})

test('[K-447] the wait for another process that migrates has an end, and names that process', async () => {
  await using database = await emptyDatabase()
  const holder = new Client({ connectionString: database.url, application_name: 'slow node' })
  await holder.connect()
  await using _end = { [Symbol.asyncDispose]: () => holder.end() }
  await holder.query('select pg_advisory_lock($1, $2)', [...MIGRATION_LOCK])
  await expect(migrate({ url: database.url, migrations: [createA], lockWaitMs: 200 })).rejects.toThrow(
    /kept the migration lock for 200 ms \(server process \d+, "slow node" from 127\.0\.0\.1\): let it finish, or end it/,
  )
})

test('[K-447] a database that cannot be reached is unavailable', async () => {
  const migrating = migrate({ url: 'postgres://127.0.0.1:1/none', migrations: [createA] })
  await expect(migrating).rejects.toMatchObject({
    code: 'database_unavailable',
    cause: { code: 'ECONNREFUSED' },
  })
})
