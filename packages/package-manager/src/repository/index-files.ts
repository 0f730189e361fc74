import {
  type Contact,
  formatUpdateTime,
  NEUTRAL_BRAND,
  type Package,
  type Repository,
  type RepositoryResource,
  writeDialect,
} from '@patchbay/package-format'
import { sha256Of } from '../client/body.ts'
import { manifestName, type OfferedVersion } from './package-list.ts'

/** The same value makes the same bytes. */
export function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

export function packagesFile(packages: readonly Package[], brand = NEUTRAL_BRAND): Uint8Array {
  return jsonBytes(writeDialect({ packages }, brand))
}

/** What is in an archive, so that an installation can be compared with it file by file. */
export function manifestFile({ identifier, version, inspection }: OfferedVersion): Uint8Array {
  const files = inspection.files.map(({ path, size, sha256 }) => ({ path, size, sha256 }))
  return jsonBytes({ identifier, version: version.version, files })
}

/** By package and version: where the manifest is, and its hash. */
export function manifestsFile(versions: readonly OfferedVersion[], baseUrl: string): Uint8Array {
  const manifests: Record<string, Record<string, { readonly url: string; readonly sha256: string }>> = {}
  for (const offered of versions.toSorted((a, b) => (a.version.version < b.version.version ? -1 : 1))) {
    const { identifier, version } = offered
    const url = `${baseUrl}${manifestName(identifier, version.version)}`
    const entry = { url, sha256: sha256Of(manifestFile(offered)) }
    manifests[identifier] = { ...manifests[identifier], [version.version]: entry }
  }
  const sorted = Object.entries(manifests).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return jsonBytes({ manifests: Object.fromEntries(sorted) })
}

export function resourceOf(url: string, sha256: string, timestamp: number): RepositoryResource {
  return { url, sha256, update_timestamp: timestamp, update_time_utc: formatUpdateTime(timestamp) }
}

export interface IndexParts {
  readonly name: string
  readonly maintainer: Contact | undefined
  readonly packages: RepositoryResource
  /** Absent: no package has an icon. */
  readonly resources: RepositoryResource | undefined
  readonly manifests: RepositoryResource
}

export function repositoryFile({ name, maintainer, packages, resources, manifests }: IndexParts): Uint8Array {
  const repository: Repository = {
    name,
    ...(maintainer === undefined ? {} : { maintainer }),
    packages,
    ...(resources === undefined ? {} : { resources }),
    manifests,
  }
  return jsonBytes(repository)
}
