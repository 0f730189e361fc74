import type { Finding } from '@patchbay/package-format/validate'

export type ArchiveRefusal =
  | 'not_a_zip'
  | 'traversal'
  | 'absolute_path'
  | 'hostile_name'
  | 'duplicate_name'
  | 'case_collision'
  | 'symlink'
  | 'special_file'
  | 'ambiguous'
  | 'overlap'
  | 'encrypted'
  | 'unsupported_method'
  | 'size_mismatch'
  | 'crc_mismatch'
  | 'damaged'
  | 'bomb_ratio'
  | 'bomb_total'
  | 'too_many_entries'
  | 'too_large'
  | 'metadata_missing'
  | 'metadata_nested'
  | 'metadata_invalid'
  | 'metadata_versions'
  | 'metadata_download_fields'

export interface RefusalDetails {
  readonly entry?: string
  readonly findings?: readonly Finding[]
  readonly cause?: unknown
}

/** The archive is not acceptable. The message tells whoever packed it what to do. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
  readonly reason: ArchiveRefusal
  readonly entry?: string
  readonly findings?: readonly Finding[]

  constructor(reason: ArchiveRefusal, message: string, { entry, findings, cause }: RefusalDetails = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    if (entry !== undefined) this.entry = entry
    if (findings !== undefined) this.findings = findings
  }
}
