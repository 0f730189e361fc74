import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ArchiveRefused, readResourcesIcons } from '@patchbay/package-archive'
import type { FindingList } from './report.ts'

/** Whether icons can be read from the resources at all. */
export async function checkIcons(bytes: Uint8Array, url: string, found: FindingList): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-icons-'))
  try {
    const path = join(folder, 'resources.zip')
    await writeFile(path, bytes)
    await readResourcesIcons(path)
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error
    found.error('resources_unreadable', url, error.message)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
