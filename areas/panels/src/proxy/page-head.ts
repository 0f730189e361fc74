import { escapeHtml } from './markup.ts'
import { TRACKING_SCRIPT } from './tracking-script.ts'

export interface Place {
  /** Where the page is, as the person sees it. */
  readonly url: string
  /** What the address of a page in the proxy begins with, for the same ticket. */
  readonly address: string
  /** The origin of the workspace, which alone is told. */
  readonly workspaceOrigin: string
}

/** The address of a page in the proxy. */
export function throughProxy({ address }: Pick<Place, 'address'>, url: string): string {
  return address + encodeURIComponent(url)
}

/** What stands first in every page. The script takes itself away. */
export function pageHead({ url, address, workspaceOrigin }: Place, base: string): string {
  const data = Object.entries({ url, address, origin: workspaceOrigin })
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('')
  return `<base href="${escapeHtml(base)}"><script${data}>${TRACKING_SCRIPT}</script>`
}
