import type { Size } from '../ports.ts'
import { fourLetters, viewOf } from './read-at.ts'
import { CUT_OFF, refused, UNUSUAL } from './refused.ts'

/** One thing in the file: a coded picture, or what is said about it. */
export interface AvifItem {
  readonly isPicture: boolean
  /** As declared; the decoder holds a picture to it. */
  readonly size: Size | undefined
  readonly offset: number
  readonly length: number
}

interface Box {
  readonly kind: string
  /** Where its content begins and ends. */
  readonly start: number
  readonly end: number
}

const MAX_BOXES = 256
const ENTRIES = 1024

/** The items of a `meta` box. Throws `picture_refused` where it is damaged, or says more than a plain picture needs. */
export function avifItems(meta: Uint8Array): readonly AvifItem[] {
  const view = viewOf(meta)
  try {
    const parts = boxesIn(view, 12, view.byteLength)
    const properties = boxesIn(view, ...within(one(parts, 'iprp')))
    const sizes = sizesOf(view, one(properties, 'ipco'), one(properties, 'ipma'))
    const places = placesOf(view, one(parts, 'iloc'))
    return [...kindsOf(view, one(parts, 'iinf'))].map(([id, kind]) => {
      const place = places.get(id)
      if (place === undefined) throw refused(UNUSUAL)
      return { isPicture: kind === 'av01', size: sizes.get(id), ...place }
    })
  } catch (error) {
    // A number that lies outside of the box that promised it.
    if (error instanceof RangeError) throw refused(CUT_OFF, error)
    throw error
  }
}

function boxesIn(view: DataView, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let offset = start; offset + 8 <= end; ) {
    const size = view.getUint32(offset)
    if (size < 8 || offset + size > end || boxes.length === MAX_BOXES) throw refused(CUT_OFF)
    boxes.push({ kind: fourLetters(view, offset + 4), start: offset + 8, end: offset + size })
    offset += size
  }
  return boxes
}

function within({ start, end }: Box): [start: number, end: number] {
  return [start, end]
}

/** Exactly one: of two, the decoder might take the other. */
function one(boxes: readonly Box[], kind: string): Box {
  const [found, another] = boxes.filter((box) => box.kind === kind)
  if (found === undefined || another !== undefined) throw refused(UNUSUAL)
  return found
}

function kindsOf(view: DataView, { start, end }: Box): Map<number, string> {
  const isLong = view.getUint8(start) > 0
  const kinds = new Map<number, string>()
  for (const entry of boxesIn(view, start + (isLong ? 8 : 6), end)) {
    // Version 2; version 3 has longer identifiers, and older ones have no kinds.
    if (entry.kind !== 'infe' || view.getUint8(entry.start) !== 2) throw refused(UNUSUAL)
    const kind = fourLetters(view, entry.start + 8)
    if (kind !== 'av01' && kind !== 'Exif' && kind !== 'mime') throw refused(UNUSUAL)
    if (kind === 'mime' && isPacked(view, entry)) throw refused(UNUSUAL)
    const id = view.getUint16(entry.start + 4)
    if (kinds.has(id)) throw refused(UNUSUAL)
    kinds.set(id, kind)
  }
  return kinds
}

/** Whether a third text follows name and type: how it is compressed, and nobody says to how much it unfolds. */
function isPacked(view: DataView, { start, end }: Box): boolean {
  let texts = 0
  for (let offset = start + 12; offset < end; offset += 1) {
    if (texts === 2) return view.getUint8(offset) !== 0
    if (view.getUint8(offset) === 0) texts += 1
  }
  return false
}

function placesOf(view: DataView, { start }: Box): Map<number, { offset: number; length: number }> {
  const version = view.getUint8(start)
  if (version > 1) throw refused(UNUSUAL)
  const offsetBytes = view.getUint8(start + 4) >> 4
  const lengthBytes = view.getUint8(start + 4) & 0x0f
  const baseBytes = view.getUint8(start + 5) >> 4
  const indexBytes = view.getUint8(start + 5) & 0x0f
  // Zero is allowed, and means "to the end of the file".
  if (offsetBytes !== 4 || lengthBytes !== 4 || (baseBytes !== 0 && baseBytes !== 4) || indexBytes !== 0)
    throw refused(UNUSUAL)
  const count = Math.min(view.getUint16(start + 6), ENTRIES)
  const places = new Map<number, { offset: number; length: number }>()
  let at = start + 8
  for (let index = 0; index < count; index += 1) {
    const id = view.getUint16(at)
    const method = version === 0 ? 0 : view.getUint16(at + 2)
    at += version === 0 ? 4 : 6
    const base = baseBytes === 0 ? 0 : view.getUint32(at)
    const extents = view.getUint16(at + baseBytes)
    at += baseBytes + 2
    // Pieces, or bytes from elsewhere than the file, could be put together to anything.
    if (extents !== 1 || method !== 0 || places.has(id)) throw refused(UNUSUAL)
    places.set(id, { offset: base + view.getUint32(at), length: view.getUint32(at + 4) })
    at += 8
  }
  return places
}

function sizesOf(view: DataView, properties: Box, associations: Box): Map<number, Size> {
  const declared = boxesIn(view, ...within(properties))
  const sizes = new Map<number, Size>()
  const { start } = associations
  const isLongIndex = (view.getUint8(start + 3) & 1) === 1
  if (view.getUint8(start) !== 0) throw refused(UNUSUAL)
  const count = Math.min(view.getUint32(start + 4), ENTRIES)
  let at = start + 8
  for (let entry = 0; entry < count; entry += 1) {
    const id = view.getUint16(at)
    const links = view.getUint8(at + 2)
    at += 3
    for (let link = 0; link < links; link += 1) {
      const index = isLongIndex ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f
      at += isLongIndex ? 2 : 1
      const property = declared[index - 1]
      if (property?.kind !== 'ispe') continue
      if (sizes.has(id)) throw refused(UNUSUAL)
      sizes.set(id, { width: view.getUint32(property.start + 4), height: view.getUint32(property.start + 8) })
    }
  }
  return sizes
}
