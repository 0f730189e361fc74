import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { QueryResult as DriverResult, PoolClient } from 'pg'
import type { Tracing } from '../tracing/index.ts'
import { asProblem, hideRowValues, isConnectionLost, isStalePlan, unavailable } from './errors.ts'
import { type DatabaseHooks, timed } from './hooks.ts'
import { statementStep } from './statement-step.ts'

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** One client of the pool. Every error leaves here as the problem it is, so that no store has to catch one. */
export class Connection implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #nameOf: (text: string) => string | undefined
  readonly #hooks: DatabaseHooks
  readonly #tracing: Tracing | undefined
  #lost: unknown
  #isStale = false

  constructor(
    client: PoolClient,
    nameOf: (text: string) => string | undefined,
    hooks: DatabaseHooks,
    tracing: Tracing | undefined,
  ) {
    this.#client = client
    this.#nameOf = nameOf
    this.#hooks = hooks
    this.#tracing = tracing
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const run = () => timed(() => this.#query(sql, parameters), this.#hooks.onStatement)
    const { command, rowCount, rows } = await (this.#tracing === undefined
      ? run()
      : this.#tracing.step(() => statementStep(sql), run))
    // Kysely reads here whether a commit has become a rollback.
    if (command === 'COMMIT' || command === 'ROLLBACK') rows.push({ command })
    return WRITES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('cursors are not supported: a list is read page by page')
  }

  release(): void {
    // A statement that opened a transaction by itself would make the next caller part of it.
    const isOpen = this.#client.getTransactionStatus() !== 'I'
    this.#client.release(isOpen || this.#isStale || this.#lost !== undefined)
  }

  /** Gives the connection up: nobody knows what state it is in. */
  discard(cause: unknown): void {
    this.#lost ??= cause
  }

  async #query(text: string, parameters: readonly unknown[]): Promise<DriverResult> {
    // A frozen server would make the rollback of a timed-out transaction wait for a second deadline.
    if (this.#lost !== undefined) throw asProblem(this.#lost)
    try {
      return await this.#send(text, [...parameters])
    } catch (error) {
      hideRowValues(error)
      if (isConnectionLost(error)) this.discard(error)
      throw asProblem(error)
    }
  }

  async #send(text: string, values: unknown[]): Promise<DriverResult> {
    const name = values.length === 0 ? undefined : this.#nameOf(text)
    if (name === undefined) return this.#client.query({ text, values })
    try {
      return await this.#client.query({ name, text, values })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      this.#isStale = true
      if (this.#client.getTransactionStatus() !== 'I') throw unavailable(error)
      return this.#client.query({ text, values })
    }
  }
}
