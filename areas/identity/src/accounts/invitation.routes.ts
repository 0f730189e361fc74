import { postInvitationCheck, Problem } from '@patchbay/contracts'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import { requirePageOrigin } from '../sessions/own-page.ts'
import { findInvitation, invitationReference } from './invitation.store.ts'
import { PUBLIC_RATE } from './public-rate.ts'

export function registerInvitationCheck(app: HttpApp, deps: IdentityDeps): void {
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
