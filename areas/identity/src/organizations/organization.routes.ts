import { Problem } from '@patchbay/contracts/core'
import {
  deleteMember,
  getMembers,
  getOrganizations,
  postOrganization,
  putMember,
} from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { changeMember, listMembers } from './member.store.ts'
import { createOrganization, listOrganizations } from './organization.store.ts'

export function registerOrganizations(
  app: HttpApp,
  { db, clock }: IdentityDeps,
  authentication: Authentication,
): void {
  app.route({
    ...on(getOrganizations),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { personId } = await authentication.requirePerson(request)
      return { items: await listOrganizations(db, personId) }
    },
  })

  app.route({
    ...on(postOrganization),
    async handler(request, reply) {
      const { personId } = await authentication.requirePersonsChange(request)
      const { handle, display_name: displayName } = request.body
      await createOrganization(db, { handle, displayName, ownerId: personId, now: clock.now() })
      return reply.code(201).send({ handle, display_name: displayName, role: 'owner', members: 1 })
    },
  })

  app.route({
    ...on(getMembers),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { personId } = await authentication.requirePerson(request)
      const items = await listMembers(db, request.params.handle, personId)
      if (items.length === 0) throw new Problem('not_found')
      return { items }
    },
  })

  app.route({
    ...on(putMember),
    async handler(request, reply) {
      const { personId } = await authentication.requirePersonsChange(request)
      const { handle: organization, person } = request.params
      const { role } = request.body
      await changeMember(db, { organization, person, role, askingId: personId, now: clock.now() })
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(deleteMember),
    async handler(request, reply) {
      const { personId } = await authentication.requirePersonsChange(request)
      const { handle: organization, person } = request.params
      const now = clock.now()
      await changeMember(db, { organization, person, role: undefined, askingId: personId, now })
      return reply.code(204).send()
    },
  })
}
