import type { Db } from '@patchbay/kernel/postgres'
import { VERSION_STATUSES } from '@patchbay/package-format'
import { type SqlBool, sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'
import { factColumns } from './facts.ts'

/**
 * What a package's row says about all of its versions: what they run on, and the one that an installation would choose,
 * all tools being equal: the highest stable one, else the highest that is not deprecated, else the highest. Its name,
 * license and whatever else an archive says about the package come from the highest of the most settled ones, so that a
 * slip in a development version changes nobody's page.
 */
export async function refreshPackage(tx: Db<RegistryTables>, identifier: string, now: Date): Promise<void> {
  await followBestVersion(tx, identifier)
  // After it: both functions look at the type of the package.
  await tx
    .updateTable('packages')
    .set({
      updated_at: now,
      fits: sql<string>`package_fits(${identifier})`,
      latest_version: sql<string>`package_version_for(${identifier}, null, null, null, null)`,
    })
    .where('identifier', '=', identifier)
    .execute()
}

/** Without a version that counts, a package stays what it was. */
async function followBestVersion(tx: Db<RegistryTables>, identifier: string): Promise<void> {
  const best = await tx
    .selectFrom('package_versions')
    .select(['package_metadata', 'package_icon_sha256'])
    .where('identifier', '=', identifier)
    .where('yanked_at', 'is', null)
    .orderBy(sql`array_position(${[...VERSION_STATUSES]}::text[], status)`)
    .orderBy('sort_key', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (best?.package_metadata == null) return
  const columns = factColumns(best.package_metadata, best.package_icon_sha256)
  await tx
    .updateTable('packages')
    .set(columns)
    .where('identifier', '=', identifier)
    // As a rule a version says the same as the one before, and every write of these goes into four indexes.
    .where(
      sql<SqlBool>`(metadata, icon_sha256) is distinct from (${columns.metadata}::jsonb, ${columns.icon_sha256}::text)`,
    )
    .execute()
}
