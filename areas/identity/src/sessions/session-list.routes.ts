import { Problem } from '@patchbay/contracts/core'
import {
  deleteListedSession,
  deleteOtherSessions,
  getSessions,
  postSessionsSeen,
} from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Authentication } from './authentication.store.ts'
import { dropCookie, SESSION_COOKIE } from './credentials.ts'
import { endSession } from './session.store.ts'
import { endOtherSessions, listSessions, markSessionsSeen } from './session-list.store.ts'
import { presentSession, readSessionCursor, sessionCursor } from './session-list.ts'

/** What a person sees of their sessions, and how they end them. */
export function registerSessionList(
  app: HttpApp,
  { db, clock }: IdentityDeps,
  authentication: Authentication,
): void {
  app.route({
    ...on(getSessions),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { personId, credential } = await authentication.requirePerson(request)
      const { cursor, limit = 50 } = request.query
      const after = cursor === undefined ? undefined : readSessionCursor(cursor)
      const page = await listSessions(db, { personId, now: clock.now(), after, limit })
      return {
        items: page.sessions.map((session) => presentSession(session, credential.id)),
        next_cursor: page.nextAfter === undefined ? null : sessionCursor(page.nextAfter),
      }
    },
  })

  app.route({
    ...on(postSessionsSeen),
    async handler(request, reply) {
      const { personId } = await authentication.requirePersonsChange(request)
      const { until } = request.body
      const now = clock.now()
      const seen = until === undefined ? now : new Date(until)
      // A leap second is a time to the schema, and none to `Date`.
      if (Number.isNaN(seen.getTime())) throw new Problem('invalid_request')
      await markSessionsSeen(db, personId, seen > now ? now : seen)
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(deleteListedSession),
    async handler(request, reply) {
      const { personId, credential } = await authentication.requirePersonsChange(request)
      const { id } = request.params
      if (!(await endSession(db, personId, id))) throw new Problem('not_found')
      if (id === credential.id) reply.header('set-cookie', dropCookie(SESSION_COOKIE))
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(deleteOtherSessions),
    async handler(request) {
      const { personId, credential } = await authentication.requirePersonsChange(request)
      return { ended: await endOtherSessions(db, personId, credential.id, clock.now()) }
    },
  })
}
