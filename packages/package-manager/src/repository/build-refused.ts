import { ArchiveRefused, FolderRefused } from '@patchbay/package-archive'
import type { Finding } from '@patchbay/package-format/validate'
import { escapeHidden } from '@patchbay/primitives/text'

/** What is wrong with one archive or folder. */
export interface BuildFault {
  /** Stable: the reason of an archive's refusal, or one of ours. */
  readonly code: string
  /** Relative to the folder. */
  readonly source: string
  readonly message: string
  readonly findings: readonly Finding[]
}

/** Nothing was written. All that is wrong is told at once. */
export class RepositoryBuildRefused extends Error {
  override readonly name = 'RepositoryBuildRefused'
  readonly faults: readonly BuildFault[]

  constructor(faults: readonly BuildFault[]) {
    super(
      `the repository cannot be built:\n${faults.map(({ source, message }) => `  ${escapeHidden(`${source}: ${message}`)}`).join('\n')}`,
    )
    this.faults = faults
  }
}

/** For what the packer of an archive did; what the disk did is thrown on. */
export function faultOf(error: unknown, source: string): BuildFault {
  if (error instanceof ArchiveRefused) {
    return { code: error.reason, source, message: error.message, findings: error.findings ?? [] }
  }
  if (error instanceof FolderRefused)
    return { code: error.reason, source, message: error.message, findings: [] }
  throw error
}
