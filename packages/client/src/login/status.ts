import { LoginError } from '../login-error.ts'

/** Where a login stands. */
export type LoginStatus =
  | { readonly state: 'pending' }
  | { readonly state: 'authenticated'; readonly sessionToken: string }

/** Plain characters: it is sent in a header from now on. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/

/** A state that the contract does not know is no reason to go on waiting. */
export function statusOf(body: unknown): LoginStatus {
  const { state, session_token } = Object(body) as Record<string, unknown>
  if (state === 'pending') return { state }
  if (state === 'authenticated') return { state, sessionToken: sessionTokenOf(session_token) }
  throw new LoginError('unexpected', { detail: 'the state of the login is unknown' })
}

export function sessionTokenOf(value: unknown): string {
  if (typeof value === 'string' && TOKEN.test(value)) return value
  throw new LoginError('unexpected', { detail: 'the session token is missing' })
}
