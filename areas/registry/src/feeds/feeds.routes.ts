import type { HttpApp } from '@patchbay/kernel/http'
import { observeGauge } from '@patchbay/kernel/metrics'
import type { RegistryDeps } from '../deps.ts'
import { createArchives, registerArchives } from '../downloads/archive.routes.ts'
import { registerIcons } from '../downloads/icon.routes.ts'
import { registerFeedFiles } from '../files/feed-file.routes.ts'
import { createStoredBodies } from '../files/stored-bodies.store.ts'
import { INDEX_CHANGED } from '../indexer.ts'
import { registerSchemas } from '../schemas/schema.routes.ts'
import { registerTrust } from '../trust/trust.routes.ts'
import { registerRepositories } from './feed.routes.ts'
import { registerFeedAddresses } from './feed-address.routes.ts'
import { createServedFeeds } from './served-feeds.store.ts'
import { registerSharedFeeds } from './shared-feed.routes.ts'
import { registerSparse } from './sparse.routes.ts'
import { createSparseTexts } from './sparse-texts.ts'
import { countWaitingFeeds } from './waiting-feeds.store.ts'

/** Everything that design tools and package managers read. */
export function registerFeeds(app: HttpApp, deps: RegistryDeps): void {
  const feeds = createServedFeeds(deps.db)
  const sparse = createSparseTexts()
  const bodies = createStoredBodies(deps.objects)
  registerRepositories(app, deps, feeds)
  registerFeedFiles(app, deps, bodies)
  const archives = createArchives(deps, bodies)
  registerArchives(app, deps, archives)
  registerFeedAddresses(app, deps)
  registerSharedFeeds(app, deps, { feeds, archives, bodies })
  registerIcons(app, deps, bodies)
  registerSparse(app, deps, sparse)
  registerSchemas(app, deps)
  registerTrust(app, deps)
  observeGauge(deps.metrics, {
    name: 'patchbay_feeds_waiting',
    help: 'Feeds of the installation that are older than their packages',
    read: () => countWaitingFeeds(deps.db, deps.clock.now()),
  })

  let watching: AsyncDisposable | undefined
  app.addHook('onReady', async () => {
    try {
      watching = await deps.wakeups.watch(INDEX_CHANGED, () => {
        feeds.forget()
        sparse.forget()
      })
    } catch (error) {
      deps.log.warn({ err: error }, 'failed to subscribe to index changes, serving up to 1 s late')
    }
  })
  app.addHook('preClose', async () => {
    await watching?.[Symbol.asyncDispose]()
  })
}
