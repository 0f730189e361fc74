import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unlessFailed } from '@patchbay/primitives/files'
import { KNOWN_FOLDERS } from '../known-folders.ts'
import { folderNameOf, type Layout } from '../layout.ts'
import type { KeptPatterns } from './kept-patterns.ts'
import { walkTree } from './walk-tree.ts'

export interface Carried {
  /** From the root. */
  readonly kept: readonly string[]
  /** Those that the new version has no place for. */
  readonly notKept: readonly string[]
}

/** Copies the installed files that the patterns name into a staged version. */
export async function carryKept(
  { root }: Layout,
  { identifier, home, patterns }: { identifier: string; home: string; patterns: KeptPatterns },
): Promise<Carried> {
  const name = folderNameOf(identifier)
  const [kept, notKept]: [string[], string[]] = [[], []]
  for (const folder of KNOWN_FOLDERS) {
    for await (const { path, kind } of walkTree(join(root, folder, name))) {
      const place = `${folder}/${name}/${path}`
      if (kind !== 'file' || !patterns.keeps(`/${place}`)) continue
      const isCarried = await carry(join(root, place), home, place)
      if (isCarried) kept.push(place)
      else notKept.push(place)
    }
  }
  return { kept, notKept }
}

async function carry(from: string, home: string, place: string): Promise<boolean> {
  if (!(await hasRealFolders(home, dirname(place)))) return false
  const to = join(home, place)
  const stats = await unlessFailed(lstat(to), 'ENOENT')
  if (stats?.isDirectory() === true) return false
  await mkdir(dirname(to), { recursive: true })
  // What is there may be a second name of a file of the previous version: writing into it would change that one.
  if (stats !== undefined) await unlink(to)
  await copyFile(from, to, constants.COPYFILE_EXCL)
  return true
}

/** Neither a link, which would lead elsewhere, nor a file is in the way. */
async function hasRealFolders(home: string, below: string): Promise<boolean> {
  let path = home
  for (const part of below.split('/')) {
    path = join(path, part)
    const stats = await unlessFailed(lstat(path), 'ENOENT')
    if (stats === undefined) return true
    if (!stats.isDirectory()) return false
  }
  return true
}
