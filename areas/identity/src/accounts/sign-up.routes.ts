import { Problem } from '@patchbay/contracts/core'
import { getSignInOptions, getSignUp, postSignUp } from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import { beginBrowserSession } from '../sessions/browser-session.store.ts'
import { requirePageOrigin } from '../sessions/own-page.ts'
import { findFreeHandle } from './account.store.ts'
import { presentAccount } from './account.ts'
import { endCeremonyCookie, findCeremony } from './ceremony.store.ts'
import { PUBLIC_RATE } from './public-rate.ts'
import { safeReturnTo } from './return-to.ts'
import { finishSignUp } from './sign-up.store.ts'

/** What the sign-in page offers, and the last step for somebody an issuer vouched for. */
export function registerSignUp(app: HttpApp, deps: IdentityDeps): void {
  const { db, clock, settings } = deps

  app.route({
    ...on(getSignInOptions),
    async handler() {
      return { issuers: settings.issuers.map(({ id, name }) => ({ id, name })), sign_up: settings.signUp }
    },
  })

  app.route({
    ...on(getSignUp, { rateLimit: PUBLIC_RATE }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const pending = await findCeremony(db, 'sign-up', request.headers, clock.now())
      if (pending === undefined) throw new Problem('ceremony_expired')
      return {
        issuer_name: pending.issuerName,
        suggested_handle: await findFreeHandle(db, pending.handle),
        display_name: pending.displayName,
        return_to: safeReturnTo(pending.returnTo, settings.publicUrl),
      }
    },
  })

  app.route({
    ...on(postSignUp, { rateLimit: PUBLIC_RATE }),
    async handler(request, reply) {
      requirePageOrigin(request)
      const { handle, display_name: displayName } = request.body
      const { account, returnTo } = await finishSignUp(deps, request.headers, { handle, displayName })
      const { cookie } = await beginBrowserSession(deps, request, account.personId)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .header('set-cookie', [cookie, endCeremonyCookie('sign-up')])
        .send({ person: presentAccount(account), return_to: safeReturnTo(returnTo, settings.publicUrl) })
    },
  })
}
