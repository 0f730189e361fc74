import type { Paste } from '@patchbay/contracts/viewer'

export interface Entry {
  readonly paste: Paste
  /** Deleted in this page: its place stays, with the way back. */
  readonly isDeleted: boolean
}

export interface PasteList {
  /** Newest first. */
  readonly entries: readonly Entry[]
  /** Where older ones begin; null when all are here, undefined before the first answer. */
  readonly olderFrom: string | null | undefined
}

export const NO_PASTES: PasteList = { entries: [], olderFrom: undefined }

export function findPaste(list: PasteList, id: string): Entry | undefined {
  return list.entries.find(({ paste }) => paste.id === id)
}

/** New, changed, or back from being deleted. */
export function withPaste(list: PasteList, paste: Paste): PasteList {
  const entry: Entry = { paste, isDeleted: false }
  if (findPaste(list, paste.id) !== undefined) {
    return { ...list, entries: list.entries.map((each) => (each.paste.id === paste.id ? entry : each)) }
  }
  const place = list.entries.findIndex((each) => isNewer(paste, each.paste))
  // Older than all that are here: it comes with its page.
  if (place === -1 && typeof list.olderFrom === 'string') return list
  return { ...list, entries: list.entries.toSpliced(place === -1 ? list.entries.length : place, 0, entry) }
}

/** Deleted by somebody else, it is gone; deleted here, it leaves its line. */
export function withoutPaste(list: PasteList, id: string): PasteList {
  return { ...list, entries: list.entries.filter(({ paste, isDeleted }) => paste.id !== id || isDeleted) }
}

export function withDeletedHere(list: PasteList, id: string): PasteList {
  return {
    ...list,
    entries: list.entries.map((entry) => (entry.paste.id === id ? { ...entry, isDeleted: true } : entry)),
  }
}

interface Page {
  readonly items: readonly Paste[]
  readonly next_cursor: string | null
}

/** The newest ones, read again. What is older than they are stays as it was; so do lines with a way back. */
export function withNewest(list: PasteList, { items, next_cursor }: Page): PasteList {
  const last = items.at(-1)
  const read = new Set(items.map(({ id }) => id))
  const kept = list.entries.filter(({ paste, isDeleted }) => {
    if (read.has(paste.id)) return false
    return isDeleted || (next_cursor !== null && last !== undefined && isNewer(last, paste))
  })
  const isOlderKept = kept.some(({ isDeleted }) => !isDeleted)
  const fresh = items.map((paste) => ({ paste, isDeleted: false }))
  return {
    entries: [...fresh, ...kept].toSorted((one, other) => (isNewer(one.paste, other.paste) ? -1 : 1)),
    olderFrom: isOlderKept ? list.olderFrom : next_cursor,
  }
}

export function withOlder(list: PasteList, { items, next_cursor }: Page): PasteList {
  const known = new Set(list.entries.map(({ paste }) => paste.id))
  const fresh = items.filter(({ id }) => !known.has(id)).map((paste) => ({ paste, isDeleted: false }))
  return { entries: [...list.entries, ...fresh], olderFrom: next_cursor }
}

/** Of two at the same moment the order does not matter, only that it is always the same. */
function isNewer(one: Paste, other: Paste): boolean {
  if (one.created_at !== other.created_at) return one.created_at > other.created_at
  return one.id > other.id
}
