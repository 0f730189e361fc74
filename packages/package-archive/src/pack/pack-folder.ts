import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { findPublishFaults } from '@patchbay/package-format/publish-faults'
import type { Finding } from '@patchbay/package-format/validate'
import type { ZipFile } from 'yazl'
import { METADATA } from '../inspect/find-metadata.ts'
import { type Inspection, inspectArchive } from '../inspect/inspect-archive.ts'
import { type CheckedMetadata, checkMetadata } from '../inspect/metadata.ts'
import { ARCHIVE_LIMITS } from '../limits.ts'
import { ArchiveRefused } from '../refusal.ts'
import { refuseEntry } from '../zip/entry.ts'
import { checkKeptFiles } from './kept-files.ts'
import type { LeftOut } from './left-out.ts'
import { type PackedFile, scanFolder } from './scan-folder.ts'
import { FIXED_FIELDS, writeZip } from './write-zip.ts'

export interface PackOptions {
  /** The archive. One that is there is replaced. */
  readonly out: string
  readonly brand?: string
  /** Bytes read so far, and how many there will be. */
  readonly onProgress?: (bytes: number, total: number) => void
}

export interface PackedArchive extends Inspection {
  readonly leftOut: readonly LeftOut[]
  /** What may not work everywhere, with its place in metadata.json. */
  readonly findings: readonly Finding[]
}

const CHUNK_BYTES = 64 * 1024

/** The same files make the same bytes. The archive is inspected before it gets its name. */
export async function packFolder(
  folder: string,
  { out, brand, onProgress }: PackOptions,
): Promise<PackedArchive> {
  const { files, leftOut } = await scanFolder(folder, out)
  const brands = brand === undefined ? [] : [brand]
  const { metadata, findings } = await checkMetadataOf(files, brands)
  const keepWarnings = checkKeptFiles(metadata, files)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress?.(done, total)
  }
  const inspection = await writeZip(
    resolve(out),
    (zip, signal) => {
      for (const file of files) addFile(zip, file, signal, onBytes)
    },
    (file) => inspectArchive(file, { brands }),
  )
  return { ...inspection, warnings: [...inspection.warnings, ...keepWarnings], leftOut, findings }
}

async function checkMetadataOf(
  files: readonly PackedFile[],
  brands: readonly string[],
): Promise<CheckedMetadata> {
  const metadata = files.find(({ path }) => path === METADATA)
  if (metadata === undefined)
    throw new ArchiveRefused(
      'metadata_missing',
      'The folder has no metadata.json. Add one that describes the package.',
    )
  if (metadata.size > ARCHIVE_LIMITS.maxMetadataBytes)
    throw refuseEntry(
      'too_large',
      METADATA,
      `has ${metadata.size} bytes; at most ${ARCHIVE_LIMITS.maxMetadataBytes} are accepted`,
    )
  await using file = await openPlain(metadata.source)
  return checkMetadata(await file.readFile(), brands, findPublishFaults)
}

function addFile(
  zip: ZipFile,
  { path, source }: PackedFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): void {
  zip.addReadStreamLazy(path, { ...FIXED_FIELDS, compressionLevel: 9 }, (pass) => {
    const content = Readable.from(readPlain(source, onBytes), { objectMode: false, signal })
    content.on('error', (error) => zip.emit('error', error))
    pass(null, content)
  })
}

async function* readPlain(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  await using file = await openPlain(path)
  for (;;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES) })
    if (bytesRead === 0) return
    onBytes(bytesRead)
    yield buffer.subarray(0, bytesRead)
  }
}

/** The folder was looked at before. What has become a link since is not followed out of it. */
function openPlain(path: string) {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
}
