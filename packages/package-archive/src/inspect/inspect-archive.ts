import { createHash } from 'node:crypto'
import type { Package } from '@patchbay/package-format'
import { quote } from '@patchbay/primitives/text'
import { ARCHIVE_FOLDERS, isInstallable } from '../archive-folders.ts'
import { ARCHIVE_LIMITS, type ArchiveLimits, withLimits } from '../limits.ts'
import type { ArchiveEntry } from '../zip/entry.ts'
import { collect, openArchive } from '../zip/open-archive.ts'
import { findMetadata, METADATA } from './find-metadata.ts'
import { checkMetadata } from './metadata.ts'
import { findIconFault } from './png.ts'

const SHOWN = 5
/** Texts for people who look into the archive. */
const FOR_READERS = /^(?:licen[cs]e|copying|notice|readme|changelog)[^/]*$/i

function listWarnings({
  files,
  others,
  iconFault,
}: {
  readonly files: readonly unknown[]
  readonly others: readonly string[]
  readonly iconFault: string | undefined
}): string[] {
  const warnings: string[] = []
  if (files.length === 0) warnings.push(`Nothing in the archive is installed: ${WHERE}.`)
  const passedOver = others.filter((path) => !FOR_READERS.test(path))
  if (passedOver.length > 0) {
    const shown = passedOver
      .slice(0, SHOWN)
      .map((each) => quote(each))
      .join(', ')
    const more = passedOver.length > SHOWN ? ` and ${passedOver.length - SHOWN} more` : ''
    warnings.push(`Not installed: ${shown}${more}; ${WHERE}.`)
  }
  if (iconFault !== undefined) warnings.push(`resources/icon.png ${iconFault}; the package has no icon.`)
  return warnings
}

const WHERE = `only files in ${ARCHIVE_FOLDERS.join(', ')} are`

export interface ArchivedFile {
  /** In the archive, such as `plugins/main.py`. */
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export interface Inspection {
  /** In the neutral dialect, with exactly one version. */
  readonly metadata: Package
  /** What `metadata.json` says, in its own dialect. */
  readonly rawMetadata: unknown
  readonly sha256: string
  readonly size: number
  /** Of the installable files alone. */
  readonly installSize: number
  /** The installable files, sorted. */
  readonly files: readonly ArchivedFile[]
  /** `resources/icon.png`. */
  readonly icon?: Uint8Array
  /** What the packer may want to know. No reason to refuse the archive. */
  readonly warnings: readonly string[]
}

export interface InspectOptions {
  /** The spelling of the metadata; the neutral one is always read as well. */
  readonly brand?: string
  readonly brands?: readonly string[]
  readonly limits?: Partial<ArchiveLimits>
}

const ICON = 'resources/icon.png'

/** Reads the whole archive, every entry of it, and writes nothing. Throws `ArchiveRefused`. */
export async function inspectArchive(file: string, options: InspectOptions = {}): Promise<Inspection> {
  const limits = withLimits(ARCHIVE_LIMITS, options.limits)
  const brands = [...(options.brand === undefined ? [] : [options.brand]), ...(options.brands ?? [])]
  await using archive = await openArchive(file, limits)
  const sha256 = await archive.sha256()
  const checked = checkMetadata(
    await collect(archive.startReading()(findMetadata(archive.entries, limits))),
    brands,
  )

  const read = archive.startReading()
  const files: ArchivedFile[] = []
  const others: string[] = []
  let icon: Buffer | undefined
  for (const entry of archive.entries) {
    const isIcon = entry.path === ICON && entry.kind === 'file' && entry.size <= limits.maxIconBytes
    const content = await hashContent(read(entry), isIcon)
    if (isIcon) icon = content.bytes
    if (entry.kind === 'folder') continue
    if (isInstallable(entry.path)) files.push({ path: entry.path, size: entry.size, sha256: content.sha256 })
    else if (entry.path !== METADATA) others.push(entry.path)
  }
  const iconFault = faultOfIcon(archive.entries, icon, limits)
  return {
    ...checked,
    sha256,
    size: archive.size,
    installSize: files.reduce((sum, { size }) => sum + size, 0),
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    ...(icon !== undefined && iconFault === undefined ? { icon } : {}),
    warnings: listWarnings({ files, others, iconFault }),
  }
}

async function hashContent(
  content: AsyncGenerator<Buffer>,
  keep: boolean,
): Promise<{ readonly sha256: string; readonly bytes: Buffer }> {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  for await (const chunk of content) {
    hash.update(chunk)
    if (keep) kept.push(chunk)
  }
  return { sha256: hash.digest('hex'), bytes: Buffer.concat(kept) }
}

function faultOfIcon(
  entries: readonly ArchiveEntry[],
  icon: Buffer | undefined,
  { maxIconBytes }: ArchiveLimits,
): string | undefined {
  if (icon !== undefined) return findIconFault(icon, maxIconBytes)
  const entry = entries.find(({ path, kind }) => path === ICON && kind === 'file')
  return entry === undefined ? undefined : `has ${entry.size} bytes; at most ${maxIconBytes} are accepted`
}
