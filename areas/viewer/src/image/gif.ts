import { CUT_OFF, refused } from './refused.ts'

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const SCREEN_HEADER = 13
const IMAGE_HEADER = 10

/**
 * The file up to the end of its first frame. The decoder would read two million frames of an animation to show one, and
 * hold something of each. Writes the end mark into the bytes it was given.
 */
export function firstGifFrame(bytes: Uint8Array): Uint8Array {
  let offset = SCREEN_HEADER + colorTable(at(bytes, 10))
  for (;;) {
    const kind = at(bytes, offset)
    if (kind === TRAILER) throw refused('The GIF file has no picture in it.')
    if (kind === IMAGE) offset += IMAGE_HEADER + colorTable(at(bytes, offset + 9)) + 1
    else if (kind === EXTENSION) offset += 2
    else throw refused(CUT_OFF)
    for (let length = at(bytes, offset); length > 0; length = at(bytes, offset)) offset += 1 + length
    offset += 1
    if (kind === IMAGE) break
  }
  if (offset >= bytes.length) throw refused(CUT_OFF)
  bytes[offset] = TRAILER
  return bytes.subarray(0, offset + 1)
}

function colorTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

function at(bytes: Uint8Array, offset: number): number {
  const byte = bytes[offset]
  if (byte === undefined) throw refused(CUT_OFF)
  return byte
}
