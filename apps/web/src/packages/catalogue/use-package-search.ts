import type { PackageSummary, SearchQuery } from '@patchbay/contracts'
import { useCallback, useState } from 'react'
import { type Action, useAction } from '../../server/use-action.ts'
import type { ListPage } from '../../server/use-list.ts'
import { type Answer, useLoaded } from '../../server/use-loaded.ts'
import { searchPackages } from '../packages.api.ts'

interface Found extends ListPage<PackageSummary> {
  /** The search that it answers. */
  readonly search: string
}

export interface PackageSearch {
  readonly answer: Answer<ListPage<PackageSummary>>
  /** What is shown answers an earlier search; the new one is on its way. */
  readonly isOutdated: boolean
  readonly reload: () => void
  /** Undefined when everything is shown. */
  readonly more: Action<[]> | undefined
}

/** Asks anew whenever the query changes, and ends the request before; what is shown stays until the answer comes. */
export function usePackageSearch(query: SearchQuery): PackageSearch {
  const search = JSON.stringify(query)
  const [further, setFurther] = useState<Found>()
  const load = useCallback(
    async (signal: AbortSignal): Promise<Found> => {
      const page = await searchPackages(JSON.parse(search) as SearchQuery, signal)
      setFurther(undefined)
      return { search, ...page }
    },
    [search],
  )
  const { answer, reload } = useLoaded(load)
  const shown = answer.state === 'loaded' ? merge(answer.value, further) : undefined
  const more = useAction(async () => {
    if (shown === undefined || shown.next_cursor === null) return
    const page = await searchPackages(JSON.parse(shown.search) as SearchQuery, undefined, shown.next_cursor)
    const before = further?.search === shown.search ? further.items : []
    setFurther({ search: shown.search, items: [...before, ...page.items], next_cursor: page.next_cursor })
  })
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
  if (further === undefined || further.search !== first.search) return first
  return { ...further, items: [...first.items, ...further.items] }
}
