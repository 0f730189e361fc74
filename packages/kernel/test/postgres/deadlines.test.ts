import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, emptyDatabase, outcomeOf, warmUp } from './open-database.ts'

let database: Awaited<ReturnType<typeof emptyDatabase>>
beforeAll(async () => {
  database = await emptyDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const unavailable = { code: 'database_unavailable' }

test('[K-401] every connection opens with its three timeouts', async () => {
  await using connection = connect(database.url)
  const { rows } = await sql`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('application_name') as name
  `.execute(connection.db)
  expect(rows).toEqual([{ statement: '5s', lock: '2500ms', idle: '10s', name: 'kernel tests' }])
})

test('[K-401] a statement that takes too long is canceled, and its connection stays in use', async () => {
  await using connection = connect(database.url, { poolSize: 1, statementTimeoutMs: 200 })
  await warmUp(connection)
  const { error, elapsedMs } = await outcomeOf(() => sql`select pg_sleep(20)`.execute(connection.db))
  expect(error).toMatchObject({ ...unavailable, cause: { code: '57014' } })
  expect(elapsedMs).toBeLessThan(atLatest(2_000))
  expect(connection.poolState()).toEqual({ open: 1, idle: 1, waiting: 0 })
})

deepTest('[K-401] a wait for a lock ends before the statement would', async () => {
  await using connection = connect(database.url, { statementTimeoutMs: 1_000 })
  await sql`create table t (id int)`.execute(connection.db)
  await connection.db.transaction().execute(async (transaction) => {
    await sql`lock table t`.execute(transaction)
    const { error } = await outcomeOf(() => sql`select * from t`.execute(connection.db))
    expect(error).toMatchObject({ ...unavailable, cause: { code: '55P03' } })
  })
})

test('[K-401] a transaction that sits idle loses its connection', async () => {
  await using observer = connect(database.url)
  await using connection = connect(database.url, {
    poolSize: 1,
    statementTimeoutMs: 100,
    applicationName: 'idler',
  })
  await warmUp(connection)
  const idlers = async () => {
    const found =
      await sql`select from pg_stat_activity where application_name = 'idler' and state <> 'idle'`.execute(
        observer.db,
      )
    return found.rows.length
  }
  const { error } = await outcomeOf(() =>
    connection.db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      await waitUntil('the server ends the session', async () => (await idlers()) === 0)
      await sql`select 1`.execute(transaction)
    }),
  )
  expect(error).toMatchObject(unavailable)
  await sql`select 1`.execute(connection.db)
})

test('[K-403] an exhausted pool answers in time', async () => {
  await using connection = connect(database.url, { poolSize: 1, acquireTimeoutMs: 300 })
  await warmUp(connection)
  await connection.db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction)
    const { error, elapsedMs } = await outcomeOf(() => sql`select 1`.execute(connection.db))
    expect(error).toMatchObject(unavailable)
    expect(elapsedMs).toBeGreaterThan(250)
    expect(elapsedMs).toBeLessThan(atLatest(2_000))
  })
  await sql`select 1`.execute(connection.db)
})

test('[K-404] the queue for a connection is capped, and those in it are served', async () => {
  await using connection = connect(database.url, { poolSize: 1, acquireTimeoutMs: 15_000 })
  const waiting = await connection.db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction)
    const queued = Array.from({ length: 100 }, () => outcomeOf(() => sql`select 1`.execute(connection.db)))
    await waitUntil('100 callers wait', () => connection.poolState().waiting === 100)
    const { error, elapsedMs } = await outcomeOf(() => sql`select 1`.execute(connection.db))
    expect(error).toMatchObject(unavailable)
    expect(elapsedMs).toBeLessThan(atLatest(1_000))
    return queued
  })
  const outcomes = await Promise.all(waiting)
  expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([])
})

test('[K-405] a busy pool does not make ping fail', async () => {
  await using connection = connect(database.url, { poolSize: 1, acquireTimeoutMs: 2_000 })
  await connection.db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction)
    await expect(connection.ping()).resolves.toBeUndefined()
  })
})

test('[K-406] close lets a statement under way finish, may be called twice, and refuses what comes later', async () => {
  const connection = connect(database.url)
  const underWay = sql`select pg_sleep(0.3)`.execute(connection.db)
  await waitUntil('the statement is under way', () => {
    const { open, idle } = connection.poolState()
    return open === 1 && idle === 0
  })
  await Promise.all([connection.close(), connection.close()])
  await expect(underWay).resolves.toBeDefined()
  await connection.close()
  await expect(sql`select 1`.execute(connection.db)).rejects.toMatchObject(unavailable)
  await expect(connection.ping()).rejects.toMatchObject(unavailable)
})
