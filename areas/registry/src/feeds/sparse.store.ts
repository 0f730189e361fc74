import type { Db } from '@patchbay/kernel/postgres'
import type { RegistryTables } from '../tables.ts'
import { selectRecords } from './feed-read.store.ts'
import type { PackageRecord } from './listed-package.ts'

/** Private packages have no sparse file: its address is for anyone. */
export async function findPublicRecords(
  db: Db<RegistryTables>,
  identifiers: readonly string[],
): Promise<PackageRecord[]> {
  return selectRecords(db)
    .where('p.identifier', 'in', identifiers)
    .where('p.visibility', '=', 'public')
    .where('p.quarantined_at', 'is', null)
    .execute()
}

/** Why a public package is in quarantine; `undefined`: it is not. */
export async function findQuarantineReason(
  db: Db<RegistryTables>,
  identifier: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('packages')
    .select('quarantine_reason')
    .where('identifier', '=', identifier)
    .where('visibility', '=', 'public')
    .where('quarantined_at', 'is not', null)
    .executeTakeFirst()
  return row === undefined ? undefined : (row.quarantine_reason ?? '')
}

/** What was signed last; `undefined` until it was. */
export async function findSignedSparse(
  db: Db<RegistryTables>,
  brand: string,
  identifier: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sparse_files')
    .select('body')
    .where('brand', '=', brand)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  return row?.body
}
