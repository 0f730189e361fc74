import { hash } from 'node:crypto'
import { Problem } from '@patchbay/contracts/core'
import type { Publication, Visibility } from '@patchbay/contracts/registry'
import { type Inspection, inspectArchive } from '@patchbay/package-archive'
import type { Package } from '@patchbay/package-format'
import { findPublishFaults } from '@patchbay/package-format/publish-faults'
import { findPackageFaults } from '@patchbay/package-format/validate'
import type { Publisher, RegistryDeps } from '../deps.ts'
import { noteLoose } from '../packages/loose-objects.store.ts'
import { refuseConflicts } from './conflicts.store.ts'
import type { Fault } from './fault.ts'
import { findOversize } from './metadata-size.ts'
import { manifestOf, type NewVersion, type StoredObjects } from './publication.ts'
import { asArchiveProblem, refuseArchive, refuseMetadata } from './refusals.ts'
import { type SpooledArchive, spoolArchive } from './spool.io.ts'

/** Windows opens a device for these, with any extension: nobody there could keep a file of such a package. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)/i

/** What the format allows and this service does not take. */
function findStorageFaults(metadata: Package): Fault[] {
  return [
    ...findOversize(metadata),
    ...(DEVICE.test(metadata.identifier)
      ? [{ pointer: '/identifier', code: 'reserved_name', message: 'begins with the name of a device' }]
      : []),
    ...findPublishFaults(metadata)
      .filter(({ severity }) => severity === 'error')
      .map(({ pointer, message, code }) => ({ pointer, message, code })),
    ...findUnwritable(metadata),
  ]
}

/** PostgreSQL stores neither NUL nor half a character; without this the whole publication would be our failure. */
function findUnwritable(value: unknown, pointer = ''): Fault[] {
  if (typeof value === 'string') return isWritable(value) ? [] : [unwritable(pointer)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return isWritable(key) ? findUnwritable(item, place) : [unwritable(pointer)]
  })
}

function isWritable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function unwritable(pointer: string): Fault {
  return { pointer, code: 'unwritable_text', message: 'contains NUL or half of a surrogate pair' }
}

export interface Submission {
  readonly who: Publisher
  readonly owner: string
  readonly visibility: Visibility
  /** Fails with a problem beyond the limit of bytes. */
  readonly content: AsyncIterable<Uint8Array>
  readonly sourceUrl?: string
  readonly expectedSha256?: string | undefined
}

export interface Received {
  readonly version: NewVersion
  readonly warnings: Publication['warnings']
}

/**
 * Takes an archive in, examines it and stores what a version needs. Nothing of it can be seen yet. Whether they may
 * publish under its identifier is asked as soon as that is known; it is inside the archive.
 */
export async function receiveArchive(deps: RegistryDeps, submission: Submission): Promise<Received> {
  const { db, access, settings } = deps
  const { who, owner, visibility, expectedSha256, sourceUrl = null } = submission
  await using archive = await spoolArchive(settings.spoolFolder, submission.content)
  const inspection = await inspect(archive.path, settings)
  const { metadata, sha256, size, installSize } = inspection
  if (!(await access.isAllowed(who, owner, metadata.identifier, 'write'))) throw new Problem('not_permitted')
  if (expectedSha256 !== undefined && expectedSha256 !== sha256)
    throw refuseArchive(
      'sha256_mismatch',
      `The archive has the SHA-256 ${sha256}, not the one that was given.`,
    )
  const faults = findStorageFaults(metadata)
  if (faults.length > 0) throw refuseMetadata(faults)
  const [version] = metadata.versions
  if (version === undefined) throw refuseArchive('metadata_versions', 'The metadata names no version.')
  await refuseConflicts(db, { owner, metadata, version, archiveSha256: sha256 })
  const objects = await storeObjects(deps, archive, inspection)
  return {
    version: { owner, visibility, metadata, version, objects, archiveSize: size, installSize, sourceUrl },
    warnings: warningsOf(inspection),
  }
}

async function inspect(
  path: string,
  { brands, maxArchiveBytes }: RegistryDeps['settings'],
): Promise<Inspection> {
  try {
    return await inspectArchive(path, { brands, limits: { maxArchiveBytes } })
  } catch (error) {
    throw asArchiveProblem(error)
  }
}

/** The archive last: it is the one that others look for. */
async function storeObjects(
  { db, objects, clock }: RegistryDeps,
  archive: SpooledArchive,
  inspection: Inspection,
): Promise<StoredObjects> {
  const { icon, sha256 } = inspection
  const manifest = Buffer.from(manifestOf(inspection))
  const names = {
    archive: sha256,
    icon: icon === undefined ? null : hashOf(icon),
    manifest: hashOf(manifest),
  }
  await noteLoose(db, Object.values(names), clock.now())
  await objects.put(piece(manifest))
  if (icon !== undefined) await objects.put(piece(icon))
  await objects.put(archive.read(), { expectedSha256: sha256 })
  return names
}

function hashOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

async function* piece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function warningsOf({ metadata, warnings }: Inspection): Publication['warnings'] {
  return [
    ...[...findPackageFaults(metadata), ...findPublishFaults(metadata)]
      .filter(({ severity }) => severity === 'warning')
      .map(({ pointer, message }) => ({ pointer, message })),
    ...warnings.map((message) => ({ pointer: '', message })),
  ]
}
