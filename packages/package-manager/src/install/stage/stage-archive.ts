import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ARCHIVE_LIMITS,
  ArchiveRefused,
  type ExtractedFile,
  extractArchive,
  inspectArchive,
} from '@patchbay/package-archive'
import type { Package, PackageVersion } from '@patchbay/package-format'
import type { OperationOptions } from '../change.ts'
import { InstallFailure } from '../install-failure.ts'
import type { PackageOffer } from '../install-source.ts'
import { folderNameOf } from '../layout.ts'
import type { Workplace } from '../workplace.ts'
import { downloadArchive } from './download-archive.ts'
import { aborted, explainSourceFailure } from './source-failure.ts'

export interface StagedArchive {
  readonly sha256: string
  readonly files: readonly ExtractedFile[]
}

/** Downloads the archive of a version and extracts it into a folder that is not there yet. */
export async function stageArchive(
  place: Workplace,
  { offer, version, home }: { offer: PackageOffer; version: PackageVersion; home: string },
  options: OperationOptions,
): Promise<StagedArchive> {
  const { identifier } = offer.package
  const { layout, brands, limits, step } = place
  if (version.download_sha256 === undefined && options.allowUnverified !== true)
    throw new InstallFailure(
      'hash_missing',
      `the repository gives no hash for ${identifier} ${version.version}, so nobody can tell whether the archive is the right one: ask the author to add it, or allow unverified archives`,
      { identifier },
    )
  await refuseLackOfSpace(layout.state, identifier, version)
  await mkdir(layout.downloads, { recursive: true })
  const archive = join(layout.downloads, `${folderNameOf(identifier)}.zip`)
  try {
    const sha256 = await download(place, offer, version, archive, options)
    await step('downloaded')
    checkMetadata((await inspectArchive(archive, { brands, limits })).metadata, offer.package, version)
    if (options.signal?.aborted === true) throw aborted(identifier, options.signal.reason)
    const { files } = await extractArchive(archive, {
      into: home,
      identifier,
      limits,
      onProgress: (bytes, total) => options.onProgress?.({ identifier, phase: 'extract', bytes, total }),
    })
    await step('extracted')
    return { sha256, files }
  } catch (error) {
    throw error instanceof ArchiveRefused ? refusedArchive(identifier, error) : error
  } finally {
    await rm(archive, { force: true })
  }
}

async function download(
  { limits, step }: Workplace,
  offer: PackageOffer,
  version: PackageVersion,
  path: string,
  { signal, allowUnverified, onProgress }: OperationOptions,
): Promise<string> {
  const { identifier } = offer.package
  const { download_sha256: sha256, download_size: size } = version
  const opened = await offer
    .open(version, { ...(signal && { signal }), ...(allowUnverified === true && { allowUnverified }) })
    .catch((error: unknown) => {
      throw explainSourceFailure(error, identifier, signal)
    })
  await step('download opened')
  const total = size ?? opened.size
  const maxBytes = limits.maxArchiveBytes ?? ARCHIVE_LIMITS.maxArchiveBytes
  return downloadArchive(
    opened,
    path,
    { identifier, maxBytes, ...(sha256 !== undefined && { sha256 }), ...(size !== undefined && { size }) },
    {
      ...(signal && { signal }),
      onBytes: (bytes) =>
        onProgress?.({ identifier, phase: 'download', bytes, ...(total !== undefined && { total }) }),
    },
  )
}

/** The archive and what is in it are on the disk at the same time. */
async function refuseLackOfSpace(folder: string, identifier: string, version: PackageVersion): Promise<void> {
  const needed = (version.download_size ?? 0) + (version.install_size ?? 0)
  const { bavail, bsize } = await statfs(folder)
  if (needed <= bavail * bsize) return
  throw new InstallFailure(
    'disk_full',
    `${identifier} ${version.version} needs ${needed} bytes, and ${bavail * bsize} are free: free some space and try again`,
    { identifier },
  )
}

function refusedArchive(identifier: string, cause: ArchiveRefused): InstallFailure {
  const message = `the archive of ${identifier} is refused (${cause.reason}): ${cause.message}`
  return new InstallFailure('archive_refused', message, { identifier, cause })
}

/** An archive that says it is something else than the index says is not installed under the name of either. */
function checkMetadata(archived: Package, listed: Package, version: PackageVersion): void {
  const differences = [
    ['identifier', archived.identifier, listed.identifier],
    ['version', archived.versions[0]?.version, version.version],
    ['type', archived.type, listed.type],
  ].filter(([, inside, outside]) => inside !== outside)
  if (differences.length === 0) return
  const said = differences.map(([what, inside, outside]) => `${what} is ${inside} instead of ${outside}`)
  throw new InstallFailure(
    'metadata_mismatch',
    `the archive of ${listed.identifier} ${version.version} holds something else: ${said.join(', ')}. Tell the author`,
    { identifier: listed.identifier },
  )
}
