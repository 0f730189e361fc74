import { Problem } from '@patchbay/contracts/core'
import type { IdentityDeps } from '../deps.ts'
import type { Principal } from '../principal.ts'
import { credentialOf } from './credentials.ts'
import { type Asking, requireOwnPage } from './own-page.ts'
import { createFindSession, type FindSession, touchSession } from './session.store.ts'
import { isLive, type SessionKind, sessionTokenHash, TOUCH_INTERVAL_MS } from './session.ts'

export interface Authentication {
  /** Whom the request speaks for; `undefined` when it shows nothing. A credential that is no good is refused. */
  authenticate(request: Asking): Promise<Principal | undefined>
  /** As `authenticate`, and somebody it must be. */
  requirePrincipal(request: Asking): Promise<Principal>
  /**
   * Somebody who changes something, with any credential. A browser sends its cookie along with everybody's requests, so
   * from one it must come from a page of ours.
   */
  requireChange(request: Asking): Promise<Principal>
  /** A person in their browser: what an application or a script must never do. */
  requirePerson(request: Asking): Promise<Principal>
  /** The same, for a request that changes something: it must come from a page of ours. */
  requirePersonsChange(request: Asking): Promise<Principal>
}

export type FindByApiKey = (key: string) => Promise<Principal | undefined>

/**
 * Asks the database on every request: a session that was revoked, or whose person was disabled, is over on every node
 * at that moment. A cache would be a list of sessions that nobody can revoke.
 */
export function createAuthentication(deps: IdentityDeps, findByApiKey: FindByApiKey): Authentication {
  const findSession = createFindSession(deps.db)
  const findPrincipal = async (credential: ReturnType<typeof credentialOf>) => {
    if (credential.kind === 'none') return undefined
    if (credential.kind === 'api_key') return await findByApiKey(credential.key)
    return await findBySession(deps, findSession, credential.kind, credential.token)
  }

  const authenticate = async ({ headers }: Asking) => {
    const credential = credentialOf(headers)
    const principal = await findPrincipal(credential)
    // A cookie that has ended is a person who is not signed in; a token that a program sends on purpose is a mistake.
    if (principal === undefined && (credential.kind === 'api_key' || credential.kind === 'application')) {
      throw new Problem('credential_invalid')
    }
    return principal
  }

  const requirePrincipal = async (request: Asking) => {
    const principal = await authenticate(request)
    if (principal === undefined) throw new Problem('sign_in_required')
    return principal
  }

  const requireChange = async (request: Asking) => {
    const principal = await requirePrincipal(request)
    if (principal.credential.kind === 'browser') requireOwnPage(request)
    return principal
  }

  const requirePerson = async (request: Asking) => {
    const principal = await requirePrincipal(request)
    if (principal.credential.kind !== 'browser') throw new Problem('browser_session_required')
    return principal
  }

  const requirePersonsChange = async (request: Asking) => {
    const principal = await requirePerson(request)
    requireOwnPage(request)
    return principal
  }

  return { authenticate, requirePrincipal, requireChange, requirePerson, requirePersonsChange }
}

async function findBySession(
  { db, clock, settings }: IdentityDeps,
  findSession: FindSession,
  kind: SessionKind,
  token: string,
): Promise<Principal | undefined> {
  const hash = sessionTokenHash(kind, token)
  const session = hash === undefined ? undefined : await findSession(hash)
  const now = clock.now()
  if (session?.kind !== kind || !isLive(session, now)) return undefined
  if (now.getTime() - session.lastUsedAt.getTime() >= TOUCH_INTERVAL_MS) {
    await touchSession(db, session.id, now, new Date(now.getTime() + settings.browserIdleSeconds * 1000))
  }
  const { personId, handle, displayName, isAdmin, id, label, expiresAt } = session
  return {
    personId,
    handle,
    displayName,
    isAdmin,
    credential: { kind, id, label, expiresAt, scopes: null },
  }
}
