import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { ArchiveRefused, type ExtractedFile, extractArchive } from '@patchbay/package-archive'
import { contentsOf, type LibraryContents } from './library.ts'

const LIMITS = {
  maxArchiveBytes: BOARD_LIMITS.libraryArchiveBytes,
  maxInstallBytes: BOARD_LIMITS.libraryBytes,
  maxEntries: BOARD_LIMITS.libraryFiles,
}

interface Unpacked {
  readonly archive: string
  /** Where its files are, as KiCad installs them. */
  readonly root: string
  readonly files: readonly ExtractedFile[]
}

/** An archive in `folder`, and its files beside it. Throws `ArchiveRefused`. */
async function unpackLibrary(
  source: AsyncIterable<Uint8Array>,
  {
    folder,
    identifier,
    signal,
  }: { readonly folder: string; readonly identifier: string; readonly signal?: AbortSignal },
): Promise<Unpacked> {
  await mkdir(folder, { mode: 0o700 })
  const archive = join(folder, 'archive.zip')
  await pipeline(source, createWriteStream(archive, { flags: 'wx' }), signal === undefined ? {} : { signal })
  const root = join(folder, 'files')
  const { files } = await extractArchive(archive, { into: root, identifier, limits: LIMITS })
  return { archive, root, files }
}

export interface ToStore {
  readonly identifier: string
  /** What the bytes have to be. */
  readonly sha256: string
  readonly source: AsyncIterable<Uint8Array>
}

/** Stores the archive, for workers, and its files of symbols, for whoever looks for one. Throws `board_library_refused`. */
export async function storeLibrary(
  { objects, folder }: { readonly objects: ObjectStore; readonly folder: string },
  { identifier, sha256, source }: ToStore,
): Promise<LibraryContents> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own = await mkdtemp(join(folder, 'library-'))
  try {
    const { archive, root, files } = await unpackLibrary(source, { folder: join(own, 'it'), identifier })
    const contents = contentsOf(files)
    const wanted = new Set(contents.symbols.map(({ path }) => path))
    for (const file of files)
      if (wanted.has(file.path))
        await objects.put(createReadStream(join(root, file.installedPath)), { expectedSha256: file.sha256 })
    await objects.put(createReadStream(archive), { expectedSha256: sha256 })
    return contents
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error
    throw new Problem('board_library_refused', { detail: error.message, cause: error })
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 3 })
  }
}
