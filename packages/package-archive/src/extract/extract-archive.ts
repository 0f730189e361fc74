import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { IDENTIFIER_PATTERN } from '@patchbay/package-format'
import { folderOf, installedPath, isInstallable } from '../archive-folders.ts'
import { ARCHIVE_LIMITS, type ArchiveLimits, withLimits } from '../limits.ts'
import { findNameFault } from '../name/check-name.ts'
import type { ArchiveEntry } from '../zip/entry.ts'
import { openArchive } from '../zip/open-archive.ts'
import { TargetFolder } from './target-folder.ts'

export interface ExtractedFile {
  /** In the archive, such as `plugins/main.py`. */
  readonly path: string
  /** Below `into`, such as `plugins/com_example_blinky/main.py`. */
  readonly installedPath: string
  readonly size: number
  readonly sha256: string
}

export interface ExtractOptions {
  /** A folder that is absent or empty. */
  readonly into: string
  readonly identifier: string
  readonly limits?: Partial<ArchiveLimits>
  /** Inflated bytes so far, and how many there will be. */
  readonly onProgress?: (bytes: number, total: number) => void
}

const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN)

/** Writes the installable files and reads all others, so that it refuses what `inspectArchive` refuses. */
export async function extractArchive(
  file: string,
  { into, identifier, limits, onProgress }: ExtractOptions,
): Promise<{ readonly files: readonly ExtractedFile[] }> {
  const allowed = withLimits(ARCHIVE_LIMITS, limits)
  checkIdentifier(identifier, allowed)
  await using archive = await openArchive(file, allowed)
  const target = await TargetFolder.take(into)
  try {
    const read = archive.startReading()
    const total = archive.entries.reduce((sum, { size }) => sum + size, 0)
    const files: ExtractedFile[] = []
    let done = 0
    const onBytes = (bytes: number) => {
      done += bytes
      onProgress?.(done, total)
    }
    for (const entry of archive.entries) {
      const content = read(entry)
      if (entry.kind === 'file' && isInstallable(entry.path))
        files.push(await writeEntry(target, entry, content, installedPath(entry.path, identifier), onBytes))
      else for await (const chunk of content) onBytes(chunk.length)
    }
    return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }
  } catch (error) {
    await target.clear()
    throw error
  }
}

function checkIdentifier(identifier: string, { maxPathLength }: ArchiveLimits): void {
  const isFit =
    IDENTIFIER.test(identifier) && findNameFault(folderOf(identifier), maxPathLength) === undefined
  if (!isFit) throw new TypeError(`${JSON.stringify(identifier)} cannot be the identifier of a package`)
}

async function writeEntry(
  target: TargetFolder,
  { path, size }: ArchiveEntry,
  content: AsyncGenerator<Buffer>,
  installed: string,
  onBytes: (bytes: number) => void,
): Promise<ExtractedFile> {
  const hash = createHash('sha256')
  await using file = await target.create(installed)
  for await (const chunk of content) {
    hash.update(chunk)
    await writeAll(file, chunk)
    onBytes(chunk.length)
  }
  return { path, installedPath: installed, size, sha256: hash.digest('hex') }
}

/** A single write may take only a part, on a full disk for one. */
async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done)
    done += bytesWritten
  }
}
