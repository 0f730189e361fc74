import type { SearchResult } from '@patchbay/contracts/content'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { useEffect, useState } from 'react'
import type { FindWish, LastSearch } from '../last-search.ts'
import { findInFiles } from './find.api.ts'

/** After the last key. */
const PAUSE_MS = 250

export interface Search {
  readonly wish: FindWish
  readonly change: (patch: Partial<FindWish>) => void
  readonly isSearching: boolean
  readonly error: unknown
  /** Of what was looked for before, while it is searched for something else. */
  readonly result: SearchResult | undefined
  readonly retry: () => void
}

interface Answer {
  /** What it answers. */
  readonly wish: FindWish | undefined
  readonly result?: SearchResult | undefined
  readonly error?: unknown
}

/** Searches while somebody types; a request that is outdated by then is ended. */
export function useSearch(workspace: WorkspaceRef, begin: LastSearch): Search {
  const [wish, setWish] = useState(begin.wish)
  const [tries, setTries] = useState(0)
  // What was found before is shown at once, and looked for again.
  const [answer, setAnswer] = useState<Answer>({
    wish: begin.result === undefined ? undefined : begin.wish,
    result: begin.result,
  })
  useEffect(() => {
    if (wish.text === '') return undefined
    const stop = new AbortController()
    const timer = setTimeout(() => {
      findInFiles(workspace, wish, stop.signal).then(
        (result) => {
          if (!stop.signal.aborted) setAnswer({ wish, result })
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setAnswer({ wish, error })
        },
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another try is the same search
  }, [workspace, wish, tries])
  const isEmpty = wish.text === ''
  return {
    wish,
    change: (patch) => setWish({ ...wish, ...patch }),
    isSearching: !isEmpty && answer.wish !== wish,
    error: isEmpty ? undefined : answer.error,
    result: isEmpty ? undefined : answer.result,
    retry() {
      setAnswer({ wish: undefined })
      setTries(tries + 1)
    },
  }
}
