import { Problem, type ProblemCode } from '@patchbay/contracts/core'

export const ENDINGS = ['unknown', 'expired', 'linked', 'declined-elsewhere'] as const
export type Ending = (typeof ENDINGS)[number]

const BY_CODE: Partial<Record<ProblemCode, Ending>> = {
  intent_not_found: 'unknown',
  // A link that was cut off, or got something stuck to it.
  invalid_request: 'unknown',
  not_found: 'unknown',
  intent_expired: 'expired',
  intent_already_linked: 'linked',
  intent_consumed: 'linked',
  intent_session_ended: 'linked',
  intent_declined: 'declined-elsewhere',
}

/** Refusals after which nothing can be approved anymore; undefined for those that may pass. */
export function endingOf(error: unknown): Ending | undefined {
  return error instanceof Problem ? BY_CODE[error.code] : undefined
}
