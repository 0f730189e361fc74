import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import type { IdentityDeps } from '../deps.ts'
import { credentialOf, SESSION_COOKIE, writeCookie } from './credentials.ts'
import { originOf } from './origin.ts'
import { endBrowserSession, openBrowserSession } from './session.store.ts'
import { sessionToken, sessionTokenHash } from './session.ts'

/**
 * Signs a person in: opens a session and answers the cookie that holds it. The session this browser had before ends,
 * whoever's it was: nobody should find it in a list later and wonder.
 */
export async function beginBrowserSession(
  deps: IdentityDeps,
  request: { readonly ip: string; readonly headers: IncomingHttpHeaders },
  personId: string,
  former = browserTokenHash(request.headers),
): Promise<{ readonly cookie: string; readonly token: string }> {
  const { db, clock, createSecret, settings } = deps
  const now = clock.now()
  const token = sessionToken('browser', createSecret())
  const tokenHash = sessionTokenHash('browser', token)
  if (tokenHash === undefined) throw new TypeError('createSecret did not give 256 bits as base64url')
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const isOpen = await openBrowserSession(db, {
    personId,
    tokenHash,
    origin: originOf(request),
    now,
    expiresAt: after(settings.browserSessionSeconds),
    idleExpiresAt: after(settings.browserIdleSeconds),
  })
  if (!isOpen) throw new Problem('account_disabled')
  if (former !== undefined) await endBrowserSession(db, former)
  const cookie = writeCookie(SESSION_COOKIE, token, {
    maxAgeSeconds: settings.browserSessionSeconds,
    sameSite: 'Strict',
  })
  return { cookie, token }
}

/** The session that a request of this browser shows; another site's redirect brings no cookie along. */
export function browserTokenHash(headers: IncomingHttpHeaders): Buffer | undefined {
  const credential = credentialOf(headers)
  return credential.kind === 'browser' ? sessionTokenHash('browser', credential.token) : undefined
}
