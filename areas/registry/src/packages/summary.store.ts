import type { Db } from '@patchbay/kernel/postgres'
import type { Expression } from 'kysely'
import type { RegistryTables } from '../tables.ts'
import { pickKeys } from './picked-metadata.store.ts'
import type { StoredSummary } from './summary.ts'
import { COMPATIBILITY_KEYS } from './version-metadata.ts'

/** In the order given, each with the version that the expression names. */
export async function findSummaries(
  db: Db<RegistryTables>,
  identifiers: readonly string[],
  version: Expression<string | null>,
): Promise<StoredSummary[]> {
  if (identifiers.length === 0) return []
  const rows = await db
    .selectFrom('packages')
    .leftJoin('package_versions', (join) =>
      join
        .onRef('package_versions.identifier', '=', 'packages.identifier')
        .on('package_versions.version', '=', version),
    )
    .select(['packages.identifier', 'owner', 'name', 'description', 'type', 'author', 'license', 'tags'])
    .select(['icon_sha256', 'visibility', 'version', 'status', 'published_at'])
    .select(pickKeys('package_versions.metadata', COMPATIBILITY_KEYS).as('version_metadata'))
    .where('packages.identifier', '=', (row) => row.fn.any(row.val([...identifiers])))
    .execute()
  const found = new Map(rows.map((row) => [row.identifier, row]))
  return identifiers.flatMap((identifier) => found.get(identifier) ?? [])
}
