import type { Visibility } from '@patchbay/contracts/registry'
import type { Db } from '@patchbay/kernel/postgres'
import type { PackageType } from '@patchbay/package-format'
import { sql } from 'kysely'
import type { Quarantined } from '../packages/quarantine.ts'
import type { RegistryTables } from '../tables.ts'

export interface ArchiveRow extends Quarantined {
  readonly identifier: string
  readonly version: string
  readonly owner: string
  readonly visibility: Visibility
  readonly manifestSha256: string
  /** Whether somebody else than a publisher of it has it. */
  readonly isDownloaded: boolean
  readonly size: number
}

/** Each is a question whether somebody may read it. */
const MOST_ASKED = 20

/** An archive names its package and version inside, so one hash is one version. */
export async function findArchive(db: Db<RegistryTables>, sha256: string): Promise<ArchiveRow | undefined> {
  return db
    .selectFrom('package_versions as v')
    .innerJoin('packages as p', 'p.identifier', 'v.identifier')
    .select([
      'p.identifier',
      'v.version',
      'p.owner',
      'p.visibility',
      'v.manifest_sha256 as manifestSha256',
      'v.archive_size as size',
    ])
    .select(['p.quarantined_at', 'p.quarantine_reason'])
    .select(sql<boolean>`v.first_downloaded_at is not null`.as('isDownloaded'))
    .where('v.archive_sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
}

export interface VersionRow extends ArchiveRow {
  readonly name: string
  readonly type: PackageType
  readonly sha256: string
}

/** The latest version unless one is named. */
export async function findVersion(
  db: Db<RegistryTables>,
  identifier: string,
  version: string | undefined,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('package_versions as v')
    .innerJoin('packages as p', 'p.identifier', 'v.identifier')
    .select(['p.identifier', 'p.owner', 'p.visibility', 'p.name', 'p.type', 'v.version'])
    .select(['v.manifest_sha256 as manifestSha256', 'v.archive_size as size', 'v.archive_sha256 as sha256'])
    .select(['p.quarantined_at', 'p.quarantine_reason'])
    .select(sql<boolean>`v.first_downloaded_at is not null`.as('isDownloaded'))
    .where('p.identifier', '=', identifier)
    .where('v.version', '=', version === undefined ? sql<string>`p.latest_version` : version)
    .executeTakeFirst()
}

/** One write for each version that is ever downloaded. `false`: the version was deleted meanwhile. */
export async function noteDownload(
  db: Db<RegistryTables>,
  { identifier, version }: Pick<ArchiveRow, 'identifier' | 'version'>,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with noted as (
      update package_versions set first_downloaded_at = ${now}
      where identifier = ${identifier} and version = ${version} and first_downloaded_at is null
    )
    select from package_versions where identifier = ${identifier} and version = ${version}`.execute(db)
  return rows.length > 0
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
    .where('quarantined_at', 'is', null)
  const open = await rows.where('visibility', '=', 'public').limit(1).execute()
  return open.length > 0 ? open : rows.limit(MOST_ASKED).execute()
}
