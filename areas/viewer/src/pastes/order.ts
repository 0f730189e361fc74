import { Problem } from '@patchbay/contracts/core'
import type { StoredPaste } from '../ports.ts'

/** Milliseconds since 1970, of the last paste that was seen. */
export type ArrivalCursor = number

export function readArrivalCursor(text: string): ArrivalCursor {
  if (!/^\d{1,15}$/.test(text))
    throw new Problem('invalid_request', { detail: '`after` is not a cursor of this viewer.' })
  return Number(text)
}

export interface Arrival {
  readonly id: string
  readonly time: ArrivalCursor
}

/** Those after the cursor. */
export function arrivedAfter(oldestFirst: readonly Arrival[], cursor: ArrivalCursor): readonly Arrival[] {
  const last = oldestFirst.findLastIndex(({ time }) => time <= cursor)
  return oldestFirst.slice(last + 1)
}

export interface PastePage {
  readonly items: readonly StoredPaste[]
  readonly nextCursor: string | null
}

/** So many pastes, from the one after the cursor. */
export function pageAfter(
  newestFirst: readonly StoredPaste[],
  cursor: string | undefined,
  limit: number,
): PastePage {
  const rest = cursor === undefined ? newestFirst : olderThan(newestFirst, cursor)
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    nextCursor: last === undefined || rest.length <= limit ? null : `${last.createdAt.getTime()}.${last.id}`,
  }
}

/** By time, so that a paste that was deleted between two pages does not end the list. */
function olderThan(newestFirst: readonly StoredPaste[], cursor: string): readonly StoredPaste[] {
  const match = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor)
  if (match === null) throw new Problem('invalid_request', { detail: '`cursor` is not one of this list.' })
  const time = Number(match[1])
  const at = newestFirst.findIndex(({ id }) => id === match[2])
  if (at >= 0) return newestFirst.slice(at + 1)
  return newestFirst.filter(({ createdAt }) => createdAt.getTime() < time)
}
