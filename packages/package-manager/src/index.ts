export {
  type ArchiveDownload,
  type Catalog,
  type CatalogEntry,
  type CatalogOptions,
  type CatalogSnapshot,
  CLIENT_LIMITS,
  type ClientLimits,
  type DownloadOptions,
  installSourceOf,
  openCatalog,
  openRepository,
  type QuarantinedPackage,
  type ReadOptions,
  type RefreshOptions,
  type RefreshProgress,
  type RefreshStep,
  type RepositoryClient,
  type RepositoryDeps,
  RepositoryFailure,
  type RepositoryFailureCode,
  type RepositorySource,
  type SharedIdentifier,
  type Snapshot,
  type TrustSource,
} from './client/index.ts'
export type {
  Change,
  Failed,
  InstallOptions,
  OperationOptions,
  Progress,
  Skipped,
  UpdateReport,
} from './install/change.ts'
export { InstallFailure, type InstallFailureCode } from './install/install-failure.ts'
export type { ArchiveStream, InstallSource, OpenOptions, PackageOffer } from './install/install-source.ts'
export type { InstalledPackage } from './install/installed-package.ts'
export { type ManagerDeps, type ManagerOptions, openManager, type PackageManager } from './install/manager.ts'
export type { FileReport } from './install/operations/check-files.ts'
export type { Outdated, OutdatedReport } from './install/operations/list.ts'
export { withRootLock } from './install/root-lock.ts'
