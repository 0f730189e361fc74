import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'

export interface FoundChange {
  readonly at: Date
  readonly actor: string
  readonly credential: string
  readonly action: string
  readonly identifier: string
  readonly version: string | null
  readonly detail: string
}

/** Of all owners, the newest first. */
export async function searchAudit(
  db: Db<RegistryTables>,
  text: string,
  limit: number,
): Promise<FoundChange[]> {
  const { rows } = await sql<FoundChange>`
    select at, actor, credential, action, identifier, version, detail from registry_audit
    where position(lower(${text}) in lower(concat_ws(' ', actor, credential, owner, identifier, action))) > 0
    order by id desc limit ${limit}`.execute(db)
  return rows
}

export async function countPackages(db: Db<RegistryTables>) {
  const { rows } = await sql<{ packages: number; quarantined: number }>`
    select count(*)::int as packages, count(quarantined_at)::int as quarantined from packages`.execute(db)
  return rows[0] ?? { packages: 0, quarantined: 0 }
}

export async function countPackagesOf(db: Db<RegistryTables>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ owner: string; packages: number }>`
    select owner, count(*)::int as packages from packages group by owner`.execute(db)
  return new Map(rows.map(({ owner, packages }) => [owner, packages]))
}
