import { Problem, type Visibility } from '@patchbay/contracts'
import type { Db } from '@patchbay/kernel/postgres'
import { versionKey } from '@patchbay/package-format'
import { sql, type SqlBool } from 'kysely'
import type { RegistryTables } from '../tables.ts'
import type { NewVersion } from './publication.ts'

/** Every tool reads all of them at every start. The public package with the most has 188 today. */
const MAX_VERSIONS = 1_000

/** What is known of a version before anything of it is stored. */
export interface Candidate extends Pick<NewVersion, 'owner' | 'metadata' | 'version'> {
  readonly archiveSha256: string
}

export interface Taken {
  readonly identifier: string
  readonly owner: string
  readonly visibility: Visibility
}

/**
 * Refuses what would be refused anyway, before its archive is in the store, where nothing would ever remove it. Holds
 * no lock: of two at once the transaction decides.
 */
export async function refuseConflicts(db: Db<RegistryTables>, candidate: Candidate): Promise<void> {
  const taken = await findTaken(db, candidate.metadata.identifier).executeTakeFirst()
  if (taken === undefined) return
  requireOwn(taken, candidate)
  await isPublished(db, candidate)
}

/** The package that has this identifier, in any case of letters. */
export function findTaken(db: Db<RegistryTables>, identifier: string) {
  return db
    .selectFrom('packages')
    .select(['identifier', 'owner', 'visibility'])
    .where('folded_identifier', '=', identifier.toLowerCase())
}

export function requireOwn(taken: Taken, { owner, metadata }: Candidate): void {
  if (taken.owner !== owner) throw new Problem('identifier_taken')
  if (taken.identifier !== metadata.identifier)
    throw new Problem('identifier_taken', {
      detail: `It is published as ${taken.identifier}; upper and lower case are no difference.`,
    })
}

/** Whether these very bytes are published. Another archive in their place, or one too many, is refused. */
export async function isPublished(db: Db<RegistryTables>, candidate: Candidate): Promise<boolean> {
  const { metadata, version, archiveSha256 } = candidate
  const others = await findSameVersion(db, candidate)
  if (others.some((other) => other.version === version.version && other.archive_sha256 === archiveSha256))
    return true
  if (others.length > 0) throw refuseVersion(candidate, others[0]?.version)
  const { count } = await db
    .selectFrom('package_versions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('identifier', '=', metadata.identifier)
    .executeTakeFirstOrThrow()
  if (count < MAX_VERSIONS) return false
  throw new Problem('limit_reached', {
    detail: `${metadata.identifier} has ${count} versions; a package can have ${MAX_VERSIONS}.`,
  })
}

/**
 * By its text, or by its numbers: "1.0" and "1.0.0" would be two versions that are one, also when their epochs differ.
 */
async function findSameVersion(db: Db<RegistryTables>, { metadata, version }: Candidate) {
  const [, ...numbers] = versionKey(version)
  return await db
    .selectFrom('package_versions')
    .select(['version', 'archive_sha256'])
    .where('identifier', '=', metadata.identifier)
    .where((row) =>
      row.or([row('version', '=', version.version), sql<SqlBool>`sort_key[2:4] = ${numbers}::integer[]`]),
    )
    .execute()
}

function refuseVersion({ metadata, version }: Candidate, published = version.version): Problem {
  const name = `${metadata.identifier} ${published}`
  return new Problem('version_exists', {
    detail:
      published === version.version
        ? `${name} is published with other content. Published versions never change. Raise the version.`
        : `${name} is published, and ${version.version} is the same version in another spelling. Raise the version.`,
  })
}
