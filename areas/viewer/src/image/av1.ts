import type { ReadAt } from './read-at.ts'
import { CUT_OFF, refused, UNUSUAL } from './refused.ts'

const FRAME_HEADER = 3
const FRAME = 6
const MAX_UNITS = 4096
const LONGEST_HEADER = 10

/** How many frames a coded picture has; counting stops above `enough`. */
export async function frameCount(
  readAt: ReadAt,
  start: number,
  length: number,
  enough: number,
): Promise<number> {
  const end = start + length
  let frames = 0
  let offset = start
  for (let units = 0; offset < end && frames <= enough; units += 1) {
    if (units === MAX_UNITS) throw refused(UNUSUAL)
    const head = await readAt(offset, Math.min(LONGEST_HEADER, end - offset))
    const flags = head[0]
    if (flags === undefined || (flags & 0x80) !== 0) throw refused(CUT_OFF)
    // Without a size of its own a unit reaches to the end: then what is in it could not be told from here.
    if ((flags & 0x02) === 0) throw refused(UNUSUAL)
    const sizeAt = (flags & 0x04) === 0 ? 1 : 2
    const { value, next } = leb128(head, sizeAt)
    const kind = (flags >> 3) & 0x0f
    if (kind === FRAME_HEADER || kind === FRAME) frames += 1
    offset += next + value
  }
  if (offset > end) throw refused(CUT_OFF)
  return frames
}

function leb128(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[start + index]
    if (byte === undefined) throw refused(CUT_OFF)
    value += (byte & 0x7f) * 2 ** (7 * index)
    if ((byte & 0x80) === 0) return { value, next: start + index + 1 }
  }
  throw refused(CUT_OFF)
}
