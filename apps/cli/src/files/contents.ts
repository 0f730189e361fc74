import { createHash } from 'node:crypto'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'

/** A content that is asked for, and the path that it is told under. */
export interface Wanted {
  readonly path: string
  readonly sha256: string
  readonly size: number
}

/** Of one request, and of what is held in memory at once; a larger content goes alone. */
const BATCH_FILES = 500
const BATCH_BYTES = 32 * 1024 * 1024

export function batchesOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item[][] {
  const batches: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const size = sizeOf(item)
    const last = batches.at(-1)
    if (last === undefined || bytes + size > BATCH_BYTES || last.length >= BATCH_FILES) {
      batches.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return batches
}

export type ByteReader = (most: number) => Promise<Uint8Array | undefined>

/** Hands out what has arrived, never more than asked for. */
export function chunksOf(stream: ReadableStream<Uint8Array>): ByteReader {
  const reader = stream.getReader()
  let rest: Uint8Array = new Uint8Array()
  return async (most) => {
    while (rest.byteLength === 0) {
      const { done, value } = await reader.read()
      if (done) return undefined
      rest = value
    }
    const part = rest.subarray(0, most)
    rest = rest.subarray(part.byteLength)
    return part
  }
}

/** The next content of several. Fails after its last byte when they are others than were asked for: a server is not trusted. */
export async function* checkedContent(
  read: ByteReader,
  { sha256, size, path }: Wanted,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for (let left = size; left > 0; ) {
    const chunk = await read(left)
    if (chunk === undefined) throw broken(path)
    left -= chunk.byteLength
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw broken(path)
}

const broken = (path: string) =>
  new Refusal(EXIT.unavailable, 'content_broken', `The content of ${path} did not arrive whole.\nTry again.`)
