import { setTimeout as sleep } from 'node:timers/promises'
import type { IsolationLevel, Transaction } from 'kysely'
import type { Db } from './database.ts'
import { isRepeatable, unavailable } from './errors.ts'

export interface TransactionOptions {
  /** PostgreSQL's own default, read committed, unless given. */
  readonly isolation?: IsolationLevel
  readonly retries?: number
}

const FIRST_PAUSE_MS = 5

/**
 * Runs `work` in a transaction, and again from the start when others got in its way: `work` must do nothing outside
 * the transaction that may not happen twice.
 */
export async function inTransaction<Tables, Result>(
  db: Db<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  { isolation, retries = 3 }: TransactionOptions = {},
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    const builder = db.transaction()
    try {
      return await (isolation === undefined ? builder : builder.setIsolationLevel(isolation)).execute(work)
    } catch (error) {
      if (!isRepeatable(error)) throw error
      if (attempt >= retries) throw unavailable(error)
      await sleep(FIRST_PAUSE_MS * 2 ** attempt)
    }
  }
}
