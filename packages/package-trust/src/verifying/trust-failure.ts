export type TrustFailureReason =
  /** Older metadata than was seen before. */
  | 'rollback'
  /** Metadata that has expired: somebody keeps newer one away, or nobody signs anymore. */
  | 'freeze'
  /** Parts that do not belong together, or bytes that are not those of the index. */
  | 'mix_and_match'
  /** Not signed by enough of the right keys, or not readable as signed metadata. */
  | 'bad_signature'
  | 'unreachable'
  | 'not_listed'
  | 'too_large'

/** Why something of a repository is not trusted. */
export class TrustFailure extends Error {
  override readonly name = 'TrustFailure'
  readonly reason: TrustFailureReason
  /** Of `unreachable`: what the server answered, where it answered at all. 404 also for a file that is not there. */
  readonly status: number | undefined

  constructor(
    reason: TrustFailureReason,
    message: string,
    options: ErrorOptions & { readonly status?: number | undefined } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.status = options.status
  }
}
