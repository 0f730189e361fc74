import type { BmpHeader } from './bmp-header.ts'
import { CUT_OFF, refused } from './refused.ts'

const END_OF_LINE = 0
const END_OF_PICTURE = 1
const MOVE = 2

/**
 * Unpacks runs into one palette index for each pixel, the rows as in the file. What lies outside of the picture is dropped;
 * pixels that no run reaches keep the first color. A file that ends before it says so was cut off.
 */
export function unpackRuns(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const { width, height, bits } = header
  const indices = new Uint8Array(width * height)
  let at = header.start
  let x = 0
  let y = 0
  while (y < height) {
    const count = bytes[at]
    const value = bytes[at + 1]
    if (count === undefined || value === undefined) throw refused(CUT_OFF)
    at += 2
    if (count > 0) {
      for (let index = 0; index < count && x < width; index += 1, x += 1)
        indices[y * width + x] = pick(value, index, bits)
    } else if (value === END_OF_LINE) {
      x = 0
      y += 1
    } else if (value === END_OF_PICTURE) {
      return indices
    } else if (value === MOVE) {
      x += bytes[at] ?? 0
      y += bytes[at + 1] ?? 0
      at += 2
    } else {
      const length = bits === 8 ? value : Math.ceil(value / 2)
      if (at + length > bytes.length) throw refused(CUT_OFF)
      for (let index = 0; index < value && x < width; index += 1, x += 1)
        indices[y * width + x] = pick(bytes[at + (bits === 8 ? index : index >> 1)] ?? 0, index, bits)
      at += length + (length % 2)
    }
  }
  return indices
}

function pick(value: number, index: number, bits: number): number {
  if (bits === 8) return value
  return index % 2 === 0 ? value >> 4 : value & 0x0f
}
