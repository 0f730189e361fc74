import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Log } from '../log/index.ts'
import { type DatabaseUrl, revealUrl } from './database.ts'
import { asProblem, hideRowValues, unavailable } from './errors.ts'
import { lockHolder, MIGRATION_LOCK, readApplied } from './migration.store.ts'
import { fileOf, type Migration, MigrationError, placeOf, planMigrations } from './migration.ts'

export interface MigrateOptions {
  readonly url: DatabaseUrl
  readonly migrations: readonly Migration[]
  readonly log?: Log
  /** How long to wait for another process that is migrating. */
  readonly lockWaitMs?: number
}

const CONNECT_MS = 5_000
/**
 * A migration that waits for a table makes everybody behind it wait as well. Nodes do so for 2.5 s and then refuse the
 * request, so it gives up before, lets them pass, and tries again.
 */
const TABLE_LOCK_MS = 1_000
const BETWEEN_TRIES_MS = 1_000
/** Less than the 30 s after which a server listens without its tables. */
const TRIES = 10
/** Lock timeout and deadlock. */
const IN_THE_WAY = new Set(['55P03', '40P01'])
const STATEMENT_MS = 15 * 60_000
/** How much later than the server a frozen one is given up. */
const GRACE_MS = 1_000

/** Applies what is missing and answers what it applied. Any number of processes may call it at once. */
export async function migrate({
  url,
  migrations,
  log,
  lockWaitMs = 60_000,
}: MigrateOptions): Promise<Migration[]> {
  const client = new Client({
    connectionString: revealUrl(url),
    application_name: 'patchbay migrate',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
  })
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw unavailable(error)
  })
  try {
    const { pending, newer } = await within(client, lockWaitMs + GRACE_MS, async () => {
      await takeLock(client, lockWaitMs)
      return planMigrations(migrations, await readApplied(client))
    })
    if (newer.length > 0) log?.warn({ migrations: newer.map(fileOf) }, 'database of a newer version')
    await client.query(`set lock_timeout = ${TABLE_LOCK_MS}`)
    for (const migration of pending) {
      for (let left = TRIES - 1; !(await apply(client, migration, left)); left -= 1) {
        log?.warn({ migration: fileOf(migration), left }, 'migration waits for a table')
        await sleep(BETWEEN_TRIES_MS)
      }
      log?.info({ migration: fileOf(migration), kind: migration.kind }, 'migration applied')
    }
    return [...pending]
  } catch (error) {
    throw asProblem(error)
  } finally {
    await within(client, GRACE_MS, () => client.end())
  }
}

/** Cuts the connection at the deadline, which fails whatever waits for it: a frozen server says nothing at all. */
async function within<T>(client: Client, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => client.connection.stream.destroy(), deadlineMs)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}

async function takeLock(client: Client, waitMs: number): Promise<void> {
  await client.query(`set lock_timeout = ${Math.max(1, Math.ceil(waitMs))}`)
  try {
    await client.query('select pg_advisory_lock($1, $2)', [...MIGRATION_LOCK])
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '55P03') throw error
    throw new MigrationError(
      `another process has kept the migration lock for ${waitMs} ms (${await lockHolder(client)}): ` +
        'let it finish, or end it, and start again',
      { cause: error },
    )
  }
}

/** Answers `false` when somebody was in the way and tries are left. */
async function apply(client: Client, migration: Migration, triesLeft: number): Promise<boolean> {
  const { area, number, name, sha256, kind } = migration
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query(
      'insert into schema_migrations (area, number, name, sha256, kind) values ($1, $2, $3, $4, $5)',
      [area, number, name, sha256, kind],
    )
    await client.query('commit')
    return true
  } catch (error) {
    // On a lost connection the server has rolled back by itself.
    await client.query('rollback').catch(() => {})
    if (triesLeft > 0 && error instanceof DatabaseError && IN_THE_WAY.has(error.code ?? '')) return false
    throw asFailure(migration, error)
  }
}

function asFailure(migration: Migration, error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  hideRowValues(error)
  const position = Number(error.position)
  const place = position > 0 ? placeOf(migration.sql, position) : undefined
  const where = place === undefined ? '' : ` at line ${place.line}, column ${place.column}`
  const code = error.code === undefined ? '' : ` (${error.code})`
  return new MigrationError(
    `${fileOf(migration)} failed${where}: ${error.message}${code}. Nothing of it was applied`,
    {
      cause: error,
    },
  )
}
