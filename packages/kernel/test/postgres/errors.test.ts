import { Problem } from '@patchbay/contracts/core'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asProblem, createDatabase, isUniqueViolation } from '../../src/postgres/index.ts'
import { connect, emptyDatabase, outcomeOf } from './open-database.ts'

let database: Awaited<ReturnType<typeof emptyDatabase>>
beforeAll(async () => {
  database = await emptyDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const raise = (state: string) =>
  sql.raw(`do $$ begin raise exception using errcode = '${state}', message = 'planted'; end $$`)

describe('errors of a real server', () => {
  test.for(['08006', '25006', '25P03', '53300', '53100', '55P03', '57014', '57P01', '57P03'])(
    '[K-411] SQLSTATE %s is database_unavailable, with its cause',
    async (state) => {
      await using connection = connect(database.url)
      const { error } = await outcomeOf(() => raise(state).execute(connection.db))
      expect(error).toBeInstanceOf(Problem)
      expect(error).toMatchObject({
        code: 'database_unavailable',
        cause: { code: state, message: 'planted' },
      })
    },
  )

  test.for(['22012', '23505', '40001', '42P01', 'P0001'])(
    '[K-411] SQLSTATE %s stays what it is',
    async (state) => {
      await using connection = connect(database.url)
      const { error } = await outcomeOf(() => raise(state).execute(connection.db))
      expect(error).not.toBeInstanceOf(Problem)
      expect(error).toMatchObject({ code: state, message: 'planted' })
    },
  )

  test('[K-411] a wrong database is as unavailable as none', async () => {
    await using connection = connect(`${database.url}_gone`)
    const { error } = await outcomeOf(() => sql`select 1`.execute(connection.db))
    expect(error).toMatchObject({ code: 'database_unavailable', cause: { code: '3D000' } })
  })

  test('[K-411] a standby that was a primary is given up for another connection', async () => {
    await using connection = connect(database.url, { poolSize: 1 })
    const backend = async () => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection.db)
      return rows[0]?.pid
    }
    const before = await backend()
    await sql`set default_transaction_read_only = on`.execute(connection.db)
    const { error } = await outcomeOf(() => sql`create table standby (id int)`.execute(connection.db))
    expect(error).toMatchObject({ code: 'database_unavailable', cause: { code: '25006' } })
    expect(await backend()).not.toBe(before)
    await sql`create table standby (id int)`.execute(connection.db)
  })

  test('[K-413] a broken unique constraint is recognized, by name too', async () => {
    await using connection = connect(database.url)
    await sql`create table t (id int constraint t_id unique, name text constraint t_name unique)`.execute(
      connection.db,
    )
    await sql`insert into t values (1, 'a')`.execute(connection.db)
    const { error } = await outcomeOf(() => sql`insert into t values (1, 'b')`.execute(connection.db))
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 't_id')).toBe(true)
    expect(isUniqueViolation(error, 't_name')).toBe(false)
    const other = await outcomeOf(() => sql`select * from nothing`.execute(connection.db))
    expect(isUniqueViolation(other.error)).toBe(false)
    expect(isUniqueViolation(undefined)).toBe(false)
  })

  test('[K-414] row values in an error can be read but are not printed', async () => {
    await using connection = connect(database.url)
    await sql`create table tokens (token text unique)`.execute(connection.db)
    await sql`insert into tokens values ('hunter2')`.execute(connection.db)
    const { error } = await outcomeOf(() => sql`insert into tokens values ('hunter2')`.execute(connection.db))
    expect(error).toHaveProperty('detail', expect.stringContaining('hunter2'))
    expect(JSON.stringify(Object.entries(error ?? {}))).not.toContain('hunter2')
  })
})

test('[K-411] errors that no database made are left alone', () => {
  const bug = new TypeError('x is not a function')
  expect(asProblem(bug)).toBe(bug)
  const problem = new Problem('not_found')
  expect(asProblem(problem)).toBe(problem)
  expect(asProblem('text')).toBe('text')
  const file = Object.assign(new Error('no such file'), { code: 'ENOENT' })
  expect(asProblem(file)).toBe(file)
})

test('[K-411] a host without a server is unavailable, whichever of its addresses was tried', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(asProblem(new AggregateError([refused, refused]))).toMatchObject({ code: 'database_unavailable' })
  await using connection = createDatabase({
    url: 'postgres://127.0.0.1:1/none',
    poolSize: 1,
    applicationName: 'test',
  })
  await expect(sql`select 1`.execute(connection.db)).rejects.toMatchObject({
    code: 'database_unavailable',
    cause: { code: 'ECONNREFUSED' },
  })
})
