import { type Inspection, inspectArchive } from '@patchbay/package-archive'
import { compareVersions, type Package, type PackageVersion } from '@patchbay/package-format'
import type { PublishedFiles } from './published-files.ts'
import type { FindingList } from './report.ts'

export interface ArchivesChecked {
  readonly versions: number
  readonly bytes: number
  /** Files that some version names. */
  readonly names: ReadonlySet<string>
  /** By identifier and version, with a space between. */
  readonly inspections: ReadonlyMap<string, Inspection>
  /** Of the newest archive of each package. */
  readonly icons: ReadonlyMap<string, Uint8Array>
}

export interface ArchiveCheckOptions {
  readonly brand?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** Opens every archive that the list names. */
export async function checkArchives(
  packages: readonly Package[],
  files: PublishedFiles,
  found: FindingList,
  { brand, signal, onProgress }: ArchiveCheckOptions,
): Promise<ArchivesChecked> {
  const names = new Set<string>()
  const inspections = new Map<string, Inspection>()
  const icons = new Map<string, Uint8Array>()
  const total = packages.reduce((sum, { versions }) => sum + versions.length, 0)
  let done = 0
  for (const each of packages) {
    for (const version of each.versions.toSorted(compareVersions)) {
      signal?.throwIfAborted()
      onProgress?.({ done: done++, total })
      const subject = `${each.identifier} ${version.version}`
      const name = nameOf(version, subject, files, found)
      if (name === undefined) continue
      names.add(name)
      const inspection = await inspect(files.pathOf(name), subject, brand, found)
      if (inspection === undefined) continue
      compare(each, version, inspection, subject, found)
      inspections.set(subject, inspection)
      if (inspection.icon === undefined) icons.delete(each.identifier)
      else icons.set(each.identifier, inspection.icon)
    }
  }
  onProgress?.({ done, total })
  const bytes = [...inspections.values()].reduce((sum, { size }) => sum + size, 0)
  return { versions: total, bytes, names, inspections, icons }
}

function nameOf(
  { download_url: url }: PackageVersion,
  subject: string,
  files: PublishedFiles,
  found: FindingList,
): string | undefined {
  if (url === undefined) {
    found.error('no_download', subject, 'has no download_url; nobody can install it')
    return undefined
  }
  const name = files.nameOf(url)
  if (name === undefined) found.warn('outside', subject, `is published at ${url} and was not checked`)
  return name
}

async function inspect(
  path: string,
  subject: string,
  brand: string | undefined,
  found: FindingList,
): Promise<Inspection | undefined> {
  try {
    return await inspectArchive(path, brand === undefined ? {} : { brand })
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const message = error instanceof Error ? error.message : String(error)
    if (isMissing) found.error('archive_missing', subject, 'its archive is not there')
    else found.error('archive_refused', subject, message)
    return undefined
  }
}

function compare(
  { identifier }: Package,
  version: PackageVersion,
  inspection: Inspection,
  subject: string,
  found: FindingList,
): void {
  const { metadata, sha256, size, installSize } = inspection
  const {
    download_sha256: listedSha256,
    download_size: listedSize,
    install_size: listedInstallSize,
  } = version
  if (listedSha256 === undefined) found.warn('no_hash', subject, 'has no download_sha256')
  else if (listedSha256 !== sha256)
    found.error('hash_mismatch', subject, `its archive has sha256 ${sha256}, the list says ${listedSha256}`)
  if (listedSize !== undefined && listedSize !== size) {
    found.error('size_mismatch', subject, `its archive has ${size} bytes, the list says ${listedSize}`)
  }
  if (listedInstallSize !== undefined && listedInstallSize !== installSize) {
    found.warn(
      'install_size_mismatch',
      subject,
      `installs ${installSize} bytes, the list says ${listedInstallSize}`,
    )
  }
  const inside = `${metadata.identifier} ${metadata.versions[0]?.version}`
  if (inside !== `${identifier} ${version.version}`) {
    found.error('metadata_differs', subject, `its archive says that it is ${inside}`)
  }
}
