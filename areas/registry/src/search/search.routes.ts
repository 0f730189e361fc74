import { getPackageSearch } from '@patchbay/contracts/registry'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { RegistryDeps } from '../deps.ts'
import { searchCondition } from '../packages/search-words.ts'
import { presentSummary } from '../packages/summary.ts'
import { searchPackages } from './search.store.ts'
import { readSearchCursor, searchCursor } from './search.ts'

/** Of each tier. Nobody reads that far; those who changed last stay in. */
const RANKED_AT_MOST = 1_000
/** To look for the words in so many takes no time. */
const FEW_AT_MOST = 200
const MINUTE_MS = 60_000

export function registerSearch(app: HttpApp, { db, settings }: RegistryDeps): void {
  app.route({
    ...on(getPackageSearch, { rateLimit: { max: settings.searchesPerMinute, windowMs: MINUTE_MS } }),
    async handler(request) {
      const { q = '', cursor, limit = 50, ...filter } = request.query
      const condition = searchCondition(q)
      const after =
        cursor === undefined
          ? undefined
          : readSearchCursor(cursor, condition === undefined ? 'update' : 'rank')
      const { packages, next } = await searchPackages(db, {
        filter,
        condition,
        after,
        limit,
        rankedAtMost: RANKED_AT_MOST,
        fewAtMost: FEW_AT_MOST,
      })
      return {
        items: packages.map((found) => presentSummary(settings, found)),
        next_cursor: next === undefined ? null : searchCursor(next),
      }
    },
  })
}
