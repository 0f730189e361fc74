import { KICAD_LIMITS } from '../limits.ts'
import type { List } from '../tree/node.ts'
import { type Point, textIn } from '../tree/value.ts'
import { Refused } from './refusal.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** With `?` for a number that is yet to come; `#` keeps it out of lists of parts. */
const REFERENCE = /^#?[A-Za-z_][A-Za-z0-9_+.-]{0,60}(?:\d|\?)$/

export function checkPlaces(...places: readonly Point[]): void {
  for (const { x, y } of places)
    for (const one of [x, y])
      if (!Number.isSafeInteger(one) || Math.abs(one) > KICAD_LIMITS.coordinate)
        throw new Refused('bad_place')
}

export function checkAngle(angle: number): void {
  if (![0, 90, 180, 270].includes(angle)) throw new Refused('bad_angle')
}

export function checkText(text: string, { isEmptyFine = false } = {}): void {
  if ((text === '' && !isEmptyFine) || text.length > KICAD_LIMITS.text || text.includes('\0'))
    throw new Refused('bad_text')
}

export function checkReference(reference: string): void {
  if (!REFERENCE.test(reference)) throw new Refused('bad_reference')
}

/** Ids for what is new: well formed, free, and no two the same. */
export function checkNewIds(root: List, ids: readonly string[]): void {
  if (ids.length > KICAD_LIMITS.items) throw new Refused('too_many_items')
  const taken = new Set<string>()
  for (const id of ids) {
    if (!UUID.test(id)) throw new Refused('bad_id', id)
    if (taken.has(id) || root.children.some((child) => child.kind === 'list' && idsIn(child).has(id)))
      throw new Refused('id_taken', id)
    taken.add(id)
  }
}

const known = new WeakMap<List, ReadonlySet<string>>()

/** All ids of an item and of what is in it. */
function idsIn(item: List): ReadonlySet<string> {
  const found = known.get(item)
  if (found !== undefined) return found
  const ids = new Set<string>()
  // Definitions have no ids.
  const open = item.head === 'lib_symbols' ? [] : [item]
  for (let list = open.pop(); list !== undefined; list = open.pop()) {
    const id = textIn(list, 'uuid')
    if (id !== undefined) ids.add(id)
    for (const child of list.children) if (child.kind === 'list') open.push(child)
  }
  known.set(item, ids)
  return ids
}
