import { fileURLToPath } from 'node:url'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { type Postgres, startPostgres } from '@patchbay/testkit/postgres'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/log/index.ts'
import { type Database, type KernelTables, migrate } from '../../src/postgres/index.ts'
import { MIGRATION_LOCK } from '../../src/postgres/migration.store.ts'
import { readMigration } from '../../src/postgres/migration.ts'
import { connect, outcomeOf, warmUp } from './open-database.ts'

const unavailable = { code: 'database_unavailable' }
let cluster: Postgres
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster[Symbol.asyncDispose]())

/** Whatever a test did to the server, the next one finds it running. */
function repairAfterwards(): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => cluster.restart() }
}

const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
const limits = { statementTimeoutMs: 300, acquireTimeoutMs: 500 }
/** Far more than these limits add up to: somebody who waits for a frozen server itself waits forever. */
const PROMPT_MS = atLatest(2_500)

test('[K-402] a frozen server gives an answer in time, and its connection is not reused', async () => {
  await using _repair = repairAfterwards()
  await using connection = connect(cluster.url(), limits)
  await warmUp(connection)
  cluster.pause()
  const { error, elapsedMs } = await outcomeOf(() => sql`select 1`.execute(connection.db))
  expect(error).toMatchObject({ ...unavailable, cause: { message: 'Query read timeout' } })
  expect(elapsedMs).toBeGreaterThan(700)
  expect(elapsedMs).toBeLessThan(PROMPT_MS)
  expect(connection.poolState().idle).toBe(0)
  cluster.resume()
  await waitUntil('the same pool works again', async () => {
    const again = await outcomeOf(() => sql`select 1`.execute(connection.db))
    return again.error === undefined
  })
})

deepTest(
  '[K-402] a transaction on a frozen server waits for one deadline, not for one per statement',
  async () => {
    await using _repair = repairAfterwards()
    await using connection = connect(cluster.url(), limits)
    await warmUp(connection)
    const { error, elapsedMs } = await outcomeOf(() =>
      connection.db.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction)
        cluster.pause()
        const first = await outcomeOf(() => sql`select 2`.execute(transaction))
        const second = await outcomeOf(() => sql`select 3`.execute(transaction))
        expect(second.error).toMatchObject(unavailable)
        expect(second.elapsedMs).toBeLessThan(first.elapsedMs / 2)
      }),
    )
    expect(error).toMatchObject(unavailable)
    expect(elapsedMs).toBeLessThan(PROMPT_MS)
  },
)

deepTest(
  '[K-403][K-405] [K-406] a frozen server takes no new connection, fails ping, and does not hold up close',
  async () => {
    await using _repair = repairAfterwards()
    const before = sockets()
    const connection = connect(cluster.url(), limits)
    await warmUp(connection)
    cluster.pause()
    const [first, second, ping] = await Promise.all([
      outcomeOf(() => sql`select 1`.execute(connection.db)),
      outcomeOf(() => sql`select 1`.execute(connection.db)),
      outcomeOf(() => connection.ping()),
    ])
    expect([first.error, second.error, ping.error]).toMatchObject([unavailable, unavailable, unavailable])
    expect(Math.max(first.elapsedMs, second.elapsedMs)).toBeLessThan(PROMPT_MS)
    expect(ping.elapsedMs).toBeLessThan(atLatest(3_000))
    const closing = await outcomeOf(() => connection.close())
    expect(closing.error).toBeUndefined()
    expect(closing.elapsedMs).toBeLessThan(PROMPT_MS)
    await waitUntil('no socket is left', () => sockets() <= before)
  },
)

deepTest('[K-406] idle connections to a frozen server do not outlive close', async () => {
  await using _repair = repairAfterwards()
  const before = sockets()
  const connection = connect(cluster.url(), limits)
  await warmUp(connection)
  cluster.pause()
  const closing = await outcomeOf(() => connection.close())
  expect(closing.error).toBeUndefined()
  expect(closing.elapsedMs).toBeLessThan(PROMPT_MS)
  await waitUntil('no socket is left', () => sockets() <= before)
})

