import { Problem } from '@patchbay/contracts/core'
import { deleteApiKey, getApiKeys, postApiKey } from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Principal } from '../principal.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { listApiKeys, revokeApiKey, storeApiKey } from './api-key.store.ts'
import { makeApiKey, presentApiKey } from './api-key.ts'
import { ownerOf, workspaceOf } from './permission.ts'

const DAY_SECONDS = 86_400

export function registerApiKeys(app: HttpApp, deps: IdentityDeps, authentication: Authentication): void {
  const { db, clock, createSecret } = deps

  app.route({
    ...on(getApiKeys),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { personId } = await authentication.requirePerson(request)
      return { items: (await listApiKeys(db, personId)).map(presentApiKey) }
    },
  })

  app.route({
    ...on(postApiKey),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const person = await authentication.requirePersonsChange(request)
      const { name, scopes, expires_in_days: days } = request.body
      const expiresInSeconds = days === undefined ? undefined : days * DAY_SECONDS
      const { key, kept } = makeApiKey({ name, scopes, expiresInSeconds }, createSecret(), clock.now())
      const stored = await storeApiKey(db, person, kept, await invitedScopes(deps, person, kept.scopes))
      return reply.code(201).send({ key, api_key: presentApiKey(stored) })
    },
  })

  app.route({
    ...on(deleteApiKey),
    async handler(request, reply) {
      const { personId } = await authentication.requirePersonsChange(request)
      if (!(await revokeApiKey(db, personId, request.params.id))) throw new Problem('not_found')
      return reply.code(204).send()
    },
  })
}

/** Those that name one workspace of somebody else that the person was let into. What they may do there, the role decides. */
async function invitedScopes(
  { isInvited }: IdentityDeps,
  { personId, handle }: Principal,
  scopes: readonly string[],
): Promise<ReadonlySet<string>> {
  const invited = new Set<string>()
  for (const scope of scopes) {
    const workspace = ownerOf(scope) === handle ? undefined : workspaceOf(scope)
    if (workspace !== undefined && (await isInvited?.(personId, workspace)) === true) invited.add(scope)
  }
  return invited
}
