import type { HttpApp } from '@patchbay/kernel/http'
import { registerAudit } from './audit/audit.routes.ts'
import type { RegistryDeps } from './deps.ts'
import { createArchiveFinder, type FindArchive } from './downloads/find-archive.routes.ts'
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
  /** The archive of a version that whoever asks may have; the latest one unless a version is named. It counts as a download. */
  readonly findArchive: FindArchive
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
  return { indexer, findArchive: createArchiveFinder(deps), start: () => indexer.start() }
}
