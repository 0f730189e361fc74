import { deleteSession, getSession, getWhoami } from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Principal } from '../principal.ts'
import type { Authentication } from './authentication.store.ts'
import { credentialOf, dropCookie, SESSION_COOKIE } from './credentials.ts'
import { requireOwnPage } from './own-page.ts'
import { countNewApplicationSessions, endSession } from './session.store.ts'
import { csrfToken } from './session.ts'

/** Who is signed in, and the end of that. */
export function registerSession(app: HttpApp, deps: IdentityDeps, authentication: Authentication): void {
  const { db, clock } = deps

  app.route({
    ...on(getSession),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const credential = credentialOf(request.headers)
      const principal = credential.kind === 'browser' ? await authentication.authenticate(request) : undefined
      if (principal === undefined || credential.kind !== 'browser') {
        return { person: null, csrf_token: null, new_application_sessions: 0 }
      }
      return {
        person: presentPerson(principal),
        csrf_token: csrfToken(credential.token),
        new_application_sessions: await countNewApplicationSessions(db, principal.personId, clock.now()),
      }
    },
  })

  app.route({
    ...on(deleteSession),
    async handler(request, reply) {
      const principal = await authentication.requirePrincipal(request)
      if (principal.credential.kind === 'browser') {
        requireOwnPage(request)
        reply.header('set-cookie', dropCookie(SESSION_COOKIE))
      }
      // An API key is no session: its owner ends it on the account page.
      if (principal.credential.kind !== 'api_key') {
        await endSession(db, principal.personId, principal.credential.id)
      }
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(getWhoami),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const principal = await authentication.requirePrincipal(request)
      const { kind, label, expiresAt, scopes } = principal.credential
      return {
        person: presentPerson(principal),
        credential: {
          kind,
          label,
          expires_at: expiresAt === null ? null : expiresAt.toISOString(),
          scopes: scopes === null ? null : [...scopes],
        },
      }
    },
  })
}

function presentPerson({ handle, displayName, isAdmin }: Principal) {
  return { handle, display_name: displayName, is_admin: isAdmin }
}
