import { quote } from '@patchbay/primitives/text'
import type { ArchiveLimits } from '../limits.ts'
import { ArchiveRefused } from '../refusal.ts'
import { type ArchiveEntry, refuseEntry } from '../zip/entry.ts'

export const METADATA = 'metadata.json'

export function findMetadata(entries: readonly ArchiveEntry[], limits: ArchiveLimits): ArchiveEntry {
  const entry = entries.find(({ path, kind }) => path === METADATA && kind === 'file')
  if (entry === undefined) throw missing(entries)
  if (entry.size > limits.maxMetadataBytes)
    throw refuseEntry(
      'too_large',
      METADATA,
      `has ${entry.size} bytes; at most ${limits.maxMetadataBytes} are accepted`,
    )
  return entry
}

/** The folder itself was packed instead of what is in it: the commonest mistake of all. */
function missing(entries: readonly ArchiveEntry[]): ArchiveRefused {
  const nested = entries.find(({ path }) => /^[^/]+\/metadata\.json$/.test(path))
  const folder = nested?.path.split('/')[0]
  if (nested !== undefined && folder !== undefined) {
    const isWhole = entries.every(({ path }) => path === folder || path.startsWith(`${folder}/`))
    return new ArchiveRefused(
      'metadata_nested',
      isWhole
        ? `The archive has everything inside folder ${quote(folder)}. Pack the folder's content, so that metadata.json is at the root.`
        : `metadata.json is inside folder ${quote(folder)}. Put it at the root of the archive.`,
      { entry: nested.path },
    )
  }
  return new ArchiveRefused(
    'metadata_missing',
    'The archive has no metadata.json at its root. Add one that describes the package.',
  )
}
