import { CompiledQuery, type Driver as KyselyDriver, PostgresDriver } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Tracing } from '../tracing/index.ts'
import { Connection } from './connection.ts'
import { unavailable } from './errors.ts'
import { type DatabaseHooks, timed } from './hooks.ts'

const MOST_NAMES = 256

/**
 * Names the first texts it sees; the others get none. Each name costs memory on every connection of the server, and
 * texts that vary with their input (a list of any length, say) would never end.
 */
export function nameStatements(most = MOST_NAMES): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= most) return known
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
}

const WAITING_PER_CONNECTION = 100

/**
 * Connections of our own for Kysely. Its own driver puts a client whose statement timed out back into the pool, where
 * the next caller would wait behind that statement. The words of transactions are left to it.
 */
export class Driver implements KyselyDriver {
  readonly #pool: Pool
  readonly #hooks: DatabaseHooks
  readonly #tracing: Tracing | undefined
  readonly #words: PostgresDriver
  readonly #connections = new WeakMap<PoolClient, Connection>()
  readonly #nameOf = nameStatements()

  constructor(pool: Pool, hooks: DatabaseHooks = {}, tracing?: Tracing) {
    this.#pool = pool
    this.#hooks = hooks
    this.#tracing = tracing
    this.#words = new PostgresDriver({ pool })
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const client = await timed(() => this.#acquire(), this.#hooks.onAcquire)
    // Kysely remembers connections by identity: one client must always be the same connection.
    const connection =
      this.#connections.get(client) ?? new Connection(client, this.#nameOf, this.#hooks, this.#tracing)
    this.#connections.set(client, connection)
    return connection
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release()
  }

  beginTransaction: KyselyDriver['beginTransaction'] = (...given) => this.#words.beginTransaction(...given)
  commitTransaction: KyselyDriver['commitTransaction'] = (...given) => this.#words.commitTransaction(...given)
  savepoint: PostgresDriver['savepoint'] = (...given) => this.#words.savepoint(...given)
  rollbackToSavepoint: PostgresDriver['rollbackToSavepoint'] = (...given) =>
    this.#words.rollbackToSavepoint(...given)
  releaseSavepoint: PostgresDriver['releaseSavepoint'] = (...given) => this.#words.releaseSavepoint(...given)

  async rollbackTransaction(connection: Connection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
    } catch (error) {
      connection.discard(error)
      throw error
    }
  }

  async destroy(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }

  async #acquire(): Promise<PoolClient> {
    if (this.#pool.waitingCount >= this.#pool.options.max * WAITING_PER_CONNECTION) {
      throw unavailable(new Error('too many callers wait for a database connection'))
    }
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw unavailable(error)
    }
  }
}
