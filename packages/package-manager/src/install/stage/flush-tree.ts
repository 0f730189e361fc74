import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachConcurrent } from '@patchbay/primitives/async'
import { flushFolder } from '@patchbay/primitives/files'
import { walkTree } from './walk-tree.ts'

const AT_ONCE = 16

/** Flushes every file and folder, so that the renames that follow cannot outlive what they name. */
export async function flushTree(top: string): Promise<void> {
  const folders = [top]
  const files: string[] = []
  for await (const { path, kind } of walkTree(top)) {
    if (kind === 'folder') folders.push(join(top, path))
    if (kind === 'file') files.push(join(top, path))
  }
  // One flush after the other waits for the disk each time; together they share its turns.
  await forEachConcurrent(files, AT_ONCE, flushFile)
  for (const folder of folders.toReversed()) await flushFolder(folder)
}

async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
