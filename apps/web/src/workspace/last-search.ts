import type { SearchResult } from '@patchbay/contracts/content'

export interface FindWish {
  readonly text: string
  readonly path: string
  readonly caseSensitive: boolean
  readonly wholeWord: boolean
  readonly wildcards: boolean
}

/** What was looked for last in this page: whoever opened one result comes back for the next. */
export interface LastSearch {
  readonly wish: FindWish
  readonly result: SearchResult | undefined
  /** The line that was opened, as `path:line`. */
  readonly chosen: string | undefined
}

export const NO_SEARCH: LastSearch = {
  wish: { text: '', path: '', caseSensitive: false, wholeWord: false, wildcards: false },
  result: undefined,
  chosen: undefined,
}
