import type { HttpApp } from '@patchbay/kernel/http'
import { registerAudit } from './audit/audit.routes.ts'
import type { RegistryDeps } from './deps.ts'
import { registerFeeds } from './feeds/feeds.routes.ts'
import { createIndexer } from './feeds/indexer.store.ts'
import type { Indexer } from './indexer.ts'
import { registerPackages } from './packages/package.routes.ts'
import { registerPackageChanges } from './packages/package-change.routes.ts'
import { registerQuarantine } from './packages/quarantine.routes.ts'
import { registerPublishing } from './publish/publish.routes.ts'
import { registerSearch } from './search/search.routes.ts'

export interface Registry {
  readonly indexer: Indexer
  /** Begins to sweep; the tables must be there. Ends with the server. */
  start(): void
}

/** Every route of the area. */
export function registerRegistry(
  app: HttpApp,
  deps: RegistryDeps,
  indexer: Indexer = createIndexer(deps),
): Registry {
  registerSearch(app, deps)
  registerPackages(app, deps)
  registerPackageChanges(app, deps)
  registerQuarantine(app, deps, indexer)
  registerPublishing(app, deps, indexer)
  registerAudit(app, deps)
  registerFeeds(app, deps)
  app.addHook('preClose', async () => {
    await indexer.stop()
  })
  return { indexer, start: () => indexer.start() }
}
