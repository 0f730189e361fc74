import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessFailed } from '@patchbay/primitives/files'

export interface TreeEntry {
  /** From the top of the tree, with slashes. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link'
}

/** What is below a folder, folders before their content. Links are named and never followed, not even at the top. */
export async function* walkTree(top: string): AsyncGenerator<TreeEntry> {
  const stats = await unlessFailed(lstat(top), 'ENOENT', 'ENOTDIR')
  if (stats?.isDirectory() === true) yield* walkFolder(top, '')
}

async function* walkFolder(top: string, below: string): AsyncGenerator<TreeEntry> {
  const entries = await readdir(join(top, below), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isSymbolicLink()) yield { path, kind: 'link' }
    else if (entry.isFile()) yield { path, kind: 'file' }
    else if (entry.isDirectory()) {
      yield { path, kind: 'folder' }
      yield* walkFolder(top, path)
    }
  }
}
