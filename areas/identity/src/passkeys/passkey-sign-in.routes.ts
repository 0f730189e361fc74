import {
  postPasskeySignIn,
  postPasskeySignInOptions,
  postPasskeySignUp,
  postPasskeySignUpOptions,
} from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { presentAccount } from '../accounts/account.ts'
import { beginCeremony, endCeremonyCookie } from '../accounts/ceremony.store.ts'
import { PUBLIC_RATE } from '../accounts/public-rate.ts'
import type { IdentityDeps } from '../deps.ts'
import { beginBrowserSession } from '../sessions/browser-session.store.ts'
import { requirePageOrigin } from '../sessions/own-page.ts'
import { assertionOptions } from './assertion.ts'
import { findPersonByPasskey } from './passkey-sign-in.store.ts'
import { finishPasskeySignUp, planPasskeySignUp } from './passkey-sign-up.store.ts'
import { registrationOptions } from './registration.ts'
import type { RelyingParty } from './relying-party.ts'

export const ANSWER_BYTES = 64 * 1024
const TRAITS = { rateLimit: PUBLIC_RATE, bodyLimit: ANSWER_BYTES }

/** Signing in and up with a passkey, for browsers that nobody is signed in with. */
export function registerPasskeySignIn(app: HttpApp, deps: IdentityDeps, party: RelyingParty): void {
  app.route({
    ...on(postPasskeySignInOptions, TRAITS),
    async handler(request, reply) {
      requirePageOrigin(request)
      const challenge = deps.createSecret()
      const options = await assertionOptions(party, challenge)
      const cookie = await beginCeremony(deps, 'passkey-sign-in', { challenge })
      return reply.headers({ 'cache-control': 'no-store', 'set-cookie': cookie }).send(options)
    },
  })

  app.route({
    ...on(postPasskeySignIn, TRAITS),
    async handler(request, reply) {
      requirePageOrigin(request)
      const account = await findPersonByPasskey(deps, party, request.headers, request.body.credential)
      const { cookie } = await beginBrowserSession(deps, request, account.personId)
      return reply
        .header('cache-control', 'no-store')
        .header('set-cookie', [cookie, endCeremonyCookie('passkey-sign-in')])
        .send({ person: presentAccount(account) })
    },
  })

  app.route({
    ...on(postPasskeySignUpOptions, TRAITS),
    async handler(request, reply) {
      requirePageOrigin(request)
      const { handle, display_name: displayName, invitation } = request.body
      const plan = await planPasskeySignUp(deps, { handle, displayName, invitation })
      const options = await registrationOptions(party, { ...plan, existing: [] }, plan.challenge)
      const cookie = await beginCeremony(deps, 'passkey-sign-up', plan)
      return reply.headers({ 'cache-control': 'no-store', 'set-cookie': cookie }).send(options)
    },
  })

  app.route({
    ...on(postPasskeySignUp, TRAITS),
    async handler(request, reply) {
      requirePageOrigin(request)
      const account = await finishPasskeySignUp(deps, party, request.headers, request.body.credential)
      const { cookie } = await beginBrowserSession(deps, request, account.personId)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .header('set-cookie', [cookie, endCeremonyCookie('passkey-sign-up')])
        .send({ person: presentAccount(account) })
    },
  })
}
