import type { NamedBy } from '@patchbay/contracts/viewer'
import type { PasteRecord } from './paste-record.ts'

const LONGEST_HISTORY = 20
const TRASH_MS = 24 * 60 * 60 * 1_000

/** A namer comes too late once naming is over. */
export function mayName({ isNaming }: PasteRecord, by: NamedBy): boolean {
  return by === 'person' || isNaming
}

/** Under a name that is known to be free, or is the one that the paste has. */
export function renamed(before: PasteRecord, name: string, namedBy: NamedBy, note?: string): PasteRecord {
  const earlier =
    name === before.name
      ? before.earlier
      : [...before.earlier, { name: before.name, namedBy: before.namedBy }].slice(-LONGEST_HISTORY)
  return { ...before, name, namedBy, earlier, isNaming: false, namingNote: note ?? null }
}

/** The name before, or with a number if that is taken by now; `undefined` when there is none. */
export function undone(before: PasteRecord): PasteRecord | undefined {
  const last = before.earlier.at(-1)
  return last === undefined ? undefined : { ...before, ...last, earlier: before.earlier.slice(0, -1) }
}

export function namingEnded(before: PasteRecord, note: string | undefined): PasteRecord {
  return { ...before, isNaming: false, namingNote: note ?? null }
}

export function removed(before: PasteRecord, now: Date): PasteRecord {
  return { ...before, removedAt: now.toISOString() }
}

export function broughtBack(before: PasteRecord): PasteRecord {
  return { ...before, removedAt: null }
}

export function isExpired({ removedAt }: PasteRecord, now: Date): boolean {
  return removedAt !== null && !(Date.parse(removedAt) + TRASH_MS > now.getTime())
}
