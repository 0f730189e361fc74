export { brandOfList, isBrand, NEUTRAL_BRAND } from './brand.ts'
export { chooseForInstall, chooseForUpdate, preferredVersion } from './choice.ts'
export { type Incompatibility, incompatibilities, runtimesOf, type Target } from './compatibility.ts'
export { readDialect, readForTool, writeDialect } from './dialect.ts'
export { LICENSES, type License } from './licenses.ts'
export type { Contact, Package, PackageArray, PackageVersion } from './package.ts'
export {
  IDENTIFIER_PATTERN,
  SHA256_PATTERN,
  TAG_PATTERN,
  TOOL_VERSION_PATTERN,
  VERSION_PATTERN,
} from './patterns.ts'
export type { Repository, RepositoryResource } from './repository.ts'
export { rankPackages, type Searchable } from './search.ts'
export { formatUpdateTime, updateTimeOffset } from './update-time.ts'
export { isCompatUrl, isContractUrl, linkOf } from './url.ts'
export { compareVersions, type Versioned, type VersionKey, versionKey } from './version.ts'
export {
  DEFAULT_RUNTIME,
  PACKAGE_TYPES,
  type PackageType,
  PLATFORMS,
  type Platform,
  RUNTIMES,
  type Runtime,
  STATUS_CHANGES,
  VERSION_STATUSES,
  type VersionStatus,
} from './vocabulary.ts'
export { YANKED_VERSIONS, type YankedVersion, yankedVersionsOf } from './yanked.ts'
