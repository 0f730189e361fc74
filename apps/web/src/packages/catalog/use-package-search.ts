import type { PackageSummary, SearchQuery } from '@patchbay/contracts/registry'
import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { type Action, useAction } from '../../server/use-action.ts'
import type { ListPage } from '../../session/use-list.ts'
import { type Answer, useLoaded } from '../../session/use-loaded.ts'
import { searchPackages } from '../packages.api.ts'

interface Found extends ListPage<PackageSummary> {
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

export interface PackageSearch {
  readonly answer: Answer<ListPage<PackageSummary>>
  /** What is shown answers an earlier search; the new one is on its way. */
  readonly isOutdated: boolean
  readonly reload: () => void
  /** Undefined when everything is shown. */
  readonly more: Action<[]> | undefined
}

/**
 * Asks anew whenever the query changes, and ends the request before; what is shown stays until the answer comes. Whoever
 * goes back finds all that was there, without a question.
 */
export function usePackageSearch(query: SearchQuery): PackageSearch {
  const search = JSON.stringify(query)
  const place = `${useLocation().key} ${search}`
  const [further, setFurther] = useState<Found>()
  const load = useCallback(
    async (signal: AbortSignal): Promise<Found> => {
      const found = recallFound(place) ?? {
        search,
        place,
        ...(await searchPackages(JSON.parse(search) as SearchQuery, signal)),
      }
      setFurther(undefined)
      return found
    },
    [search, place],
  )
  const { answer, reload } = useLoaded(load)
  const loaded = answer.state === 'loaded' ? merge(answer.value, further) : undefined
  // Now, not when `load` has answered: the scroll position comes back with the first picture of the page.
  const shown = loaded?.place === place ? loaded : (recallFound(place) ?? loaded)
  const more = useAction(async () => {
    if (shown === undefined || shown.next_cursor === null) return
    const page = await searchPackages(JSON.parse(shown.search) as SearchQuery, undefined, shown.next_cursor)
    const before = further?.place === shown.place ? further.items : []
    setFurther({ ...shown, items: [...before, ...page.items], next_cursor: page.next_cursor })
  })
  useEffect(() => {
    if (shown?.place === place) keepFound(shown)
  }, [shown, place])
  const isOutdated = shown !== undefined && shown.search !== search
  const isComplete = shown === undefined || shown.next_cursor === null
  return {
    answer: shown === undefined ? answer : { state: 'loaded', value: shown },
    isOutdated,
    reload,
    more: isComplete || isOutdated ? undefined : more,
  }
}

/** A page of another search, that came late, is no part of it. */
function merge(first: Found, further: Found | undefined): Found {
  if (further === undefined || further.place !== first.place) return first
  return { ...further, items: [...first.items, ...further.items] }
}
