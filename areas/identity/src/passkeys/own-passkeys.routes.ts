import { Problem } from '@patchbay/contracts/core'
import { deletePasskey, getPasskeys, postPasskey, postPasskeyOptions } from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { beginCeremony, endCeremonyCookie, takeCeremony } from '../accounts/ceremony.store.ts'
import { PUBLIC_RATE } from '../accounts/public-rate.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { addPasskey, listPasskeys, removePasskey } from './passkey.store.ts'
import { MOST_PASSKEYS, presentPasskey } from './passkey.ts'
import { ANSWER_BYTES } from './passkey-sign-in.routes.ts'
import { checkRegistration, registrationOptions } from './registration.ts'
import type { RelyingParty } from './relying-party.ts'

/** The passkeys of the person who is signed in. */
export function registerOwnPasskeys(
  app: HttpApp,
  deps: IdentityDeps,
  authentication: Authentication,
  party: RelyingParty,
): void {
  const { db, clock, createSecret } = deps

  app.route({
    ...on(getPasskeys),
    async handler(request, reply) {
      const { personId } = await authentication.requirePerson(request)
      reply.header('cache-control', 'no-store')
      return { items: (await listPasskeys(db, personId)).map(presentPasskey) }
    },
  })

  app.route({
    ...on(postPasskeyOptions, { rateLimit: PUBLIC_RATE }),
    async handler(request, reply) {
      const { personId, handle, displayName } = await authentication.requirePersonsChange(request)
      const existing = await listPasskeys(db, personId)
      if (existing.length >= MOST_PASSKEYS) throw new Problem('limit_reached')
      const challenge = createSecret()
      const options = await registrationOptions(party, { personId, handle, displayName, existing }, challenge)
      const cookie = await beginCeremony(deps, 'passkey', { challenge, personId })
      return reply.headers({ 'cache-control': 'no-store', 'set-cookie': cookie }).send(options)
    },
  })

  app.route({
    ...on(postPasskey, { bodyLimit: ANSWER_BYTES }),
    async handler(request, reply) {
      const person = await authentication.requirePersonsChange(request)
      const { credential, label } = request.body
      const now = clock.now()
      const begun = await takeCeremony(db, 'passkey', request.headers, now, { personId: person.personId })
      if (begun === undefined) throw new Problem('ceremony_expired')
      const passkey = await checkRegistration(party, credential, begun.challenge)
      const added = await addPasskey(db, passkey, person, { label, now })
      return reply
        .code(201)
        .headers({ 'cache-control': 'no-store', 'set-cookie': endCeremonyCookie('passkey') })
        .send(presentPasskey(added))
    },
  })

  app.route({
    ...on(deletePasskey),
    async handler(request, reply) {
      const person = await authentication.requirePersonsChange(request)
      await removePasskey(db, person, request.params.id)
      return reply.code(204).send()
    },
  })
}
