import { finished } from 'node:stream/promises'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import type { Log, Secret } from '../log/index.ts'
import type { Tracing } from '../tracing/index.ts'
import { Driver } from './driver.ts'
import { asProblem, hideRowValues, unavailable } from './errors.ts'
import type { DatabaseHooks } from './hooks.ts'
import { CLIENT_GRACE_MS, closer, openPool } from './pool.ts'

export type Db<Tables> = Kysely<Tables>
/** Carries a password as a rule. */
export type DatabaseUrl = string | Secret

export interface DatabaseOptions {
  readonly url: DatabaseUrl
  readonly poolSize: number
  readonly applicationName: string
  readonly statementTimeoutMs?: number
  readonly acquireTimeoutMs?: number
  readonly log?: Log
  readonly hooks?: DatabaseHooks
  readonly tracing?: Tracing | undefined
}

export interface PoolState {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

export interface Database<Tables> extends AsyncDisposable {
  readonly db: Db<Tables>
  /** For `/ready`: resolves when the server answers, rejects with `Problem('database_unavailable')` otherwise. */
  ping(): Promise<void>
  poolState(): PoolState
  /** Appends rows (`createCopyRows`) to a table with COPY: all of them or none. */
  readonly copy: (table: string, columns: readonly string[], rows: Uint8Array) => Promise<void>
  close(): Promise<void>
}

/** Opens no connection yet: a process starts, and reports itself not ready, while its database is away. */
export function createDatabase<Tables>({
  url,
  poolSize,
  applicationName,
  statementTimeoutMs = 5_000,
  acquireTimeoutMs = 2_000,
  log,
  hooks,
  tracing,
}: DatabaseOptions): Database<Tables> {
  const limits = { size: poolSize, statementTimeoutMs, acquireTimeoutMs }
  const pool = openPool(revealUrl(url), applicationName, limits, log)
  const pingLimits = { size: 1, statementTimeoutMs: acquireTimeoutMs, acquireTimeoutMs }
  const pingPool = openPool(revealUrl(url), `${applicationName} ping`, pingLimits, log)
  const closers = [pool, pingPool].map((each) => closer(each, statementTimeoutMs + CLIENT_GRACE_MS))
  const close = async () => {
    await Promise.all(closers.map((each) => each()))
  }
  return {
    db: new Kysely<Tables>({
      dialect: {
        createDriver: () => new Driver(pool, hooks, tracing),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    }),
    async ping() {
      await pingPool.query('select 1').catch((error: unknown) => {
        throw unavailable(error)
      })
    },
    async copy(table, columns, rows) {
      const client = await pool.connect().catch((error: unknown) => {
        throw unavailable(error)
      })
      // Deadlines of the driver are for statements alone: a server that is frozen would never answer this.
      const deadline = setTimeout(
        () => client.connection.stream.destroy(),
        statementTimeoutMs + CLIENT_GRACE_MS,
      )
      try {
        const names = columns.map((name) => `"${name}"`).join(', ')
        const stream = client.query(copyFrom(`copy "${table}" (${names}) from stdin (format binary)`))
        stream.end(rows)
        await finished(stream)
        client.release()
      } catch (error) {
        client.release(true)
        hideRowValues(error)
        throw asProblem(error)
      } finally {
        clearTimeout(deadline)
      }
    },
    poolState: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

export function revealUrl(url: DatabaseUrl): string {
  return typeof url === 'string' ? url : url.reveal()
}
