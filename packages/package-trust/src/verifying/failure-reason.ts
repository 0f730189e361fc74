import { TrustFailure, type TrustFailureReason } from './trust-failure.ts'

/** tuf-js wraps its errors into text on the way out, so the text is all there is. A test holds each line in place. */
const REASONS: readonly (readonly [RegExp, TrustFailureReason, string])[] = [
  [
    /is less than current version|Missing file .* in new snapshot/,
    'rollback',
    'The repository offers an older state than was seen before',
  ],
  [
    /is expired/,
    'freeze',
    'The repository has not been signed in time; it may be abandoned, or newer metadata is held back',
  ],
  [
    /was signed by \d+\/\d+ keys/,
    'bad_signature',
    'Metadata is not signed by the keys that are trusted for it',
  ],
  [
    /Expected (length|hash|version) |does not match snapshot version|version doesn't match timestamp/,
    'mix_and_match',
    'Parts of the repository do not belong together',
  ],
]

const CACHE_PROBLEM = /Failed to persist metadata/

/** What was thrown, as a failure of trust. A full disk is none: it is returned as it is. */
export function failureOf(error: unknown): unknown {
  if (error instanceof TrustFailure) return error
  const text = error instanceof Error ? error.message : String(error)
  if (CACHE_PROBLEM.test(text) || isSystemError(error)) return error
  const [, reason, words] = REASONS.find(([pattern]) => pattern.test(text)) ?? [
    undefined,
    'bad_signature' as const,
    'This is not signed metadata',
  ]
  return new TrustFailure(reason, `${words} (${text})`, { cause: error })
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
