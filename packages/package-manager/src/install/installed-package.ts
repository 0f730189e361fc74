import type { PackageType, VersionStatus } from '@patchbay/package-format'

/** A version as it was installed, staged or kept for a rollback. Numbers grow with every change of the package. */
export interface Generation {
  readonly number: number
  readonly name: string
  readonly type: PackageType
  readonly version: string
  readonly version_epoch?: number
  readonly status: VersionStatus
  /** What its repository said when it was asked for updates; absent: it was not asked since. */
  readonly isDeprecated?: boolean
  /** As `isDeprecated`; true as well when it was yanked before it was installed. */
  readonly isYanked?: boolean
  readonly repository: string
  /** The address of the repository, where the source gave one. */
  readonly origin?: string
  /** Of the archive. */
  readonly sha256: string
  /** ISO 8601. */
  readonly installedAt: string
  /** The union of the package's and the version's patterns at that time. */
  readonly keep_on_update: readonly string[]
  /** Which of the known folders it has. */
  readonly folders: readonly string[]
}

export interface InstalledEntry {
  readonly current: Generation
  readonly previous?: Generation
}

/** A file that came with the archive. */
export interface InstalledFile {
  /** From the root, such as `plugins/com_example_blinky/main.py`. */
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** What `list` tells. */
export interface InstalledPackage {
  readonly identifier: string
  readonly name: string
  readonly type: PackageType
  readonly version: string
  readonly version_epoch?: number
  /** When it was installed. */
  readonly status: VersionStatus
  /** As far as is known here: since the install, or the last update that asked. */
  readonly isDeprecated: boolean
  readonly isYanked: boolean
  readonly repository: string
  readonly origin?: string
  readonly installedAt: string
  readonly isPinned: boolean
  readonly previousVersion?: string
}
