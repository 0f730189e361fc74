import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { isUint8Array } from 'node:util/types'
import { ObjectRefused, onEngine } from './errors.ts'
import { byteLimit, isObjectName } from './object-name.ts'
import type { PutOptions } from './ports.ts'

/** Larger writes than a stream's own chunks: each costs a hop to the thread pool. */
const CHUNK_BYTES = 256 * 1024

/** Before anything is opened or read: nothing can hash to a string that is no hash. */
export function checkExpectation({ expectedSha256, signal }: PutOptions): void {
  signal?.throwIfAborted()
  if (expectedSha256 !== undefined && !isObjectName(expectedSha256)) throw new ObjectRefused('hash_mismatch')
}

/** Writes the source into the file, hashing and counting on the way. */
export async function receive(
  source: AsyncIterable<Uint8Array>,
  file: FileHandle,
  { expectedSha256, maxBytes, signal }: PutOptions,
): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256')
  const limit = byteLimit(maxBytes)
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  let size = 0
  const flush = async () => {
    const part = buffer.subarray(0, filled)
    const written = file.writeFile(part)
    hash.update(part)
    await onEngine(written)
    filled = 0
  }
  for await (const chunk of untilAborted(source, signal)) {
    // A string has no byteLength: it would be counted, hashed and stored as nothing at all.
    if (!isUint8Array(chunk)) throw new TypeError('a source of bytes yielded something else')
    size += chunk.byteLength
    // Written this way round, a limit that is not a number lets nothing pass.
    if (!(size <= limit)) throw new ObjectRefused('too_large')
    for (let taken = 0; taken < chunk.byteLength; ) {
      const piece = chunk.subarray(taken, taken + CHUNK_BYTES - filled)
      buffer.set(piece, filled)
      taken += piece.byteLength
      filled += piece.byteLength
      if (filled === CHUNK_BYTES) await flush()
    }
  }
  await flush()
  const sha256 = hash.digest('hex')
  if (expectedSha256 !== undefined && sha256 !== expectedSha256) throw new ObjectRefused('hash_mismatch')
  return { sha256, size }
}

/** `for await` alone sees an abort only with the next chunk, which a stalled producer never sends. */
async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      const step = await orAborted(iterator.next(), signal)
      ended = step.done === true
      if (step.done === true) return
      yield step.value
    }
  } finally {
    // Not awaited: a generator that hangs in its own await would hold this one back as long.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

function orAborted<T>(next: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return next
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const settle = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    next.then(resolve, reject).finally(settle)
  })
}
