import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { IdentityTables } from '../tables.ts'

/** Of these sessions and keys, those that have not been removed. */
export async function findCredentials(
  db: Db<IdentityTables>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id = any(${ids}::uuid[])
    union all select id from api_keys where id = any(${ids}::uuid[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
