export { isBrand, NEUTRAL_BRAND } from './brand.ts'
export { chooseForInstall, chooseForUpdate } from './choice.ts'
export { type Incompatibility, incompatibilities, type Target } from './compatibility.ts'
export { readDialect, writeDialect } from './dialect.ts'
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
