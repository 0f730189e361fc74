import type { Db } from '@patchbay/kernel/postgres'
import { CompiledQuery } from 'kysely'
import type { IdentityTables } from './tables.ts'

/**
 * One question in two texts: PostgreSQL plans a statement with an array anew each time, which only pays for several rows.
 */
export interface HashQuery {
  readonly one: string
  readonly many: string
}

export function hashQuery(select: string, column: string): HashQuery {
  return { one: `${select} where ${column} = $1`, many: `${select} where ${column} = any($1)` }
}

/** The rows of these hashes, in their order. */
export async function findByHash<Row extends { readonly token_hash: Buffer }>(
  db: Db<IdentityTables>,
  { one, many }: HashQuery,
  hashes: readonly Buffer[],
): Promise<(Row | undefined)[]> {
  const query = hashes.length === 1 ? CompiledQuery.raw(one, [...hashes]) : CompiledQuery.raw(many, [hashes])
  const { rows } = await db.executeQuery<Row>(query)
  const found = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]))
  return hashes.map((hash) => found.get(hash.toString('latin1')))
}
