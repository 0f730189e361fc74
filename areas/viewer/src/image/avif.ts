import { frameCount } from './av1.ts'
import { type AvifItem, avifItems } from './avif-items.ts'
import { checkSize } from './plan.ts'
import { fourLetters, type ReadAt, viewOf } from './read-at.ts'
import { CUT_OFF, refused, UNUSUAL } from './refused.ts'

const MAX_BOXES = 64
const MAX_META_BYTES = 256 * 1024
const MAX_ITEMS = 16
/** One, or a few that show the same picture better and better. */
const MAX_FRAMES = 4

/**
 * Looks at how an AVIF file is built before the decoder does. Pictures in it may have sizes of their own, be put together
 * from others, or consist of thousands of frames that are all decoded to show the last: hours of work in ten kilobytes,
 * and no deadline interrupts it. So: plain pictures with their own size, of few frames. Returns the pixels of the largest.
 */
export async function checkAvif(readAt: ReadAt, fileBytes: number): Promise<number> {
  const items = await findItems(readAt, fileBytes)
  if (items.length === 0 || items.length > MAX_ITEMS) throw refused(UNUSUAL)
  // Parts that overlap would be read, and kept, many times.
  if (items.reduce((sum, { length }) => sum + length, 0) > fileBytes) throw refused(CUT_OFF)
  let largest = 0
  for (const item of items) {
    if (item.isPicture) largest = Math.max(largest, await checkPicture(item, readAt))
  }
  return largest
}

async function checkPicture(item: AvifItem, readAt: ReadAt): Promise<number> {
  if (item.size === undefined) throw refused(UNUSUAL)
  checkSize(item.size)
  if ((await frameCount(readAt, item.offset, item.length, MAX_FRAMES)) > MAX_FRAMES) throw refused(UNUSUAL)
  return item.size.width * item.size.height
}

async function findItems(readAt: ReadAt, fileBytes: number): Promise<readonly AvifItem[]> {
  let found: readonly AvifItem[] = []
  let offset = 0
  for (let boxes = 0; offset < fileBytes; boxes += 1) {
    if (boxes === MAX_BOXES) throw refused(UNUSUAL)
    const header = viewOf(await readAt(offset, 16))
    if (header.byteLength < 8) throw refused(CUT_OFF)
    const kind = fourLetters(header, 4)
    const size = boxSize(header, fileBytes - offset)
    if (kind === 'moov' || kind === 'moof') throw refused('This is an AVIF animation. Use a still picture.')
    if (kind === 'meta') {
      // A second one might be the one that is decoded.
      if (size > MAX_META_BYTES || found.length > 0) throw refused(UNUSUAL)
      found = avifItems(await readAt(offset, size))
    }
    offset += size
  }
  return found
}

function boxSize(header: DataView, left: number): number {
  const size = header.getUint32(0)
  if (size === 0) return left
  // Sizes of 64 bits are for films.
  if (size === 1) throw refused(UNUSUAL)
  if (size < 8 || size > left) throw refused(CUT_OFF)
  return size
}
