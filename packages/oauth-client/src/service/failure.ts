import { OAuthFlowError } from '../flow/flow-error.ts'
import { explanationOf } from '../flow/provider-error.ts'
import { TokenRequestFailed } from '../tokens/index.ts'

/** Why an attempt failed, for the person: a code to switch on and words to show. */
export interface Failure {
  readonly code: string
  readonly message: string
}

const EXCHANGE_FAILED =
  'The provider granted access, but this service could not complete the connection. Try again; if it fails again, ' +
  'whoever runs the service finds the reason in its log.'
/** Errors of a token endpoint that mean the same there as on the way back from the provider. */
const SAME_MEANING = new Set(['access_denied', 'invalid_client', 'unauthorized_client', 'invalid_scope'])

export function failureOf(error: unknown): Failure {
  if (error instanceof OAuthFlowError) return { code: error.error ?? error.code, message: error.explanation }
  if (!(error instanceof TokenRequestFailed)) return { code: 'exchange_failed', message: EXCHANGE_FAILED }
  const { code } = error
  return { code, message: SAME_MEANING.has(code) ? explanationOf(code) : EXCHANGE_FAILED }
}
