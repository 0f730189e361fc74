import type { InstallFailure } from './install-failure.ts'

export interface OperationOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Take a version that does not run here, do without patterns that take too long, and install again what is installed. */
  readonly force?: boolean
  /** Take an archive that the index gives no hash for. */
  readonly allowUnverified?: boolean
  /** Update from another repository than the package was installed from. */
  readonly allowOtherOrigin?: boolean
}

export interface InstallOptions extends OperationOptions {
  readonly version?: string
}

export interface Progress {
  readonly identifier: string
  readonly phase: 'download' | 'extract'
  readonly bytes: number
  readonly total?: number
}

/** What an operation did to one package. */
export interface Change {
  readonly identifier: string
  readonly kind: 'installed' | 'updated' | 'rolled_back' | 'removed' | 'unchanged'
  /** Absent when it was not installed before. */
  readonly from?: string
  /** Absent when it is no longer installed. */
  readonly to?: string
  /** Files of the earlier version that were carried over, from the root. */
  readonly kept: readonly string[]
  /** Sentences for a person. */
  readonly warnings: readonly string[]
}

export interface Skipped {
  readonly identifier: string
  readonly reason:
    | 'pinned'
    | 'up_to_date'
    | 'deprecated'
    | 'yanked'
    | 'not_offered'
    | 'delisted'
    | 'other_origin'
  readonly message: string
}

export interface Failed {
  readonly identifier: string
  readonly failure: InstallFailure
}

export interface UpdateReport {
  readonly updated: readonly Change[]
  readonly skipped: readonly Skipped[]
  readonly failed: readonly Failed[]
}
