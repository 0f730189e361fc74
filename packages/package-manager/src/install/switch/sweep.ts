import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolder } from '../../file-system.ts'
import { folderNameOf, type Layout } from '../layout.ts'
import type { InstalledState } from '../state/installed-state.ts'

/** Deletes what no entry of the state refers to. Needs the lock, and no switch under way. */
export async function sweep(layout: Layout, state: InstalledState): Promise<void> {
  // Half written: whoever wrote them is no more.
  for (const path of [layout.downloads, `${layout.installed}.new`, `${layout.journal}.new`])
    await discard(path)
  const wanted = new Map(
    [...state].map(([identifier, { current, previous }]) => [
      folderNameOf(identifier),
      new Set(['pinned', String(current.number), String(previous?.number ?? current.number)]),
    ]),
  )
  for (const name of await listFolder(layout.packages)) {
    const kept = wanted.get(name)
    const folder = join(layout.packages, name)
    if (kept === undefined) await discard(folder)
    else await discardOthers(folder, kept)
  }
}

async function discardOthers(folder: string, kept: ReadonlySet<string>): Promise<void> {
  for (const name of await listFolder(folder)) if (!kept.has(name)) await discard(join(folder, name))
}

/** What a program still uses cannot be deleted everywhere. It is tried again next time; the operation is done. */
async function discard(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined)
}
