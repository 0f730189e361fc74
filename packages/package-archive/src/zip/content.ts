import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { ArchiveLimits } from '../limits.ts'
import { ArchiveRefused } from '../refusal.ts'
import type { ByteSource } from './byte-source.ts'
import { type ArchiveEntry, refuseEntry } from './entry.ts'

/** What may inflate to this little is no bomb, however small its source: a file of zeros is one. */
const FREE_BYTES = 2 ** 20

/** Inflated while everything else waits: a fraction of a millisecond. */
const SMALL_BYTES = 64 * 1024

/** What all entries of one reading may inflate to together. */
export class InflateBudget {
  readonly #limits: ArchiveLimits
  #spent = 0

  constructor(limits: ArchiveLimits) {
    this.#limits = limits
  }

  /** `bytes` more of an entry that has given `size` so far. */
  spend(entry: ArchiveEntry, bytes: number, size: number): void {
    this.#spent += bytes
    if (this.#spent > this.#limits.maxInstallBytes)
      throw new ArchiveRefused(
        'bomb_total',
        `The files have more than ${this.#limits.maxInstallBytes} bytes together. Split the package or leave files out.`,
        { entry: entry.path },
      )
    if (size > FREE_BYTES && size > entry.compressedSize * this.#limits.maxRatio)
      throw refuseEntry(
        'bomb_ratio',
        entry.path,
        `inflates to more than ${this.#limits.maxRatio} times its size, as bombs do. Leave it out, or store it uncompressed`,
      )
  }
}

/** By what the headers say, before anything is inflated: an honest bomb costs nothing. */
export function checkDeclaredSizes(entries: readonly ArchiveEntry[], limits: ArchiveLimits): void {
  const budget = new InflateBudget(limits)
  for (const entry of entries) budget.spend(entry, entry.size, entry.size)
}

/** The content of an entry, counted and summed up on the way. It is whole and right when the last piece was taken. */
export async function* readContent(
  source: ByteSource,
  entry: ArchiveEntry,
  budget: InflateBudget,
): AsyncGenerator<Buffer> {
  let size = 0
  let sum = 0
  const raw = source.chunks(entry.dataStart, entry.compressedSize)
  for await (const chunk of entry.isDeflated ? inflate(raw, entry) : raw) {
    size += chunk.length
    budget.spend(entry, chunk.length, size)
    if (size > entry.size) throw refuseEntry('size_mismatch', entry.path, 'is larger than the archive says')
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (size !== entry.size) throw refuseEntry('size_mismatch', entry.path, 'is smaller than the archive says')
  if (sum !== entry.crc32)
    throw refuseEntry(
      'crc_mismatch',
      entry.path,
      'is damaged: its checksum is wrong. Pack or download it again',
    )
}

async function* inflate(raw: AsyncGenerator<Buffer>, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  const isSmall = entry.compressedSize <= SMALL_BYTES && entry.size <= SMALL_BYTES
  try {
    const taken = yield* isSmall ? inflateAtOnce(raw, entry) : inflateStream(raw)
    if (taken !== entry.compressedSize)
      throw refuseEntry('size_mismatch', entry.path, 'has bytes after its data')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw refuseEntry('size_mismatch', entry.path, 'is larger than the archive says', error)
    if (!code.startsWith('Z_')) throw error
    throw refuseEntry(
      'damaged',
      entry.path,
      'is damaged and does not inflate. Pack or download it again',
      error,
    )
  }
}

/** A stream costs more than a small file takes to inflate. Returns how many bytes of the source were used. */
async function* inflateAtOnce(
  raw: AsyncGenerator<Buffer>,
  { size }: ArchiveEntry,
): AsyncGenerator<Buffer, number> {
  const pieces: Buffer[] = []
  for await (const piece of raw) pieces.push(piece)
  const source = Buffer.concat(pieces)
  const { buffer, engine } = inflateRawSync(source, {
    info: true,
    maxOutputLength: Math.max(size, 1),
  }) as unknown as {
    readonly buffer: Buffer
    readonly engine: { readonly bytesWritten: number }
  }
  if (buffer.length > 0) yield buffer
  return engine.bytesWritten
}

async function* inflateStream(raw: AsyncGenerator<Buffer>): AsyncGenerator<Buffer, number> {
  const inflater = createInflateRaw()
  // Errors come out of the iteration below; the callback keeps them from being thrown where nobody catches.
  pipeline(Readable.from(raw), inflater, () => undefined)
  for await (const chunk of inflater) yield chunk as Buffer
  return inflater.bytesWritten
}
