import { IDENTIFIER_PATTERN } from '@patchbay/package-format'
import { findIconFault } from '../inspect/png.ts'
import { RESOURCES_LIMITS } from '../limits.ts'
import { collect, openArchive } from '../zip/open-archive.ts'

const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN)
const ICON = /^([^/]+)\/icon\.png$/

/** Icons by identifier. One that is no icon is passed over: it must not cost the others theirs. */
export async function readResourcesIcons(file: string): Promise<Map<string, Uint8Array>> {
  const { maxIconBytes } = RESOURCES_LIMITS
  await using archive = await openArchive(file, RESOURCES_LIMITS)
  const read = archive.startReading()
  const icons = new Map<string, Uint8Array>()
  for (const entry of archive.entries) {
    const identifier = ICON.exec(entry.path)?.[1]
    if (identifier === undefined || !IDENTIFIER.test(identifier)) continue
    if (entry.kind !== 'file' || entry.size > maxIconBytes) continue
    const icon = await collect(read(entry))
    if (findIconFault(icon, maxIconBytes) === undefined) icons.set(identifier, icon)
  }
  return icons
}
