export {
  type Catalog,
  type CatalogEntry,
  type CatalogOptions,
  type CatalogSnapshot,
  openCatalog,
  type SharedIdentifier,
} from './catalog.ts'
export { RepositoryFailure, type RepositoryFailureCode } from './failure.ts'
export { installSourceOf } from './install-source-of.ts'
export { CLIENT_LIMITS, type ClientLimits } from './limits.ts'
export { openRepository } from './open-repository.ts'
export type {
  ArchiveDownload,
  DownloadOptions,
  QuarantinedPackage,
  ReadOptions,
  RefreshOptions,
  RefreshProgress,
  RefreshStep,
  RepositoryClient,
  RepositoryDeps,
  RepositorySource,
  Snapshot,
  TrustSource,
} from './source.ts'
