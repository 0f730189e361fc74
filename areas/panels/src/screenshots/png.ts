import { crc32 } from 'node:zlib'
import { Problem } from '@patchbay/contracts/core'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const IHDR_CHUNK = Buffer.from('0000000d49484452', 'hex')
/** The signature and the first chunk, which is the same length in every PNG. */
const HEAD_BYTES = 33
const IEND_CHUNK = Buffer.from('0000000049454e44ae426082', 'hex')
const LARGEST_SIDE = 32_767

/** What `markedPng` adds: the text chunk with the id of the capture. */
export const MARK_BYTES = 12 + 'patchbay-capture'.length + 1 + 36

/**
 * A PNG on its way to the store, with the id of its capture written into it. So no two captures, nor a capture and any
 * other file, are ever the same object: when the capture goes, its object can go, and takes nobody else's away.
 */
export async function* markedPng(
  source: AsyncIterable<Uint8Array>,
  captureId: string,
  onSize: (size: PictureSize) => void,
): AsyncGenerator<Uint8Array> {
  let head: Buffer = Buffer.alloc(0)
  let tail: Buffer = Buffer.alloc(0)
  let isMarked = false
  for await (const chunk of source) {
    tail = Buffer.concat([tail, chunk.subarray(-IEND_CHUNK.length)]).subarray(-IEND_CHUNK.length)
    if (isMarked) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      if (head.length < HEAD_BYTES) continue
      onSize(sizeOf(head))
      yield Buffer.concat([head.subarray(0, HEAD_BYTES), markOf(captureId), head.subarray(HEAD_BYTES)])
      isMarked = true
    }
  }
  if (!isMarked || !tail.equals(IEND_CHUNK)) throw notPng('It is not a whole PNG.')
}

function sizeOf(head: Buffer): PictureSize {
  if (!head.subarray(0, 8).equals(SIGNATURE) || !head.subarray(8, 16).equals(IHDR_CHUNK))
    throw notPng('It is not a PNG.')
  if (crc32(head.subarray(12, 29)) !== head.readUInt32BE(29)) throw notPng('Its header is damaged.')
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)]
  if (width === 0 || height === 0 || width > LARGEST_SIDE || height > LARGEST_SIDE)
    throw notPng('It has no sides of 1 to 32,767 pixels.')
  return { width, height }
}

function markOf(captureId: string): Buffer {
  const content = Buffer.from(`tEXtpatchbay-capture\0${captureId}`, 'latin1')
  const chunk = Buffer.alloc(content.length + 8)
  chunk.writeUInt32BE(content.length - 4, 0)
  content.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(content), content.length + 4)
  return chunk
}

function notPng(detail: string): Problem {
  return new Problem('invalid_request', { detail })
}
