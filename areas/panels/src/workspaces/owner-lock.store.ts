import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { PanelsTables } from '../tables.ts'

/** Until the transaction ends, nobody else counts or adds what an owner may have so many of. */
export async function lockOwner(tx: Db<PanelsTables>, owner: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`panels of ${owner}`}, 0))`.execute(tx)
}
