import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'

export interface Lease {
  readonly name: string
  /** Who asks; absent: somebody new, named by the database. */
  readonly holder?: string | undefined
  readonly seconds: number
}

/**
 * Takes or prolongs a lease in one statement, by the clock of the database: those of the nodes may differ. Answers the
 * holder, or `undefined` while somebody else has it.
 */
export async function takeLease(
  db: Db<RegistryTables>,
  { name, holder, seconds }: Lease,
): Promise<string | undefined> {
  const { rows } = await sql<{ holder: string }>`
    insert into index_leases (name, holder, until)
    values (${name}, coalesce(${holder ?? null}::text, gen_random_uuid()::text),
      clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where index_leases.until < clock_timestamp() or index_leases.holder = excluded.holder
    returning holder`.execute(db)
  return rows[0]?.holder
}

export async function giveLeaseBack(db: Db<RegistryTables>, name: string, holder: string): Promise<void> {
  await db.deleteFrom('index_leases').where('name', '=', name).where('holder', '=', holder).execute()
}
