import { Problem } from '@patchbay/contracts/core'
import type { SearchQuery } from '@patchbay/contracts/registry'
import type { SearchCondition } from '../packages/search-words.ts'

/** Where a page ended. With words the order is by rank, without by the last change. */
export type SearchPlace =
  | { readonly by: 'rank'; readonly rank: number; readonly identifier: string }
  | { readonly by: 'update'; readonly updatedAt: Date; readonly identifier: string }

/** Everything a search asks for beside its words and its page. */
export type SearchFilter = Pick<
  SearchQuery,
  'type' | 'platform' | 'runtime' | 'tool_version' | 'status' | 'tag' | 'owner'
>

export interface SearchAsked {
  readonly filter: SearchFilter
  readonly condition: SearchCondition | undefined
  readonly after: SearchPlace | undefined
  readonly limit: number
  /** A letter that begins a word of every package must not cost as much as all of them. */
  readonly rankedAtMost: number
  /** If a filter by version fits no more, these are found first and then looked at for the words. */
  readonly fewAtMost: number
}

export function searchCursor(place: SearchPlace): string {
  const key = place.by === 'rank' ? `r${place.rank}` : `u${place.updatedAt.getTime()}`
  return Buffer.from(`${key} ${place.identifier}`).toString('base64url')
}

const CURSOR = /^(?:r(?<rank>[0-9.e-]{1,25})|u(?<time>[0-9]{1,15})) (?<identifier>[-a-zA-Z0-9.]{2,100})$/

/** A cursor of a search with words does not continue one without. */
export function readSearchCursor(cursor: string, by: SearchPlace['by']): SearchPlace {
  const { rank, time, identifier } = CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.groups ?? {}
  if (identifier !== undefined) {
    if (by === 'rank' && rank !== undefined && Number.isFinite(Number(rank)))
      return { by, rank: Number(rank), identifier }
    if (by === 'update' && time !== undefined && Number(time) <= 8.64e15)
      return { by, updatedAt: new Date(Number(time)), identifier }
  }
  throw new Problem('invalid_request', { detail: 'The cursor is not one that a page of this search gave.' })
}
