import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { ContentTables } from './tables.ts'

/** Bytes by owner, with all versions that are kept. */
export async function sumFiles(db: Db<ContentTables>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ owner: string; bytes: number }>`
    select owner, sum(stored_bytes)::bigint as bytes from contents where owner is not null group by owner`.execute(
    db,
  )
  return new Map(rows.map(({ owner, bytes }) => [owner, bytes]))
}

/** What an operator has set, by owner; for all others it is what the server is set to. */
export async function listQuotas(db: Db<ContentTables>): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('content_quotas').select(['owner', 'bytes']).execute()
  return new Map(rows.map(({ owner, bytes }) => [owner, bytes]))
}

/** From the next upload on, on every node. `undefined`: as the server is set. */
export async function setQuota(
  db: Db<ContentTables>,
  owner: string,
  bytes: number | undefined,
): Promise<void> {
  if (bytes === undefined) await db.deleteFrom('content_quotas').where('owner', '=', owner).execute()
  else
    await db
      .insertInto('content_quotas')
      .values({ owner, bytes })
      .onConflict((conflict) => conflict.column('owner').doUpdateSet({ bytes }))
      .execute()
}