async function countSleeping({ db }: Database<KernelTables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where state = 'active' and query like 'select pg_sleep%'`.execute(db)
  return rows[0]?.count ?? 0
}

test('[K-411][K-412] [K-414] a killed server gives typed errors and plain log lines, and the same pool works after its restart', async () => {
  await using _repair = repairAfterwards()
  const lines: string[] = []
  const log = createLog({
    level: 'trace',
    process: 'test',
    destination: { write: (line) => lines.push(line) },
  })
  await using connection = connect(cluster.url().replace('postgres@', 'postgres:hunter2@'), { log })
  await sql`create table t (id int)`.execute(connection.db)
  // The loss of a connection is logged where nobody uses it: one has to be left when the other is busy.
  const together = () => sql`select pg_sleep(0.1)`.execute(connection.db)
  await Promise.all([together(), together(), connection.ping()])
  expect(connection.poolState().open).toBe(2)
  await using watcher = connect(cluster.url())
  const underWay = outcomeOf(() => sql`select pg_sleep(20)`.execute(connection.db))
  // Not just taken from the pool: it could still be waiting for a connection of its own.
  await waitUntil('a statement is under way', async () => (await countSleeping(watcher)) === 1)
  await cluster.kill()
  expect((await underWay).error).toMatchObject(unavailable)
  // A connection that is dead and not yet known to be would fail for another reason.
  await waitUntil('the dead connections are gone', () => connection.poolState().open === 0)
  const refused = await outcomeOf(() => sql`select 1`.execute(connection.db))
  expect(refused.error).toMatchObject({ ...unavailable, cause: { code: 'ECONNREFUSED' } })
  await expect(connection.ping()).rejects.toMatchObject(unavailable)
  await cluster.restart()
  await sql`insert into t values (1)`.execute(connection.db)
  await connection.ping()
  const lost = lines.map((line) => JSON.parse(line) as object).filter((line) => 'reason' in line)
  expect(lost.length).toBeGreaterThan(0)
  const expected = new Set(['level', 'time', 'process', 'code', 'reason', 'msg'])
  expect(lost.flatMap(Object.keys).filter((key) => !expected.has(key))).toEqual([])
  expect(lines.join('')).not.toContain('hunter2')
})

deepTest('[K-412] a process with idle, busy and transacting connections outlives its server', async () => {
  await using _repair = repairAfterwards()
  const script = fileURLToPath(new URL('fixtures/survivor.ts', import.meta.url))
  await using survivor = startProcess(process.execPath, [script, cluster.url()])
  await waitUntil('the process holds its connections', () => survivor.output().includes('holding'), {
    deadlineMs: 15_000,
  })
  await cluster.kill()
  await waitUntil('the process noticed', () => survivor.output().includes('noticed'))
  await cluster.restart()
  await waitUntil('the process recovered', () => survivor.output().includes('recovered'))
  await waitUntil('the process ended by itself', () => survivor.child.exitCode !== null)
  expect(survivor.output()).not.toContain('unhandled')
  expect(survivor.child.exitCode).toBe(0)
})

deepTest('[K-447] a server that freezes under a waiting migration is given up', async () => {
  await using _repair = repairAfterwards()
  await using holder = connect(cluster.url(), { poolSize: 1 })
  await using observer = connect(cluster.url(), { poolSize: 1 })
  await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK[0])}, ${sql.lit(MIGRATION_LOCK[1])})`.execute(
    holder.db,
  )
  const migrations = [readMigration('area', '0001_a.sql', 'select 1')]
  const migrating = outcomeOf(() => migrate({ url: cluster.url(), migrations, lockWaitMs: 300 }))
  await waitUntil('it waits for the lock', async () => {
    const waiting = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(
      observer.db,
    )
    return waiting.rows.length === 1
  })
  cluster.pause()
  const { error, elapsedMs } = await migrating
  // Those who watched would wait for it, too, until they are closed.
  cluster.resume()
  expect(error).toMatchObject(unavailable)
  expect(elapsedMs).toBeLessThan(atLatest(4_000))
})
