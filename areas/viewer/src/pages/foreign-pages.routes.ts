import { Problem } from '@patchbay/contracts/core'
import type { HttpApp } from '@patchbay/kernel/http'
import { isForeignPage } from './foreign-pages.ts'

/** On every route, also those that only read, and where there is none. */
export function refuseForeignPages(app: HttpApp): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Also on refusals: otherwise a page could tell which pictures there are by which answers the browser keeps from it.
    reply.header('cross-origin-resource-policy', 'same-origin')
    const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers as Record<string, string>
    const isForeign = isForeignPage({ route: request.routeOptions.url, site, mode })
    done(isForeign ? new Problem('origin_not_allowed') : undefined)
  })
}
