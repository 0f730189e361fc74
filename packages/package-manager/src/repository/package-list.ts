import type { Inspection } from '@patchbay/package-archive'
import { compareVersions, type Package, type PackageVersion } from '@patchbay/package-format'
import { groupBy } from '../group-by.ts'
import type { BuildFault } from './build-refused.ts'
import type { ReadSource } from './read-sources.ts'

/** One version that will be offered. */
export interface OfferedVersion extends ReadSource {
  readonly identifier: string
  readonly version: PackageVersion
}

export interface PackageList {
  /** In the neutral dialect, sorted by identifier; versions newest first. */
  readonly packages: readonly Package[]
  readonly versions: readonly OfferedVersion[]
  readonly faults: readonly BuildFault[]
}

/** Below the base address. Identifiers and versions have no character that needs care in an address. */
export function archiveName(identifier: string, version: string): string {
  return `archives/${identifier}-${version}.zip`
}

export function manifestName(identifier: string, version: string): string {
  return `manifests/${identifier}-${version}.json`
}

/** The list that a set of archives makes. What describes a package is in its newest archive. */
export function listPackages(read: readonly ReadSource[], baseUrl: string): PackageList {
  const faults: BuildFault[] = []
  const offered = new Map<string, OfferedVersion>()
  const spellings = new Map<string, string>()
  for (const source of read) {
    const version = versionOf(source.inspection)
    const { identifier } = source.inspection.metadata
    const name = archiveName(identifier, version.version)
    const same = offered.get(name)
    const spelling = spellings.get(identifier.toLowerCase()) ?? identifier
    spellings.set(identifier.toLowerCase(), spelling)
    if (spelling !== identifier) faults.push(differentCase(source, spelling))
    else if (same === undefined)
      offered.set(name, { ...source, identifier, version: listed(source, name, baseUrl) })
    else if (same.inspection.sha256 !== source.inspection.sha256) faults.push(differentBytes(source, same))
  }
  const versions = [...offered.values()].toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1))
  const groups = groupBy(versions, ({ identifier }) => identifier)
  return { packages: [...groups.values()].flatMap(describePackage), versions, faults }
}

function describePackage(versions: readonly OfferedVersion[]): Package[] {
  const sorted = versions.toSorted((a, b) => compareVersions(b.version, a.version) || spelledBefore(a, b))
  const [newest] = sorted
  if (newest === undefined) return []
  return [{ ...newest.inspection.metadata, versions: sorted.map(({ version }) => version) }]
}

/** "1" and "1.0" are the same number; without this their order would be that of the disk. */
function spelledBefore(a: OfferedVersion, b: OfferedVersion): number {
  return a.version.version < b.version.version ? -1 : 1
}

function listed({ inspection }: ReadSource, name: string, baseUrl: string): PackageVersion {
  return {
    ...versionOf(inspection),
    download_sha256: inspection.sha256,
    download_size: inspection.size,
    download_url: `${baseUrl}${name}`,
    install_size: inspection.installSize,
  }
}

function versionOf({ metadata }: Inspection): PackageVersion {
  const [version] = metadata.versions
  if (version === undefined) throw new TypeError('an inspected archive has exactly one version')
  return version
}

function differentBytes({ source, inspection }: ReadSource, same: OfferedVersion): BuildFault {
  const what = `${same.identifier} ${same.version.version}`
  const message = `${what} is in ${same.source} too, with other bytes (${inspection.sha256.slice(0, 12)} and ${same.inspection.sha256.slice(0, 12)}); remove one, or raise the version`
  return { code: 'duplicate_version', source, message, findings: [] }
}

function differentCase({ source, inspection }: ReadSource, spelling: string): BuildFault {
  const message = `${inspection.metadata.identifier} and ${spelling} differ in upper and lower case alone; use one spelling`
  return { code: 'case_collision', source, message, findings: [] }
}
