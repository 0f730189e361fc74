import { InstallFailure } from '../install-failure.ts'

/** A source may have found out itself. */
const KNOWN_CODES = ['hash_mismatch', 'size_mismatch', 'too_large'] as const

export function explainSourceFailure(
  cause: unknown,
  identifier: string,
  signal?: AbortSignal,
): InstallFailure {
  if (signal?.aborted === true) return aborted(identifier, cause)
  const known = KNOWN_CODES.find((code) => cause instanceof Error && 'code' in cause && cause.code === code)
  const why = cause instanceof Error ? cause.message : String(cause)
  return new InstallFailure(
    known ?? 'download_failed',
    `the archive of ${identifier} could not be downloaded: ${why}`,
    { identifier, cause },
  )
}

export function aborted(identifier: string, cause?: unknown): InstallFailure {
  return new InstallFailure('aborted', `${identifier} was left as it was, because you stopped it`, {
    identifier,
    cause,
  })
}
