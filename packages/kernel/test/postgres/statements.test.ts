import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { nameStatements } from '../../src/postgres/driver.ts'
import { connect, emptyDatabase, outcomeOf } from './open-database.ts'

interface Tables {
  t: { id: number; name: string }
}

async function openTable(url: string) {
  const connection = connect<Tables>(url, { poolSize: 1 })
  await sql`create table t (id int, name text)`.execute(connection.db)
  await sql`insert into t values (1, 'a'), (2, 'b')`.execute(connection.db)
  return connection
}

test('[K-421] a statement with parameters is prepared once per connection', async () => {
  await using database = await emptyDatabase()
  await using connection = await openTable(database.url)
  const { db } = connection
  const find = (id: number) => db.selectFrom('t').select('name').where('id', '=', id).executeTakeFirst()
  expect([await find(1), await find(2), await find(1)]).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'a' }])
  const { rows } = await sql<{ statement: string; uses: number }>`
    select statement, generic_plans + custom_plans as uses from pg_prepared_statements
  `.execute(db)
  expect(rows).toEqual([{ statement: 'select "name" from "t" where "id" = $1', uses: 3 }])
})

test('[K-421] the number of names is capped, and a known text keeps its name', () => {
  const nameOf = nameStatements(2)
  const [first, second] = [nameOf('select 1'), nameOf('select 2')]
  expect(new Set([first, second]).size).toBe(2)
  expect(nameOf('select 3')).toBeUndefined()
  expect(nameOf('select 1')).toBe(first)
  const many = nameStatements()
  const names = Array.from({ length: 300 }, (_, index) => many(`select ${index}`))
  expect(names.filter((name) => name !== undefined)).toHaveLength(256)
})

test('[K-421] a migration that changes a result does not fail the statements of running nodes', async () => {
  await using database = await emptyDatabase()
  await using connection = await openTable(database.url)
  await using migrating = connect(database.url)
  const { db } = connection
  const find = () => db.selectFrom('t').selectAll().where('id', '=', 1).executeTakeFirst()
  expect(await find()).toEqual({ id: 1, name: 'a' })
  await sql`alter table t add column extra int`.execute(migrating.db)
  expect(await find()).toEqual({ id: 1, name: 'a', extra: null })
  expect(connection.poolState()).toMatchObject({ idle: 0 })
})

test('[K-421] inside a transaction such a statement is unavailable, and the next attempt works', async () => {
  await using database = await emptyDatabase()
  await using connection = await openTable(database.url)
  await using migrating = connect(database.url)
  const { db } = connection
  const find = () =>
    db
      .transaction()
      .execute((transaction) => transaction.selectFrom('t').selectAll().where('id', '=', 1).execute())
  await find()
  await sql`alter table t add column extra int`.execute(migrating.db)
  const { error } = await outcomeOf(find)
  expect(error).toMatchObject({ code: 'database_unavailable', cause: { code: '0A000' } })
  expect(await find()).toEqual([{ id: 1, name: 'a', extra: null }])
})

test('[K-423] a connection on which a transaction was left open is not reused', async () => {
  await using database = await emptyDatabase()
  await using connection = await openTable(database.url)
  const { db } = connection
  await sql`begin; insert into t values (3, 'c')`.execute(db)
  await sql`insert into t values (4, 'd')`.execute(db)
  await using other = connect<Tables>(database.url)
  expect(await other.db.selectFrom('t').select('id').where('id', '>', 2).execute()).toEqual([{ id: 4 }])
})

test('[K-424] hooks report waits and statements, and a hook that throws changes nothing', async () => {
  await using database = await emptyDatabase()
  const waits: boolean[] = []
  const statements: { ms: number; failed: boolean }[] = []
  const hooks = {
    onAcquire(_ms: number, failed: boolean) {
      waits.push(failed)
      throw new Error('a broken metric')
    },
    onStatement(ms: number, failed: boolean) {
      statements.push({ ms, failed })
      throw new Error('a broken metric')
    },
  }
  await using connection = connect(database.url, { hooks })
  await sql`select pg_sleep(0.1)`.execute(connection.db)
  await outcomeOf(() => sql`select * from nothing`.execute(connection.db))
  expect(waits).toEqual([false, false])
  expect(statements.map(({ failed }) => failed)).toEqual([false, true])
  expect(statements[0]?.ms).toBeGreaterThan(90)
})
