import type { PackageSummary } from '@patchbay/contracts/registry'
import type { ListPage } from '../../session/use-list.ts'

export interface Found extends ListPage<PackageSummary> {
  /** The search that it answers. */
  readonly search: string
  /** The entry of the history that it was found at. */
  readonly place: string
}

const MOST_SEARCHES = 10
const MOST_PACKAGES = 2_000

const kept = new Map<string, Found>()

/**
 * Keeps what was found at an entry of the history. Going back shows it at once: asked for anew, only the first page
 * would be there, and the place on it would be lost because the list is still too short to be scrolled to.
 */
export function keepFound(found: Found): void {
  kept.delete(found.place)
  kept.set(found.place, found)
  for (const oldest of kept.keys()) {
    const packages = [...kept.values()].reduce((sum, { items }) => sum + items.length, 0)
    if (kept.size <= 1 || (kept.size <= MOST_SEARCHES && packages <= MOST_PACKAGES)) return
    kept.delete(oldest)
  }
}

export function recallFound(place: string): Found | undefined {
  return kept.get(place)
}
