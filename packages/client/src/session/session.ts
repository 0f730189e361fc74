import type { CredentialKind } from '@patchbay/contracts/identity'
import { checkBaseUrl } from '../base-url.ts'
import { ask, type CallerOptions } from '../http/request.ts'
import { LoginError } from '../login-error.ts'
import { SESSION, WHOAMI } from '../paths.ts'
import { type Surroundings, systemSurroundings } from '../surroundings.ts'

export interface SessionOptions extends CallerOptions {
  readonly baseUrl: string
  readonly sessionToken: string
}

export interface Whoami {
  readonly handle: string
  readonly displayName: string
  readonly isAdmin: boolean
  readonly kind: CredentialKind
  /** What the application called itself. */
  readonly label: string | null
  readonly expiresAt: string | null
}

/** Whom a session speaks for. One that has ended is a `LoginError` with the code `refused`. */
export async function whoami(
  options: SessionOptions,
  surroundings: Surroundings = systemSurroundings,
): Promise<Whoami> {
  const { body } = await ask(requestOf('GET', WHOAMI, options), options, surroundings)
  const { person, credential } = Object(body) as Record<string, unknown>
  const { handle, display_name, is_admin } = Object(person) as Record<string, unknown>
  const { kind, label, expires_at } = Object(credential) as Record<string, unknown>
  if (typeof handle !== 'string' || typeof kind !== 'string')
    throw new LoginError('unexpected', { detail: 'it does not say who this is' })
  return {
    handle,
    displayName: typeof display_name === 'string' ? display_name : handle,
    isAdmin: is_admin === true,
    kind: kind as CredentialKind,
    label: typeof label === 'string' ? label : null,
    expiresAt: typeof expires_at === 'string' ? expires_at : null,
  }
}

const ENDED = 204

/** Ends the session on the server. False: it had ended already. */
export async function logout(
  options: SessionOptions,
  surroundings: Surroundings = systemSurroundings,
): Promise<boolean> {
  try {
    const { status } = await ask(requestOf('DELETE', SESSION, options), options, surroundings)
    // The page of a captive portal is also OK, and has ended nothing.
    if (status !== ENDED) throw new LoginError('unexpected', { detail: `it answered ${status}` })
    return true
  } catch (error) {
    if (error instanceof LoginError && isEnded(error)) return false
    throw error
  }
}

/** Whether the server says that the session it was shown is none, or none anymore. */
export function isEnded({ problem }: LoginError): boolean {
  return problem === 'credential_invalid' || problem === 'sign_in_required'
}

function requestOf(method: 'GET' | 'DELETE', path: string, { baseUrl, sessionToken }: SessionOptions) {
  if (!/^[\x21-\x7e]+$/.test(sessionToken)) throw new TypeError('sessionToken is no session token')
  return { method, url: checkBaseUrl(baseUrl) + path, headers: { authorization: `Bearer ${sessionToken}` } }
}
