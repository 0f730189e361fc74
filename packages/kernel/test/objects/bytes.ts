import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

export const MIB = 1024 * 1024

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Bytes that repeat nowhere near a chunk boundary, so that a swapped or doubled chunk shows. */
export function patterned(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 8) * 17 + (at >> 16) * 7) & 0xff
  return bytes
}

/** A source of the given chunks that notes how far it was read and whether it was closed. */
export class Source implements AsyncIterable<Uint8Array> {
  readonly #chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  pulled = 0
  closed = false

  constructor(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    this.#chunks = chunks
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#chunks) {
        this.pulled += 1
        yield chunk
      }
    } finally {
      this.closed = true
    }
  }
}

export function inChunks(bytes: Uint8Array, size = 64 * 1024): Source {
  return new Source(
    (function* () {
      for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
    })(),
  )
}

/** Yields what it was given and then nothing, forever. `started` resolves when the hanging begins. */
export function hangingAfter(bytes: Uint8Array): { source: Source; started: Promise<void> } {
  const started = Promise.withResolvers<void>()
  async function* chunks() {
    yield bytes
    started.resolve()
    await new Promise<never>(() => undefined)
  }
  return { source: new Source(chunks()), started: started.promise }
}

/** What must be there for the test to mean anything. */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing was found')
  return value
}

export async function* bytesOf(stream: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a stream of something else')
    yield chunk
  }
}

export async function collect(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(bytesOf(stream)))
}
