import { Problem } from '@patchbay/contracts/core'
import type { Visibility } from '@patchbay/contracts/registry'
import type { Db } from '@patchbay/kernel/postgres'
import { type PackageType, versionKey } from '@patchbay/package-format'
import { type SqlBool, sql } from 'kysely'
import { MAX_VERSIONS } from '../packages/package.ts'
import { refuseQuarantined } from '../packages/quarantine.ts'
import type { RegistryTables } from '../tables.ts'
import type { NewVersion } from './publication.ts'

/** What is known of a version before anything of it is stored. */
export interface Candidate extends Pick<NewVersion, 'owner' | 'metadata' | 'version'> {
  readonly archiveSha256: string
}

export interface Taken {
  readonly identifier: string
  readonly owner: string
  readonly visibility: Visibility
  readonly type: PackageType
  readonly quarantined_at: Date | null
  readonly quarantine_reason: string | null
}

/**
 * Refuses what would be refused anyway, before its archive is in the store, where nothing would ever remove it. Holds
 * no lock: of two at once the transaction decides.
 */
export async function refuseConflicts(db: Db<RegistryTables>, candidate: Candidate): Promise<void> {
  const taken = await findTaken(db, candidate.metadata.identifier).executeTakeFirst()
  if (taken === undefined) return
  await requireFitting(db, taken, candidate)
  await isPublished(db, candidate)
}

/** The package that has this identifier, in any case of letters. */
export function findTaken(db: Db<RegistryTables>, identifier: string) {
  return db
    .selectFrom('packages')
    .select(['identifier', 'owner', 'visibility', 'type', 'quarantined_at', 'quarantine_reason'])
    .where('folded_identifier', '=', identifier.toLowerCase())
}

/** Of the same owner, under the same name, and still what it was: whoever has a plugin cannot update to a library. */
export async function requireFitting(
  db: Db<RegistryTables>,
  taken: Taken,
  { owner, metadata }: Candidate,
): Promise<void> {
  if (taken.owner !== owner) throw new Problem('identifier_taken')
  if (taken.identifier !== metadata.identifier)
    throw new Problem('identifier_taken', {
      detail: `It is published as ${taken.identifier}; upper and lower case are no difference.`,
    })
  if (taken.quarantined_at !== null) throw refuseQuarantined(taken.quarantine_reason)
  if (taken.type !== metadata.type && (await countVersions(db, taken.identifier)) > 0)
    throw new Problem('type_change_refused', {
      detail: `${taken.identifier} is published with the type ${taken.type}, and this archive says ${metadata.type}. Publish it under another identifier.`,
    })
}

/** Whether these very bytes are published. Another archive in their place, or one too many, is refused. */
export async function isPublished(db: Db<RegistryTables>, candidate: Candidate): Promise<boolean> {
  const { metadata, version, archiveSha256 } = candidate
  const others = await findSameVersion(db, candidate)
  const isSame = (other: SameVersion) =>
    other.version === version.version && other.archive_sha256 === archiveSha256
  if (others.some((other) => !other.isDeleted && isSame(other))) return true
  const [conflict] = others.filter((other) => !isSame(other))
  if (conflict !== undefined) throw refuseVersion(candidate, conflict)
  const count = await countVersionsEver(db, metadata.identifier)
  if (count < MAX_VERSIONS) return false
  throw new Problem('limit_reached', {
    detail: `${metadata.identifier} has ${count} versions; a package can have ${MAX_VERSIONS}.`,
  })
}

async function countVersions(db: Db<RegistryTables>, identifier: string): Promise<number> {
  const { count } = await db
    .selectFrom('package_versions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('identifier', '=', identifier)
    .executeTakeFirstOrThrow()
  return count
}

/** With those that were deleted, of which something is kept forever. */
async function countVersionsEver(db: Db<RegistryTables>, identifier: string): Promise<number> {
  const versionsOf = (table: 'package_versions' | 'deleted_versions') =>
    db.selectFrom(table).select('version').where('identifier', '=', identifier)
  const { count } = await db
    .selectFrom(versionsOf('package_versions').union(versionsOf('deleted_versions')).as('ever'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

interface SameVersion {
  readonly version: string
  readonly archive_sha256: string
  readonly isDeleted: boolean
}

/**
 * By its text, or by its numbers: "1.0" and "1.0.0" would be two versions that are one, also when their epochs differ.
 */
async function findSameVersion(
  db: Db<RegistryTables>,
  { metadata, version }: Candidate,
): Promise<SameVersion[]> {
  const [, ...numbers] = versionKey(version)
  const within = (table: 'package_versions' | 'deleted_versions') =>
    db
      .selectFrom(table)
      .select([
        'version',
        'archive_sha256',
        sql<boolean>`${sql.lit(table === 'deleted_versions')}`.as('isDeleted'),
      ])
      .where('identifier', '=', metadata.identifier)
      .where((row) =>
        row.or([row('version', '=', version.version), sql<SqlBool>`sort_key[2:4] = ${numbers}::numeric[]`]),
      )
  return await within('package_versions').unionAll(within('deleted_versions')).execute()
}

/** A design tool shows the entry that fits and then installs the first of this text, which may be for another platform. */
const BY_TEXT =
  'Design tools tell versions apart by this text alone, so another platform, runtime or epoch makes no other version. Raise the version: one for each platform or runtime, or one archive for all of them.'

function refuseVersion(
  { metadata, version }: Candidate,
  { version: published, isDeleted }: SameVersion,
): Problem {
  const name = `${metadata.identifier} ${published}`
  if (isDeleted)
    return new Problem('version_exists', {
      detail: `${name} was deleted, and a deleted version never comes back with other content. Raise the version.`,
    })
  return new Problem('version_exists', {
    detail:
      published === version.version
        ? `${name} is published with other content, and published versions never change. ${BY_TEXT}`
        : `${name} is published, and ${version.version} is the same version in another spelling. ${BY_TEXT}`,
  })
}
