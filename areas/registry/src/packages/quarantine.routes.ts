import { deleteQuarantine, putQuarantine } from '@patchbay/contracts/registry'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { RegistryDeps } from '../deps.ts'
import type { Indexer } from '../indexer.ts'
import { quarantinePackage, releasePackage } from './quarantine.store.ts'

/** The sweep goes on where feeds take longer; downloads have ended by then. */
const INDEX_DEADLINE_MS = 2_000

export function registerQuarantine(app: HttpApp, deps: RegistryDeps, indexer: Indexer): void {
  const { db, clock, access, log } = deps
  const settle = async (changed: Parameters<Indexer['settle']>[1]) => {
    await indexer.settle(INDEX_DEADLINE_MS, changed).catch((error: unknown) => {
      log.warn({ err: error }, 'feed rebuild delayed')
    })
  }

  app.route({
    ...on(putQuarantine),
    async handler(request, reply) {
      const who = await access.requireAdministrator(request)
      const { identifier } = request.params
      const { reason } = request.body
      await settle(await quarantinePackage(db, who, identifier, reason.trim(), clock.now()))
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(deleteQuarantine),
    async handler(request, reply) {
      const who = await access.requireAdministrator(request)
      const released = await releasePackage(db, who, request.params.identifier, clock.now())
      if (released !== undefined) await settle(released)
      return reply.code(204).send()
    },
  })
}
