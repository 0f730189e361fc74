import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { isSameText } from '../secrets.ts'
import { credentialOf } from './credentials.ts'
import { csrfToken } from './session.ts'

/** The part of a request that says who asks. */
export interface Asking {
  readonly headers: IncomingHttpHeaders
}

/**
 * The factory has judged `Origin` where there is one. A browser sends it with every change; without it a form of another
 * site, in a browser too old to send it, could sign a person in to somebody else's account.
 */
export function requirePageOrigin({ headers }: Asking): void {
  if (headers.origin === undefined) throw new Problem('origin_not_allowed')
}

/** A change in the name of the person whose session this is: its page alone could read the token. */
export function requireOwnPage({ headers }: Asking): void {
  requirePageOrigin({ headers })
  const credential = credentialOf(headers)
  const given = headers['x-csrf-token']
  if (credential.kind !== 'browser' || typeof given !== 'string') throw new Problem('csrf_token_required')
  if (!isSameText(given, csrfToken(credential.token))) throw new Problem('csrf_token_required')
}
