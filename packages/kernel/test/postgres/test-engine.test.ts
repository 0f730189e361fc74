import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { cloneDatabase, startPostgres } from '@patchbay/testkit/postgres'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { connect } from './open-database.ts'

const run = async (url: string, query: string) => {
  await using connection = connect(url, { poolSize: 1 })
  const { rows } = await sql.raw<Record<string, unknown>>(query).execute(connection.db)
  return rows
}
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('[K-471] a cluster keeps what it acknowledged through kill and restart, and leaves nothing behind', async () => {
  await using cluster = await startPostgres({ settings: { work_mem: '7MB' } })
  const [shown] = await run(
    cluster.url(),
    `select current_setting('data_directory') as folder, current_setting('listen_addresses') as addresses,
      current_setting('work_mem') as memory`,
  )
  expect(shown).toMatchObject({ addresses: '127.0.0.1', memory: '7MB' })
  const url = await cluster.createDatabase('kept')
  await run(url, 'create table t as select 1 as id')
  const copy = await cluster.createDatabase('copy', { template: 'kept' })
  const first = cluster.pid()
  await cluster.kill()
  expect(isAlive(first)).toBe(false)
  await cluster.restart()
  expect([await run(url, 'select id from t'), await run(copy, 'select id from t')]).toEqual([
    [{ id: 1 }],
    [{ id: 1 }],
  ])
  const second = cluster.pid()
  await cluster[Symbol.asyncDispose]()
  expect(isAlive(second)).toBe(false)
  expect(existsSync(String(shown?.['folder']))).toBe(false)
})

deepTest.for(['exit', 'SIGTERM'])(
  '[K-471] a runner that ends by %s with its cluster paused leaves nothing',
  { timeout: 120_000 },
  async (end) => {
    const script = fileURLToPath(new URL('fixtures/careless-runner.ts', import.meta.url))
    await using runner = startProcess(process.execPath, [script, end])
    await waitUntil('the cluster is paused', () => runner.output().endsWith('}'), { deadlineMs: 60_000 })
    const { pid, backend, folder } = JSON.parse(runner.output()) as {
      pid: number
      backend: number
      folder: string
    }
    if (end === 'SIGTERM') runner.child.kill('SIGTERM')
    await waitUntil('its cluster is gone', () => ![pid, backend].some(isAlive))
    await waitUntil('the runner ended', () => runner.child.exitCode !== null)
    expect(existsSync(folder)).toBe(false)
  },
)

test('[K-472] callers at once share one migration and get a database each', async () => {
  let migrations = 0
  const clone = () =>
    cloneDatabase({
      fingerprint,
      async migrate(url) {
        migrations += 1
        await run(url, 'create table t (id int)')
      },
    })
  const fingerprint = randomUUID()
  const databases = await Promise.all([clone(), clone(), clone(), clone()])
  expect(migrations).toBe(1)
  await Promise.all(databases.map(({ url }, index) => run(url, `insert into t values (${index})`)))
  for (const [index, { url }] of databases.entries())
    expect(await run(url, 'select id from t')).toEqual([{ id: index }])
  await Promise.all(databases.map((database) => database[Symbol.asyncDispose]()))
})

test('[K-472] a caller that failed half way leaves no half-made template', async () => {
  const fingerprint = randomUUID()
  const failing = cloneDatabase({
    fingerprint,
    async migrate(url) {
      await run(url, 'create table t (id int)')
      throw new Error('planted')
    },
  })
  await expect(failing).rejects.toThrow('planted')
  await using database = await cloneDatabase({
    fingerprint,
    migrate: (url) => run(url, 'create table t (id int)'),
  })
  expect(await run(database.url, 'select id from t')).toEqual([])
})

test('[K-472] a database is dropped although somebody is still connected', async () => {
  const database = await cloneDatabase({ fingerprint: '', migrate: async () => {} })
  await using connection = connect(database.url)
  await sql`select 1`.execute(connection.db)
  await database[Symbol.asyncDispose]()
  const name = new URL(database.url).pathname.slice(1)
  await using other = await cloneDatabase({ fingerprint: '', migrate: async () => {} })
  expect(await run(other.url, `select 1 from pg_database where datname = '${name}'`)).toEqual([])
})
