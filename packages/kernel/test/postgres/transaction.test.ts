import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/postgres/index.ts'
import { connect, emptyDatabase, outcomeOf } from './open-database.ts'

interface Tables {
  t: { id: number; n: number }
}

async function openTable(url: string) {
  const connection = connect<Tables>(url, { poolSize: 4 })
  await sql`create table t (id int primary key, n int)`.execute(connection.db)
  await sql`insert into t values (1, 0), (2, 0)`.execute(connection.db)
  return connection
}

/** Lets everybody go once `count` have arrived; those who come again pass. */
function gate(count: number): () => Promise<void> {
  let missing = count
  const { promise, resolve } = Promise.withResolvers<void>()
  return () => {
    missing -= 1
    if (missing <= 0) resolve()
    return promise
  }
}

test('[K-431] a transaction commits what its function did, or nothing when it throws', async () => {
  await using database = await emptyDatabase()
  await using connection = await openTable(database.url)
  const { db } = connection
  const count = await inTransaction(db, async (transaction) => {
    await transaction.updateTable('t').set({ n: 7 }).where('id', '=', 1).execute()
    return 'done'
  })
  expect(count).toBe('done')
  const reason = new Error('changed my mind')
  const { error } = await outcomeOf(() =>
    inTransaction(db, async (transaction) => {
      await transaction.updateTable('t').set({ n: 8 }).execute()
      throw reason
    }),
  )
  expect(error).toBe(reason)
  expect(await db.selectFrom('t').selectAll().orderBy('id').execute()).toEqual([
    { id: 1, n: 7 },
    { id: 2, n: 0 },
  ])
})

test('[K-432] of two transactions in a deadlock both succeed', async () => {
  await using database = await emptyDatabase()
  await using connection = await openTable(database.url)
  const { db } = connection
  await sql`alter database ${sql.id(new URL(database.url).pathname.slice(1))} set deadlock_timeout = '50ms'`.execute(
    db,
  )
  await using quick = connect<Tables>(database.url, { poolSize: 4 })
  const bothHoldOne = gate(2)
  const add = (first: number, second: number) =>
    inTransaction(quick.db, async (transaction) => {
      const increment = (id: number) =>
        transaction.updateTable('t').set({ n: sql`n + 1` }).where('id', '=', id).execute()
      await increment(first)
      await bothHoldOne()
      await increment(second)
    })
  await Promise.all([add(1, 2), add(2, 1)])
  expect(await db.selectFrom('t').select('n').execute()).toEqual([{ n: 2 }, { n: 2 }])
})

test('[K-432] a serialization failure is repeated with fresh eyes', async () => {
  await using database = await emptyDatabase()
  await using connection = await openTable(database.url)
  const { db } = connection
  const bothHaveRead = gate(2)
  const takeLast = (id: number) =>
    inTransaction(
      db,
      async (transaction) => {
        const taken = await transaction.selectFrom('t').select('id').where('n', '=', 1).execute()
        await bothHaveRead()
        if (taken.length > 0) return false
        await transaction.updateTable('t').set({ n: 1 }).where('id', '=', id).execute()
        return true
      },
      { isolation: 'serializable' },
    )
  const took = await Promise.all([takeLast(1), takeLast(2)])
  expect(took.filter((each) => each)).toHaveLength(1)
})

test.for([
  { retries: undefined, runs: 4 },
  { retries: 0, runs: 1 },
])(
  '[K-432] with retries $retries the function runs $runs times, then the caller hears',
  async ({ retries, runs }) => {
    await using database = await emptyDatabase()
    await using connection = await openTable(database.url)
    let ran = 0
    const { error } = await outcomeOf(() =>
      inTransaction(
        connection.db,
        async (transaction) => {
          ran += 1
          await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(transaction)
        },
        retries === undefined ? {} : { retries },
      ),
    )
    expect(error).toMatchObject({ code: 'database_unavailable', cause: { code: '40001' } })
    expect(ran).toBe(runs)
  },
)

test('[K-432] no other error is repeated', async () => {
  await using database = await emptyDatabase()
  await using connection = await openTable(database.url)
  let ran = 0
  const { error } = await outcomeOf(() =>
    inTransaction(connection.db, async (transaction) => {
      ran += 1
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction)
    }),
  )
  expect(error).toMatchObject({ code: 'database_unavailable' })
  expect(ran).toBe(1)
})
