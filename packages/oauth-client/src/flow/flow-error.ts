/** Why a flow ended without a code. A code is never renamed or reused. */
export const FLOW_ERRORS = {
  gateway_unreachable: 'The gateway could not be reached, or did not accept the registration in time',
  gateway_error: 'The gateway refused the registration, or did not speak its protocol',
  state_taken: 'The gateway had seen every state that was tried',
  registration_lost: 'The connection was lost, and the gateway no longer holds the registration',
  aborted: 'The flow was aborted',
  timeout: 'Nobody came back from the provider in time',
  expired: 'Nobody came back from the provider before the registration expired',
  provider_error: 'The provider sent the person back with an error',
  declined: 'The person declined to pass the answer on',
  issuer_mismatch: 'The answer came from another issuer than the one that was asked',
} as const satisfies Record<string, string>

export type FlowErrorCode = keyof typeof FLOW_ERRORS

export interface FlowErrorDetails {
  /** The gateway's reason, such as `too_many_registrations`. */
  readonly reason?: string
  /** The provider's `error`, such as `access_denied`. */
  readonly error?: string
  /** The provider's `error_description`. Written by others: show it as text only. */
  readonly errorDescription?: string
  /** What happened, in words for the person at the screen. */
  readonly explanation?: string
  /** Added to the message. */
  readonly detail?: string
  readonly cause?: unknown
}

/**
 * Whoever logs this error logs all of it, so nothing here is a secret: no state, no code, no verifier, and no
 * address that holds one.
 */
export class OAuthFlowError extends Error {
  override readonly name = 'OAuthFlowError'
  readonly code: FlowErrorCode
  readonly reason: string | undefined
  readonly error: string | undefined
  readonly errorDescription: string | undefined
  readonly explanation: string

  constructor(code: FlowErrorCode, details: FlowErrorDetails = {}) {
    const message =
      details.detail === undefined ? FLOW_ERRORS[code] : `${FLOW_ERRORS[code]}: ${details.detail}`
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.reason = details.reason
    this.error = details.error
    this.errorDescription = details.errorDescription
    this.explanation = details.explanation ?? `${FLOW_ERRORS[code]}.`
  }
}
