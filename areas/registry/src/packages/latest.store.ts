import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'

/**
 * What a package's row says about all of its versions: what they run on, and the one that an installation would choose,
 * all tools being equal: the highest stable one, or else the highest.
 */
export async function refreshLatest(tx: Db<RegistryTables>, identifier: string, now: Date): Promise<void> {
  await tx
    .updateTable('packages')
    .set((row) => ({
      updated_at: now,
      fits: sql<string>`package_fits(${identifier})`,
      latest_version: row
        .selectFrom('package_versions')
        .select('version')
        .where('identifier', '=', identifier)
        .orderBy(sql`status = 'stable'`, 'desc')
        .orderBy('sort_key', 'desc')
        .limit(1),
    }))
    .where('identifier', '=', identifier)
    .execute()
}
