import type { License } from './licenses.ts'
import type { PackageType, Platform, Runtime, VersionStatus } from './vocabulary.ts'

/** A package as it stands in a list, in the neutral dialect. Keys that the contract does not know are kept. */
export interface Package {
  readonly name: string
  readonly description: string
  readonly description_full: string
  readonly identifier: string
  readonly type: PackageType
  readonly author: Contact
  readonly maintainer?: Contact
  readonly category?: string
  readonly license: License
  readonly resources: Readonly<Record<string, string>>
  readonly tags?: readonly string[]
  /** Regular expressions: what of the installed files survives an update. */
  readonly keep_on_update?: readonly string[]
  /** None: the package is no longer offered. */
  readonly versions: readonly PackageVersion[]
  readonly [unknown: string]: unknown
}

export interface PackageVersion {
  readonly version: string
  readonly version_epoch?: number
  readonly download_url?: string
  readonly download_sha256?: string
  readonly download_size?: number
  readonly install_size?: number
  readonly status: VersionStatus
  /** Absent: all. */
  readonly platforms?: readonly Platform[]
  readonly runtime?: Runtime
  readonly tool_version: string
  readonly tool_version_max?: string
  readonly keep_on_update?: readonly string[]
  readonly [unknown: string]: unknown
}

export interface Contact {
  readonly name: string
  readonly contact: Readonly<Record<string, string>>
  readonly [unknown: string]: unknown
}

export interface PackageArray {
  readonly packages: readonly Package[]
  readonly [unknown: string]: unknown
}
