import { Problem } from '@patchbay/contracts/core'
import { getFeed, getFeeds, getOwnerFeed, getPrivateFeed } from '@patchbay/contracts/registry'
import { type HttpApp, on, READ } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RegistryDeps } from '../deps.ts'
import { mayReadAll } from '../files/access.routes.ts'
import type { FeedName } from '../files/addresses.ts'
import { answer } from '../files/answer.routes.ts'
import { offeredBrands, servedBrands } from '../index-settings.ts'
import { INSTALLATION } from '../installation.ts'
import type { ServedFeeds } from './served-feeds.store.ts'

const WHOLE: FeedName = { owner: INSTALLATION, visibility: 'public' }

export function registerRepositories(app: HttpApp, deps: RegistryDeps, feeds: ServedFeeds): void {
  const brands = new Set(servedBrands(deps.settings))
  const show = async (request: FastifyRequest, reply: FastifyReply, feed: FeedName, brand: string) => {
    // A feed may still hold a brand that is not in the settings anymore.
    if (!brands.has(brand)) throw new Problem('not_found')
    return answer(request, reply, await feeds.find(feed, brand))
  }

  app.route({
    ...on(getFeeds),
    async handler(_request, reply) {
      const whole: 'served' | 'too_large' = (await feeds.isTooLarge(WHOLE)) ? 'too_large' : 'served'
      reply.header('cache-control', 'no-cache')
      return { brands: offeredBrands(deps.settings), whole_feed: whole }
    },
  })
  app.route({
    ...on(getFeed),
    method: READ,
    handler: (request, reply) => show(request, reply, WHOLE, request.params.brand),
  })
  app.route({
    ...on(getOwnerFeed),
    method: READ,
    handler: (request, reply) =>
      show(request, reply, { owner: request.params.owner, visibility: 'public' }, request.params.brand),
  })
  app.route({
    ...on(getPrivateFeed),
    method: READ,
    async handler(request, reply) {
      const { owner, brand } = request.params
      if (!(await mayReadAll(deps, request, owner))) throw new Problem('not_found')
      return show(request, reply, { owner, visibility: 'private' }, brand)
    },
  })
}
