import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { InstallFailure } from '../install-failure.ts'
import type { ArchiveStream } from '../install-source.ts'
import { aborted, explainSourceFailure } from './source-failure.ts'

export interface ExpectedArchive {
  readonly identifier: string
  /** Absent only when the caller takes what comes. */
  readonly sha256?: string
  readonly size?: number
  /** What is read at most where the size is not known. */
  readonly maxBytes: number
}

const PIECE = 2 ** 20

/** Writes an archive to a new file, and checks it while it does. Returns its SHA-256. */
export async function downloadArchive(
  { stream }: ArchiveStream,
  path: string,
  expected: ExpectedArchive,
  { signal, onBytes }: { readonly signal?: AbortSignal; readonly onBytes?: (bytes: number) => void } = {},
): Promise<string> {
  const limit = expected.size ?? expected.maxBytes
  const file = await open(path, 'wx')
  const writer = new PieceWriter(file)
  try {
    for await (const chunk of passFailures(stream, expected, signal)) {
      if (signal?.aborted === true) throw aborted(expected.identifier, signal.reason)
      if (writer.bytes + chunk.length > limit) throw tooLarge(expected, limit)
      await writer.write(chunk)
      onBytes?.(writer.bytes)
    }
    const sha256 = await writer.finish()
    checkArchive(expected, writer.bytes, sha256)
    return sha256
  } finally {
    await writer.settle()
    await file.close()
  }
}

/** Tells a source that failed from a disk that failed. */
async function* passFailures(
  stream: AsyncIterable<Uint8Array>,
  { identifier }: ExpectedArchive,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    throw explainSourceFailure(cause, identifier, signal)
  }
}

function checkArchive(expected: ExpectedArchive, bytes: number, sha256: string): void {
  const { identifier } = expected
  if (expected.size !== undefined && bytes !== expected.size)
    throw new InstallFailure(
      'size_mismatch',
      `the archive of ${identifier} has ${bytes} bytes, the repository says ${expected.size}: try again later, then tell the author`,
      { identifier },
    )
  if (expected.sha256 !== undefined && sha256 !== expected.sha256)
    throw new InstallFailure(
      'hash_mismatch',
      `the archive of ${identifier} is not the one that the repository describes (SHA-256 ${sha256}, expected ${expected.sha256}): nothing was installed; tell the author`,
      { identifier },
    )
}

function tooLarge({ identifier, size }: ExpectedArchive, limit: number): InstallFailure {
  return size === undefined
    ? new InstallFailure(
        'too_large',
        `the archive of ${identifier} has more than ${limit} bytes, which is the limit`,
        {
          identifier,
        },
      )
    : new InstallFailure(
        'size_mismatch',
        `the archive of ${identifier} has more than the ${limit} bytes that the repository says: try again later, then tell the author`,
        { identifier },
      )
}

/** One piece is written and hashed while the next one fills: three things at once instead of one after the other. */
class PieceWriter {
  readonly #file: FileHandle
  readonly #hash: Hash = createHash('sha256')
  #filling = Buffer.allocUnsafe(PIECE)
  #resting = Buffer.allocUnsafe(PIECE)
  #filled = 0
  #writing: Promise<unknown> = Promise.resolve()
  bytes = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + PIECE - this.#filled)
      this.#filling.set(part, this.#filled)
      this.#filled += part.length
      taken += part.length
      if (this.#filled === PIECE) await this.#flush()
    }
  }

  async finish(): Promise<string> {
    await this.#flush()
    await this.#writing
    return this.#hash.digest('hex')
  }

  /** The file must not be closed under a write that is under way. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => undefined)
  }

  async #flush(): Promise<void> {
    await this.#writing
    const piece = this.#filling.subarray(0, this.#filled)
    this.#writing = writeWhole(this.#file, piece)
    // Looked at later; without this, a full disk ends the process before.
    this.#writing.catch(() => undefined)
    this.#hash.update(piece)
    ;[this.#filling, this.#resting] = [this.#resting, this.#filling]
    this.#filled = 0
  }
}

async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let written = 0; written < piece.length; ) {
    written += (await file.write(piece, written, piece.length - written)).bytesWritten
  }
}
