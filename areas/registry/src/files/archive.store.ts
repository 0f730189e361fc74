import type { Visibility } from '@patchbay/contracts'
import type { Db } from '@patchbay/kernel/postgres'
import type { RegistryTables } from '../tables.ts'

export interface ArchiveRow {
  readonly identifier: string
  readonly version: string
  readonly owner: string
  readonly visibility: Visibility
  readonly manifestSha256: string
}

/** Each is a question whether somebody may read it. */
const MOST_ASKED = 20

/** An archive names its package and version inside, so one hash is one version. */
export async function findArchive(db: Db<RegistryTables>, sha256: string): Promise<ArchiveRow | undefined> {
  return db
    .selectFrom('package_versions as v')
    .innerJoin('packages as p', 'p.identifier', 'v.identifier')
    .select(['p.identifier', 'v.version', 'p.owner', 'p.visibility', 'v.manifest_sha256 as manifestSha256'])
    .where('v.archive_sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
}

export interface IconRow {
  readonly identifier: string
  readonly owner: string
  readonly visibility: Visibility
}

/** Whose icon it is: one public package if there is any, otherwise private ones. */
export async function findIcon(db: Db<RegistryTables>, sha256: string): Promise<IconRow[]> {
  const rows = db
    .selectFrom('packages')
    .select(['identifier', 'owner', 'visibility'])
    .where('icon_sha256', '=', sha256)
  const open = await rows.where('visibility', '=', 'public').limit(1).execute()
  return open.length > 0 ? open : rows.limit(MOST_ASKED).execute()
}
