import type { Incompatibility } from '@patchbay/package-format'
import { escapeHidden } from '@patchbay/primitives/text'

export type InstallFailureCode =
  | 'source_failed'
  | 'unknown_package'
  | 'unknown_version'
  | 'no_compatible_version'
  | 'incompatible'
  | 'not_installed'
  | 'no_previous'
  | 'pinned'
  | 'hash_missing'
  | 'hash_mismatch'
  | 'size_mismatch'
  | 'too_large'
  | 'download_failed'
  | 'aborted'
  | 'archive_refused'
  | 'metadata_mismatch'
  | 'keep_pattern_unusable'
  | 'folder_in_the_way'
  | 'identifier_clash'
  | 'bad_identifier'
  | 'disk_full'
  | 'not_writable'
  | 'different_file_systems'
  | 'disk_failed'
  | 'locked'
  | 'state_damaged'
  | 'state_too_new'
  | 'recovery_failed'

export interface FailureDetails {
  readonly identifier?: string
  /** Of `incompatible` and `no_compatible_version`. */
  readonly incompatibilities?: readonly Incompatibility[]
  readonly cause?: unknown
}

/** Why nothing was changed. The message says what a person can do about it. */
export class InstallFailure extends Error {
  override readonly name = 'InstallFailure'
  readonly code: InstallFailureCode
  readonly identifier?: string
  readonly incompatibilities: readonly Incompatibility[]

  constructor(code: InstallFailureCode, message: string, details: FailureDetails = {}) {
    super(escapeHidden(message), details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.incompatibilities = details.incompatibilities ?? []
    if (details.identifier !== undefined) this.identifier = details.identifier
  }
}
