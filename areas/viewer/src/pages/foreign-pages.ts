import { SCREENSHOT_PASTE_PATH } from '@patchbay/contracts/viewer'

export interface AskedByBrowser {
  /** The pattern of the route; `undefined` where there is none. */
  readonly route: string | undefined
  /** `Sec-Fetch-Site`: who asks, as the browser itself says. No page can change it, and programs do not send it. */
  readonly site: string | undefined
  /** `Sec-Fetch-Mode`. */
  readonly mode: string | undefined
}

const OURS = new Set([undefined, 'same-origin', 'none'])
/** What a link elsewhere, or the frame of a workspace, may lead to. */
const PAGES = new Set<string | undefined>(['/', SCREENSHOT_PASTE_PATH, '/reference'])

/**
 * Whether a page of another origin asks for what only ours need. It could not read the answer, but it could learn from
 * whether and when one comes, and take the places of those who wait.
 */
export function isForeignPage({ route, site, mode }: AskedByBrowser): boolean {
  return !OURS.has(site) && !(mode === 'navigate' && PAGES.has(route))
}
