import { copyFile, link, lstat, mkdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isErrno } from '@patchbay/primitives/files'
import { treeOf } from '../layout.ts'
import { walkTree } from './walk-tree.ts'

/** Gives the files of one generation a second name in another. The first one stays whole until the switch is done. */
export async function copyGeneration(
  from: string,
  to: string,
  identifier: string,
  folders: readonly string[],
): Promise<void> {
  for (const folder of folders) {
    await copyTree(treeOf(from, folder, identifier), treeOf(to, folder, identifier))
  }
}

async function copyTree(source: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true })
  // Somebody works on the package elsewhere and linked it here.
  if ((await lstat(source)).isSymbolicLink()) return symlink(await readlink(source), copy)
  await mkdir(copy)
  for await (const { path, kind } of walkTree(source)) {
    const [old, fresh] = [join(source, path), join(copy, path)]
    if (kind === 'folder') await mkdir(fresh)
    else if (kind === 'link') await symlink(await readlink(old), fresh)
    else await linkOrCopy(old, fresh)
  }
}

/** Some disks, FAT among them, know no second name for a file. */
async function linkOrCopy(old: string, fresh: string): Promise<void> {
  try {
    await link(old, fresh)
  } catch (error) {
    if (!isErrno(error) || error.code === 'ENOSPC') throw error
    await copyFile(old, fresh)
  }
}
