import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'
import type { OwnedPackage } from './owned.ts'
import type { StoredPackage, StoredVersion } from './package.ts'
import { pickKeys } from './picked-metadata.store.ts'
import { COMPATIBILITY_KEYS } from './version-metadata.ts'

/** The latest; nobody reads further down a page. */
const SHOWN_VERSIONS = 500

const PACKAGE_KEYS = [
  'name',
  'description',
  'description_full',
  'category',
  'author',
  'maintainer',
  'license',
  'resources',
  'tags',
]
const VERSION_KEYS = [...COMPATIBILITY_KEYS, 'version_epoch']

export async function findPackage(
  db: Db<RegistryTables>,
  identifier: string,
): Promise<StoredPackage | undefined> {
  return await db
    .selectFrom('packages')
    .select(['identifier', 'owner', 'visibility', 'is_listed', 'type', 'icon_sha256'])
    .select(['created_at', 'updated_at', 'quarantined_at', 'quarantine_reason'])
    .select(pickKeys('metadata', PACKAGE_KEYS).as('metadata'))
    .where('identifier', '=', identifier)
    .executeTakeFirst()
}

export async function findVersions(db: Db<RegistryTables>, identifier: string): Promise<StoredVersion[]> {
  return await db
    .selectFrom('package_versions')
    .select(['version', 'status', 'archive_sha256', 'archive_size', 'install_size'])
    .select(pickKeys('metadata', VERSION_KEYS).as('metadata'))
    .select(['published_at', 'published_by', 'provenance', 'yanked_at', 'yank_reason', 'first_downloaded_at'])
    .where('identifier', '=', identifier)
    .orderBy('sort_key', 'desc')
    .limit(SHOWN_VERSIONS)
    .execute()
}

/** All of an owner, also private and delisted ones, by identifier. */
export async function listOwned(
  db: Db<RegistryTables>,
  owner: string,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<OwnedPackage[]> {
  return await db
    .selectFrom('packages')
    .select(['identifier', 'name', 'visibility', 'is_listed', 'latest_version', 'updated_at'])
    .select((row) =>
      row
        .selectFrom('package_versions')
        .select((version) => version.fn.countAll<number>().as('count'))
        .whereRef('package_versions.identifier', '=', 'packages.identifier')
        .as('versions'),
    )
    .where('owner', '=', owner)
    .where(sql`identifier collate "C"`, '>', after)
    .orderBy(sql`identifier collate "C"`)
    .limit(limit)
    .$narrowType<{ versions: number }>()
    .execute()
}
