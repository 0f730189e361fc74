import { Problem } from '@patchbay/contracts/core'

/** The bytes of a put were not acceptable. Nothing was stored. */
export class ObjectRefused extends Error {
  override readonly name = 'ObjectRefused'
  readonly reason: 'too_large' | 'hash_mismatch'

  constructor(reason: ObjectRefused['reason']) {
    super(reason === 'too_large' ? 'more bytes than allowed' : 'the bytes have another SHA-256 than expected')
    this.reason = reason
  }
}

/** The stored bytes are not the ones that were put: asking again does not help, unlike with `objects_unavailable`. */
export class ObjectCorrupt extends Error {
  override readonly name = 'ObjectCorrupt'
  readonly sha256: string

  constructor(sha256: string) {
    super(`the bytes stored as ${sha256} do not hash to that name`)
    this.sha256 = sha256
  }
}

/**
 * Keeps of the engine's error only what tells the operator why. The errors of the S3 client hold the request, whose
 * headers do not belong in a log.
 */
export function unavailable(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  // A refused connection comes without a message, and its name is AggregateError.
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const parts = new Set([name, code, message].filter((part) => part !== ''))
  return new Problem('objects_unavailable', { cause: new Error([...parts].join(': ')) })
}

/** For calls to the engine and for nothing else: a producer's own ENOSPC must reach its owner as it is. */
export async function onEngine<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw unavailable(error)
  }
}
