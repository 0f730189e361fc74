import type { Client } from 'pg'
import type { AppliedMigration } from './migration.ts'

/** One lock per database, the same for every version: "patc", "hbay". */
export const MIGRATION_LOCK = [0x70617463, 0x68626179] as const

/** Reads what was applied. The table is only created where it is missing: a node that applies nothing may lack the right. */
export async function readApplied(client: Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  )
  if (found[0]?.exists !== true) {
    await client.query(`
      create table schema_migrations (
        area text not null,
        number integer not null,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now(),
        kind text not null default 'contract',
        primary key (area, number)
      )`)
  }
  // As JSON the row is read with or without its kind: of a database that is yet to get the column, all are `contract`.
  const { rows } = await client.query<AppliedMigration>(
    `select area, number, name, sha256, applied_at as "appliedAt", coalesce(to_jsonb(m) ->> 'kind', 'contract') as kind
     from schema_migrations m order by area, number`,
  )
  return rows
}

/** Who keeps the others waiting, for the operator. */
export async function lockHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; application: string; address: string | null }>(
    `select a.pid, a.application_name as application, host(a.client_addr) as address
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.objsubid = 2
       and l.classid = $1::bigint::oid and l.objid = $2::bigint::oid
       and l.database = (select oid from pg_database where datname = current_database())`,
    [...MIGRATION_LOCK],
  )
  const [holder] = rows
  if (holder === undefined) return 'it has just gone'
  return `server process ${holder.pid}, "${holder.application}" from ${holder.address ?? 'the same machine'}`
}
