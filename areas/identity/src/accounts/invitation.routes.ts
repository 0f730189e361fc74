import { Problem } from '@patchbay/contracts/core'
import { postInvitationAccept, postInvitationCheck } from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { requirePageOrigin } from '../sessions/own-page.ts'
import { acceptAsAdministrator, findInvitation, invitationReference } from './invitation.store.ts'
import { PUBLIC_RATE } from './public-rate.ts'

export function registerInvitations(app: HttpApp, deps: IdentityDeps, authentication: Authentication): void {
  app.route({
    ...on(postInvitationAccept, { rateLimit: PUBLIC_RATE }),
    async handler(request, reply) {
      const who = await authentication.requirePersonsChange(request)
      await acceptAsAdministrator(deps, invitationReference(request.body.invitation), who)
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(postInvitationCheck, { rateLimit: PUBLIC_RATE }),
    async handler(request, reply) {
      requirePageOrigin(request)
      const invitation = await findInvitation(deps, invitationReference(request.body.invitation))
      if (invitation === undefined) throw new Problem('invitation_invalid')
      reply.header('cache-control', 'no-store')
      return { makes_admin: invitation.makesAdmin, expires_at: invitation.expiresAt.toISOString() }
    },
  })
}
