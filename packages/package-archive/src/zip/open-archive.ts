import type { ArchiveLimits } from '../limits.ts'
import { ArchiveRefused } from '../refusal.ts'
import { ByteSource } from './byte-source.ts'
import { listEntries } from './central-directory.ts'
import { checkDeclaredSizes, InflateBudget, readContent } from './content.ts'
import { readEndRecord } from './end-record.ts'
import type { ArchiveEntry } from './entry.ts'
import { checkLayout } from './layout.ts'

/** An archive of which all is checked but the content of its entries, which is checked while it is read. */
export class OpenArchive implements AsyncDisposable {
  readonly entries: readonly ArchiveEntry[]
  readonly #source: ByteSource
  readonly #limits: ArchiveLimits

  constructor(source: ByteSource, entries: readonly ArchiveEntry[], limits: ArchiveLimits) {
    this.#source = source
    this.entries = entries
    this.#limits = limits
  }

  get size(): number {
    return this.#source.size
  }

  sha256(): Promise<string> {
    return this.#source.sha256()
  }

  /** A function that reads contents, within what the limits allow for all of them together. */
  startReading(): (entry: ArchiveEntry) => AsyncGenerator<Buffer> {
    const budget = new InflateBudget(this.#limits)
    return (entry) => readContent(this.#source, entry, budget)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source[Symbol.asyncDispose]()
  }
}

export async function openArchive(file: string, limits: ArchiveLimits): Promise<OpenArchive> {
  const source = await ByteSource.open(file, limits.maxArchiveBytes)
  try {
    const end = await readEndRecord(source)
    if (end.entryCount > limits.maxEntries)
      throw new ArchiveRefused(
        'too_many_entries',
        `The archive has ${end.entryCount} entries; at most ${limits.maxEntries} are accepted.`,
      )
    const entries = await listEntries(source, end, limits)
    await checkLayout(source, entries, end.directoryStart)
    checkDeclaredSizes(entries, limits)
    return new OpenArchive(source, entries, limits)
  } catch (error) {
    await source[Symbol.asyncDispose]()
    throw error
  }
}

/** The whole content. Only for entries whose size was checked against a limit that memory can bear. */
export async function collect(content: AsyncGenerator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}
