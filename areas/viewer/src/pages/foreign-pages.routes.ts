import { Problem } from '@patchbay/contracts/core'
import { SCREENSHOT_PASTE_PATH } from '@patchbay/contracts/viewer'
import type { HttpApp } from '@patchbay/kernel/http'

interface AskedByBrowser {
  /** The pattern of the route; `undefined` where there is none. */
  readonly route: string | undefined
  /** `Sec-Fetch-Site`: who asks, as the browser itself says. No page can change it, and programs do not send it. */
  readonly site: string | undefined
  /** `Sec-Fetch-Mode`. */
  readonly mode: string | undefined
}

const OURS = new Set([undefined, 'same-origin', 'none'])
/** What a link elsewhere, or the frame of a workspace, may lead to. */
const PAGES = new Set<string | undefined>([
  '/',
  SCREENSHOT_PASTE_PATH,
  '/reference',
  '/problems',
  '/problems/:code',
])

/**
 * Whether a page of another origin asks for what only ours need. It could not read the answer, but it could learn from
 * whether and when one comes, and take the places of those who wait.
 */
function isForeignPage({ route, site, mode }: AskedByBrowser): boolean {
  return !OURS.has(site) && !(mode === 'navigate' && PAGES.has(route))
}

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
