import type { ProblemCode } from '@patchbay/contracts/core'

/** Why there is no session. A code is never renamed or reused. */
export const LOGIN_ERRORS = {
  expired: 'Nobody approved the login in time',
  declined: 'The person declined the login',
  consumed: 'The session of this login was given to another caller',
  aborted: 'The login was aborted',
  unreachable: 'The server could not be reached, or was not able to answer',
  unexpected: 'The server answered something that is not part of the contract',
  refused: 'The server refused',
} as const satisfies Record<string, string>

export type LoginErrorCode = keyof typeof LOGIN_ERRORS

export interface LoginErrorDetails {
  /** Added to the message. */
  readonly detail?: string
  /** What the server called it. */
  readonly problem?: ProblemCode
  readonly cause?: unknown
}

/**
 * Whoever logs this error logs all of it, so nothing here is a secret: no intent token, no verifier, no session token,
 * and no address that holds one.
 */
export class LoginError extends Error {
  override readonly name = 'LoginError'
  readonly code: LoginErrorCode
  readonly problem: ProblemCode | undefined

  constructor(code: LoginErrorCode, { detail, problem, cause }: LoginErrorDetails = {}) {
    const message = detail === undefined ? LOGIN_ERRORS[code] : `${LOGIN_ERRORS[code]}: ${detail}`
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.problem = problem
  }
}
