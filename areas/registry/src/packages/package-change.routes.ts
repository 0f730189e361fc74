import {
  deletePackageVersion,
  deleteYank,
  patchPackage,
  patchPackageVersion,
  putYank,
} from '@patchbay/contracts/registry'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { RegistryDeps } from '../deps.ts'
import { requireWrite } from '../permission.ts'
import { setListed, setStatus } from './package-change.store.ts'
import { deleteVersion, setYanked } from './withdrawal.store.ts'

/** Feeds follow within a sweep; nobody waits for them here. */
export function registerPackageChanges(app: HttpApp, { db, clock, access }: RegistryDeps): void {
  app.route({
    ...on(patchPackage),
    async handler(request, reply) {
      const { owner, identifier } = request.params
      const who = await requireWrite(access, request, owner, identifier)
      await setListed(db, who, { owner, identifier }, request.body.is_listed, clock.now())
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(patchPackageVersion),
    async handler(request, reply) {
      const { owner, identifier, version } = request.params
      const who = await requireWrite(access, request, owner, identifier)
      await setStatus(db, who, { owner, identifier, version }, request.body.status, clock.now())
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(putYank),
    async handler(request, reply) {
      const { owner, identifier } = request.params
      const who = await requireWrite(access, request, owner, identifier)
      await setYanked(db, who, request.params, { reason: request.body.reason ?? '' }, clock.now())
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(deleteYank),
    async handler(request, reply) {
      const { owner, identifier } = request.params
      const who = await requireWrite(access, request, owner, identifier)
      await setYanked(db, who, request.params, null, clock.now())
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(deletePackageVersion),
    async handler(request, reply) {
      const { owner, identifier } = request.params
      const who = await requireWrite(access, request, owner, identifier)
      await deleteVersion(db, who, request.params, clock.now())
      return reply.code(204).send()
    },
  })
}
