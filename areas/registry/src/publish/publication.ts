import type { Publication, Visibility } from '@patchbay/contracts/registry'
import type { Inspection } from '@patchbay/package-archive'
import { type Package, type PackageVersion, versionKey } from '@patchbay/package-format'
import type { RegistrySettings } from '../deps.ts'
import { archiveUrl } from '../files/addresses.ts'
import { factColumns, factsOf } from '../packages/facts.ts'
import { OPEN_END, toolKey } from '../packages/tool-key.ts'

/** What the objects of a version are called in the store. */
export interface StoredObjects {
  readonly archive: string
  readonly icon: string | null
  readonly manifest: string
}

/** A version that is ready to become visible: everything it needs is stored. */
export interface NewVersion {
  readonly owner: string
  /** Counts for the first version of a package. */
  readonly visibility: Visibility
  readonly metadata: Package
  readonly version: PackageVersion
  readonly objects: StoredObjects
  readonly archiveSize: number
  readonly installSize: number
  readonly sourceUrl: string | null
}

/** Of the first version of a package. */
export function packageColumns({ metadata, objects }: NewVersion) {
  return factColumns(factsOf(metadata), objects.icon)
}

export function versionColumns(added: NewVersion) {
  const { metadata, version, objects, archiveSize, installSize, sourceUrl } = added
  return {
    package_metadata: JSON.stringify(factsOf(metadata)),
    package_icon_sha256: objects.icon,
    version: version.version,
    sort_key: [...versionKey(version)],
    status: version.status,
    metadata: JSON.stringify(withoutDownload(version)),
    tool_min: toolKey(version.tool_version, 0),
    tool_max: toolKey(version.tool_version_max ?? String(OPEN_END), OPEN_END),
    platforms: [...(version.platforms ?? [])],
    archive_sha256: objects.archive,
    archive_size: archiveSize,
    install_size: installSize,
    manifest_sha256: objects.manifest,
    source_url: sourceUrl,
  }
}

/** Which files with which content the archive installs, as it is stored and listed in `manifests.json`. */
export function manifestOf({ metadata, files }: Inspection): string {
  const [version] = metadata.versions
  return JSON.stringify({
    identifier: metadata.identifier,
    version: version?.version,
    files: files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
  })
}

/** Status and download fields have columns of their own: in two places they would drift apart. */
function withoutDownload(version: PackageVersion): Record<string, unknown> {
  const {
    status: _status,
    download_url: _url,
    download_sha256: _sha256,
    download_size: _size,
    install_size: _installSize,
    ...rest
  } = version
  return rest
}

export function presentPublication(
  settings: Pick<RegistrySettings, 'publicUrl'>,
  { owner, metadata, version, objects, archiveSize, installSize }: NewVersion,
  told: Pick<Publication, 'visibility' | 'is_indexed' | 'warnings'>,
): Publication {
  const { identifier } = metadata
  return {
    identifier,
    version: version.version,
    owner,
    visibility: told.visibility,
    download_url: archiveUrl(settings.publicUrl, {
      identifier,
      version: version.version,
      archiveSha256: objects.archive,
    }),
    download_sha256: objects.archive,
    download_size: archiveSize,
    install_size: installSize,
    is_indexed: told.is_indexed,
    warnings: told.warnings,
  }
}
