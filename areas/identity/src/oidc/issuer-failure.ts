import { Problem } from '@patchbay/contracts/core'
import * as oidc from 'openid-client'

/** Of the library's codes, those that say that the issuer did not answer as an issuer does. */
const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])
const WORD = /^[A-Za-z_]{1,60}$/

/** What the person is told: nothing of what the issuer wrote, which anybody may have put into the address. */
export function asIssuerProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(isAway(error) ? 'issuer_unavailable' : 'issuer_refused')
}

function isAway(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500
  // What `fetch` throws when there is no connection; the library's own type errors have a code.
  if (error instanceof TypeError) return !('code' in error)
  return error instanceof oidc.ClientError && error.code !== undefined && AWAY.has(error.code)
}

/** For the log: the code, and the protocol's word for it. Messages and causes hold what was sent. */
export function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  if (!(error instanceof Error)) return 'unknown'
  const words = [codeOf(error), codeOf(error.cause), protocolWord(error)]
  const known = words.filter((word) => typeof word === 'string' && WORD.test(word))
  return known.length === 0 ? error.name : known.join(' ')
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function protocolWord(error: Error): unknown {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.cause[0]?.parameters.error
  return 'error' in error ? error.error : undefined
}
