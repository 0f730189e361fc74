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
