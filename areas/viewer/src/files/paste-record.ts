import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import { type NamedBy, PASTE_NAME_PATTERN, PICTURE_TYPES } from '@patchbay/contracts/viewer'
import { displayText } from '@patchbay/primitives/text'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { NewPaste, StoredPaste } from '../ports.ts'
import { baseOf, firstName } from './layout.ts'

const text = Type.Union([Type.String(), Type.Null()])
const count = Type.Integer({ minimum: 1 })
const side = Type.Integer({ minimum: 1, maximum: 999_999 })
const picture = Type.Object({ width: side, height: side, bytes: count })
const namers = ['model', 'title', 'text', 'picture', 'person'] as const satisfies readonly NamedBy[]
const named = {
  name: Type.String({ maxLength: PASTE_LIMITS.nameLength, pattern: PASTE_NAME_PATTERN }),
  namedBy: Type.Union([Type.Enum([...namers]), Type.Null()]),
}

const record = Type.Object({
  ...named,
  optimized: picture,
  original: picture,
  id: Type.String(),
  createdAt: Type.String(),
  title: text,
  earlier: Type.Array(Type.Object(named)),
  isNaming: Type.Boolean(),
  namingNote: text,
  source: Type.Object({ type: Type.Enum([...PICTURE_TYPES]), bytes: count, fileName: text }),
  removedAt: text,
})
export type PasteRecord = Static<typeof record>

const entry = Type.Object({
  record,
  move: Type.Optional(Type.Object({ before: Type.Union([record, Type.Null()]), links: Type.Boolean() })),
})

/**
 * What is written down of a paste. While its files are on their way, `record` says where to and `move` where from: the
 * paste as it was `before`, or its staging place if there was none.
 */
export type Entry = Static<typeof entry>

const schema = Compile(entry)

/** `undefined` for what cannot be believed: names in it become paths, and a project may come from a stranger. */
export function readEntry(content: string, id: string): Entry | undefined {
  const value = parse(content)
  if (!schema.Check(value)) return undefined
  const { record: now, move } = value
  const records = [now, ...(move?.before ? [move.before] : [])]
  if (!records.every((each) => each.id === id && isTime(each.createdAt))) return undefined
  if (move === undefined) return { record: readable(now) }
  return { record: readable(now), move: { ...move, before: move.before && readable(move.before) } }
}

/** As it was written here: another spelling would be out of order among the others. */
function isTime(written: string): boolean {
  const time = Date.parse(written)
  return time >= 0 && new Date(time).toISOString() === written
}

function readable(stored: PasteRecord): PasteRecord {
  const { title, namingNote, source } = stored
  return {
    ...stored,
    title: displayText(title) || null,
    namingNote: displayText(namingNote) || null,
    source: { ...source, fileName: displayText(source.fileName) || null },
  }
}

/** `bytes`: as they are on the disk. */
export function newRecord(
  id: string,
  { createdAt, title, fileName, pictures, isNaming }: NewPaste,
  bytes: { readonly optimized: number; readonly original: number },
): PasteRecord {
  const { optimized, original, source } = pictures
  return {
    name: firstName(createdAt),
    namedBy: null,
    optimized: { width: optimized.width, height: optimized.height, bytes: bytes.optimized },
    original: { width: original.width, height: original.height, bytes: bytes.original },
    id,
    createdAt: createdAt.toISOString(),
    title: title ?? null,
    earlier: [],
    isNaming,
    namingNote: null,
    source: { type: source.type, bytes: source.bytes, fileName: fileName ?? null },
    removedAt: null,
  }
}

export function present(stored: PasteRecord): StoredPaste {
  const base = baseOf(stored.name, stored.optimized)
  return {
    id: stored.id,
    createdAt: new Date(stored.createdAt),
    title: stored.title ?? undefined,
    name: stored.name,
    namedBy: stored.namedBy ?? undefined,
    earlier: stored.earlier.map(({ name, namedBy }) => ({ name, namedBy: namedBy ?? undefined })),
    isNaming: stored.isNaming,
    namingNote: stored.namingNote ?? undefined,
    optimized: { ...stored.optimized, file: `${base}.png` },
    original: { ...stored.original, file: `${base}-original.png` },
    source: { ...stored.source, fileName: stored.source.fileName ?? undefined },
  }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

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
