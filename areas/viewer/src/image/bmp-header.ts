import type { Size } from '../ports.ts'
import { checkSize } from './plan.ts'
import { viewOf } from './read-at.ts'
import { CUT_OFF, refused, UNUSUAL } from './refused.ts'

/** Where the bits of a color are in a pixel. */
export interface Masks {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

export interface BmpHeader extends Size {
  readonly isTopDown: boolean
  readonly bits: 1 | 4 | 8 | 16 | 24 | 32
  readonly isRunLength: boolean
  readonly masks: Masks
  /** Three bytes for each color, red first; what is not listed is black. */
  readonly palette: Uint8Array
  /** Where the pixels begin. */
  readonly start: number
}

/** Longer than any header with all that may follow it. */
export const BMP_HEADER_BYTES = 2048
const FILE_HEADER = 14
const CORE = 12
const INFO = 40
/** The headers that there are: of OS/2, of Windows 3, with masks, with color spaces. */
const OS2 = 64
const HEADERS = [CORE, 16, INFO, 52, 56, OS2, 108, 124]
const COMPRESSION = { none: 0, runs8: 1, runs4: 2, masks: 3, masksWithAlpha: 6 } as const

/** Reads and doubts the header; `fileBytes` bounds what it may promise. */
export function readBmpHeader(head: Uint8Array, fileBytes: number): BmpHeader {
  try {
    return parse(viewOf(head), fileBytes)
  } catch (error) {
    if (error instanceof RangeError) throw refused(CUT_OFF, error)
    throw error
  }
}

function parse(view: DataView, fileBytes: number): BmpHeader {
  const length = view.getUint32(FILE_HEADER, true)
  if (!HEADERS.includes(length)) throw refused(UNUSUAL)
  const isCore = length === CORE
  const width = isCore ? view.getUint16(18, true) : view.getInt32(18, true)
  const height = isCore ? view.getUint16(20, true) : view.getInt32(22, true)
  const bits = bitsOf(view.getUint16(isCore ? 24 : 28, true))
  const compression = length < INFO ? COMPRESSION.none : view.getUint32(30, true)
  const size = { width, height: Math.abs(height) }
  checkSize(size)
  const isRunLength = compression === COMPRESSION.runs8 || compression === COMPRESSION.runs4
  checkCompression(compression, bits, height < 0)
  const hasMasks = compression === COMPRESSION.masks || compression === COMPRESSION.masksWithAlpha
  if (hasMasks && length === OS2) throw refused(UNUSUAL)
  // Masks follow a header that has no room for them.
  const after = hasMasks && length === INFO ? (compression === COMPRESSION.masks ? 12 : 16) : 0
  const masks = hasMasks
    ? readMasks(view, compression === COMPRESSION.masksWithAlpha || length >= 56, bits)
    : masksByDefault(bits)
  const start = view.getUint32(10, true)
  const tableAt = FILE_HEADER + length + after
  if (start < tableAt || start > fileBytes) throw refused(CUT_OFF)
  const palette = bits > 8 ? new Uint8Array() : readPalette(view, tableAt, start, bits, isCore)
  if (!isRunLength && start + rowBytes(width, bits) * size.height > fileBytes + LAST_PADDING)
    throw refused(CUT_OFF)
  return { ...size, isTopDown: height < 0, bits, isRunLength, masks, palette, start }
}

/** Some writers leave out what fills up the last row. */
const LAST_PADDING = 3

/** Rows are filled up to four bytes. */
export function rowBytes(width: number, bits: number): number {
  return Math.ceil((width * bits) / 32) * 4
}

function bitsOf(bits: number): BmpHeader['bits'] {
  if (bits === 1 || bits === 4 || bits === 8 || bits === 16 || bits === 24 || bits === 32) return bits
  throw refused(UNUSUAL)
}

function checkCompression(compression: number, bits: number, isTopDown: boolean): void {
  const isPossible =
    compression === COMPRESSION.none ||
    (compression === COMPRESSION.runs8 && bits === 8 && !isTopDown) ||
    (compression === COMPRESSION.runs4 && bits === 4 && !isTopDown) ||
    ((compression === COMPRESSION.masks || compression === COMPRESSION.masksWithAlpha) &&
      (bits === 16 || bits === 32))
  if (!isPossible) throw refused(UNUSUAL)
}

function readMasks(view: DataView, hasAlpha: boolean, bits: number): Masks {
  const at = FILE_HEADER + INFO
  const alpha = hasAlpha ? view.getUint32(at + 12, true) : 0
  const masks = {
    red: view.getUint32(at, true),
    green: view.getUint32(at + 4, true),
    blue: view.getUint32(at + 8, true),
    alpha,
  }
  for (const mask of Object.values(masks)) {
    if (!isOneRun(mask) || mask >= 2 ** bits) throw refused(UNUSUAL)
  }
  return masks
}

/** Whether the bits that are set lie beside each other. */
function isOneRun(mask: number): boolean {
  const run = mask >>> lowestBit(mask)
  return (run & (run + 1)) === 0
}

/** The place of the lowest bit that is set; 0 if none is. */
export function lowestBit(mask: number): number {
  return mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
}

/** The fourth byte of a pixel means nothing without a mask: on the clipboard it is often zero. */
function masksByDefault(bits: number): Masks {
  return bits === 16
    ? { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 }
    : { red: 0x00ff0000, green: 0x0000ff00, blue: 0x000000ff, alpha: 0 }
}

function readPalette(view: DataView, at: number, end: number, bits: number, isCore: boolean): Uint8Array {
  const entry = isCore ? 3 : 4
  const room = Math.floor((Math.min(end, view.byteLength) - at) / entry)
  const palette = new Uint8Array(3 * 256)
  for (let index = 0; index < Math.min(2 ** bits, room); index += 1) {
    palette[index * 3] = view.getUint8(at + index * entry + 2)
    palette[index * 3 + 1] = view.getUint8(at + index * entry + 1)
    palette[index * 3 + 2] = view.getUint8(at + index * entry)
  }
  return palette
}
