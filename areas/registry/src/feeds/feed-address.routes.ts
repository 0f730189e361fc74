import { Problem } from '@patchbay/contracts/core'
import { deleteFeedAddress, getFeedAddresses, postFeedAddress } from '@patchbay/contracts/registry'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { RegistryDeps } from '../deps.ts'
import { sharedUrl } from '../files/addresses.ts'
import { offeredBrands } from '../index-settings.ts'
import { requireReadOfAll, requireWrite } from '../permission.ts'
import {
  type FeedAddress,
  insertFeedAddress,
  listFeedAddresses,
  removeFeedAddress,
} from './feed-address.store.ts'

/** Secret addresses of private feeds: made, listed and revoked by whoever may write everything of the owner. */
export function registerFeedAddresses(app: HttpApp, deps: RegistryDeps): void {
  const { access, clock, createSecret, db, log, settings } = deps

  app.route({
    ...on(getFeedAddresses),
    async handler(request, reply) {
      const { owner } = request.params
      const who = await requireReadOfAll(access, request, owner)
      if (!(await access.isAllowed(who, owner, '*', 'write'))) throw new Problem('not_permitted')
      reply.header('cache-control', 'no-store')
      return { addresses: (await listFeedAddresses(db, owner)).map(present) }
    },
  })

  app.route({
    ...on(postFeedAddress),
    async handler(request, reply) {
      const { owner } = request.params
      const { handle } = await requireWrite(access, request, owner, '*')
      const token = createSecret()
      const { label } = request.body
      const made = { label, createdBy: handle, createdAt: clock.now() }
      const address = await insertFeedAddress(db, owner, made, token)
      if (address === undefined)
        throw new Problem('limit_reached', { detail: 'Revoke a secret address that nobody uses anymore.' })
      log.info({ owner, by: handle, address: address.id }, 'secret feed address created')
      const feeds = offeredBrands(settings).map((brand) => ({
        brand,
        url: `${sharedUrl(settings.publicUrl, token)}/${brand}/repository.json`,
      }))
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...present(address), feeds })
    },
  })

  app.route({
    ...on(deleteFeedAddress),
    async handler(request, reply) {
      const { owner, id } = request.params
      const { handle } = await requireWrite(access, request, owner, '*')
      if (!(await removeFeedAddress(db, owner, id))) throw new Problem('not_found')
      log.info({ owner, by: handle, address: id }, 'secret feed address revoked')
      return reply.code(204).send()
    },
  })
}

function present({ id, label, createdBy, createdAt }: FeedAddress) {
  return { id, label, created_by: createdBy, created_at: createdAt.toISOString() }
}
