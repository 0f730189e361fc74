import { secureAddress } from './addresses.ts'

/** A value here would undo what ties the answer to this flow. `request` and `request_uri` replace all the others. */
const RESERVED = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
])

export interface AuthorizationRequest {
  readonly authUrl: string
  readonly clientId: string
  /** Separated by spaces. */
  readonly scopes: string
  readonly extraParams?: Readonly<Record<string, string>>
}

/** The parts of a request that cannot be wrong later: checked before anything is opened. */
export function checkAuthorizationRequest(request: AuthorizationRequest): URL {
  const url = secureAddress('authUrl', request.authUrl, ['https:', 'http:'])
  // RFC 6749, section 3.1. Behind a fragment, all parameters would stay in the browser.
  if (url.hash !== '') throw new TypeError('authUrl must have no fragment')
  requireText('clientId', request.clientId)
  if (typeof request.scopes !== 'string')
    throw new TypeError('scopes must be one string, separated by spaces')
  for (const key of url.searchParams.keys()) refuseReserved('authUrl', key)
  for (const [key, value] of Object.entries(request.extraParams ?? {})) {
    refuseReserved('extraParams', key)
    if (typeof value !== 'string') throw new TypeError(`extraParams.${key} must be a string`)
  }
  return url
}

export function authorizationUrl(
  request: AuthorizationRequest,
  flow: { readonly redirectUri: string; readonly state: string; readonly codeChallenge: string },
): string {
  const url = checkAuthorizationRequest(request)
  const parameters = new URLSearchParams(url.search)
  for (const [key, value] of Object.entries(request.extraParams ?? {})) parameters.set(key, value)
  parameters.set('response_type', 'code')
  parameters.set('client_id', request.clientId)
  parameters.set('redirect_uri', flow.redirectUri)
  if (request.scopes.trim() !== '') parameters.set('scope', request.scopes)
  parameters.set('state', flow.state)
  parameters.set('code_challenge', flow.codeChallenge)
  parameters.set('code_challenge_method', 'S256')
  // Some providers read "+" between scopes literally; every one reads %20. A real plus is %2B by now.
  url.search = parameters.toString().replaceAll('+', '%20')
  return url.href
}

export function requireText(option: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${option} must be a non-empty string`)
}

function refuseReserved(option: string, key: string): void {
  if (RESERVED.has(key)) throw new TypeError(`${option} must not set ${key}: the flow sets it itself`)
}
