import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolClient, type PoolConfig, TypeOverrides, types } from 'pg'
import type { Log } from '../log/index.ts'

const INT8_ARRAY = 1016

/** How column values become JavaScript values. Set per connection: the driver's own table is global and shared. */
function valueParsers(): TypeOverrides {
  const parsers = new TypeOverrides()
  parsers.setTypeParser(types.builtins.INT8, parseBigint)
  parsers.setTypeParser(INT8_ARRAY, parseBigints)
  // The driver would make it midnight in the machine's own time zone, which is another day elsewhere.
  parsers.setTypeParser(types.builtins.DATE, (value) => value)
  return parsers
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number exactly`)
  return value
}

function parseBigints(text: string): (number | null)[] {
  if (text === '{}') return []
  const items = text.slice(1, -1).split(',')
  return items.map((item) => (item === 'NULL' ? null : parseBigint(item)))
}

export interface PoolLimits {
  readonly size: number
  readonly statementTimeoutMs: number
  readonly acquireTimeoutMs: number
}

/** The client's own deadline lies behind the server's: a server that still answers gets to say why. */
export const CLIENT_GRACE_MS = 500

/** Opens no connection yet. The loss of one never throws: whoever is using it hears from their statement. */
export function openPool(
  url: string,
  applicationName: string,
  limits: PoolLimits,
  log: Log | undefined,
): Pool {
  const pool = new Pool({
    ...connectionSettings(limits),
    connectionString: url,
    application_name: applicationName,
  })
  const warn = (error: Error) => {
    const code = 'code' in error ? error.code : undefined
    // Never the error itself: the driver attaches the client with its whole configuration to it.
    log?.warn({ code, reason: error.message }, 'database connection lost')
  }
  pool.on('error', warn)
  // The pool listens only while a client is idle; without a listener a lost busy client would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Ends the pool once its clients are back, or at the deadline, and then cuts every socket that is still open. */
export function closer(pool: Pool, deadlineMs: number): () => Promise<void> {
  const open = new Map<PoolClient, Promise<unknown>>()
  pool.on('connect', (client) => {
    const ended = new Promise((resolve) => client.once('end', resolve))
    open.set(
      client,
      ended.then(() => open.delete(client)),
    )
  })
  const close = async () => {
    const abort = new AbortController()
    const orderly = (pool.ending ? Promise.resolve() : pool.end()).then(() => Promise.all(open.values()))
    await Promise.race([orderly, sleep(deadlineMs, undefined, { signal: abort.signal }).catch(() => {})])
    abort.abort()
    for (const client of open.keys()) client.connection.stream.destroy()
  }
  let closed: Promise<void> | undefined
  return () => (closed ??= close())
}

function connectionSettings({ size, statementTimeoutMs, acquireTimeoutMs }: PoolLimits): PoolConfig {
  return {
    max: size,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.ceil(statementTimeoutMs / 2),
    idle_in_transaction_session_timeout: statementTimeoutMs * 2,
    query_timeout: statementTimeoutMs + CLIENT_GRACE_MS,
    types: valueParsers(),
  }
}
