import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { ArchiveRefused, type ExtractedFile, extractArchive } from '@patchbay/package-archive'
import { contentsOf, type LibraryContents, type LibraryInput } from './library.ts'
import { LIBRARY_TABLES, withLibraries } from './library-tables.ts'
import type { ReadOnly } from './sandbox.io.ts'

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

/** What KiCad's packages bring with them, and what it starts with. */
const TEMPLATES = '/usr/share/kicad/template'

export interface LaidOut {
  /** Where KiCad finds them, for the sandbox. */
  readonly readOnly: readonly ReadOnly[]
  /** A package whose bytes are gone. */
  readonly missing?: string
}

/** The libraries of a job, as KiCad's own package manager would have installed them, below `folder`. */
export async function layOutLibraries(
  libraries: readonly LibraryInput[],
  {
    objects,
    folder,
    version,
    signal,
  }: {
    readonly objects: ObjectStore
    readonly folder: string
    /** Of KiCad. */
    readonly version: string
    readonly signal: AbortSignal
  },
): Promise<LaidOut> {
  if (libraries.length === 0) return { readOnly: [] }
  const packages = join(folder, 'packages')
  await mkdir(packages, { recursive: true })
  for (const { identifier, sha256 } of libraries) {
    const content = await objects.get(sha256)
    if (content === undefined) return { readOnly: [], missing: identifier }
    const place = join(folder, 'unpacked')
    const { root } = await unpackLibrary(content.stream, { folder: place, identifier, signal })
    for (const kind of await readdir(root)) {
      await mkdir(join(packages, kind), { recursive: true })
      for (const name of await readdir(join(root, kind)))
        await rename(join(root, kind, name), join(packages, kind, name))
    }
    await rm(place, { recursive: true })
  }
  // Settings are kept by the first two numbers.
  const [series = ''] = /^\d+\.\d+/.exec(version) ?? []
  const readOnly = [{ from: packages, to: `.local/share/kicad/${series}/3rdparty` }]
  for (const name of LIBRARY_TABLES) {
    const installed = await readFile(join(TEMPLATES, name), 'utf8').catch(() => undefined)
    await writeFile(join(folder, name), withLibraries(name, installed, libraries, series))
    readOnly.push({ from: join(folder, name), to: `.config/kicad/${series}/${name}` })
  }
  return { readOnly }
}
