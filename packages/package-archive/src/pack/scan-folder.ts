import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { quote } from '@patchbay/primitives/text'
import { ARCHIVE_FOLDERS, isInstallable } from '../archive-folders.ts'
import { FolderRefused } from '../folder-refused.ts'
import { METADATA } from '../inspect/find-metadata.ts'
import { ARCHIVE_LIMITS } from '../limits.ts'
import { findNameFault } from '../name/check-name.ts'
import { NameTable } from '../name/name-table.ts'
import { type LeftOut, whyLeftOut } from './left-out.ts'

export interface PackedFile {
  /** In the archive. */
  readonly path: string
  readonly source: string
  readonly size: number
}

export interface ScannedFolder {
  /** In the order of the archive. */
  readonly files: readonly PackedFile[]
  readonly leftOut: readonly LeftOut[]
}

/** A license asks for its text to travel with the files. */
const LICENSE_TEXT = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i

/** What of a folder goes into its archive. `out` may lie in the folder: an older archive is not packed into the new one. */
export async function scanFolder(folder: string, out: string): Promise<ScannedFolder> {
  const files: PackedFile[] = []
  const leftOut: LeftOut[] = []
  const names = new NameTable()

  async function visit(prefix: string): Promise<void> {
    for (const child of await readdir(join(folder, prefix), { withFileTypes: true })) {
      const source = join(folder, prefix, child.name)
      // File systems differ in the Unicode form that they hand back.
      const path = `${prefix}${child.name}`.normalize('NFC')
      const why = whyNotPacked(prefix, child, resolve(source) === resolve(out))
      if (why !== undefined) {
        leftOut.push({ path: child.isDirectory() ? `${path}/` : path, why })
        continue
      }
      checkChild(path, child)
      if (child.isDirectory()) await visit(`${prefix}${child.name}/`)
      else files.push(await describe(path, source, names))
    }
  }

  const stats = await lstat(folder)
  if (!stats.isDirectory()) throw new FolderRefused('not_a_folder', folder, `${folder} is not a folder.`)
  await visit('')
  if (!files.some(({ path }) => isInstallable(path)))
    throw new FolderRefused(
      'nothing_to_install',
      folder,
      `${folder} has nothing to install. Put files into ${ARCHIVE_FOLDERS.join(', ')}.`,
    )
  return { files: files.toSorted(byPath), leftOut: leftOut.toSorted(byPath) }
}

function whyNotPacked(prefix: string, child: Dirent, isOutput: boolean): LeftOut['why'] | undefined {
  const why = whyLeftOut(child.name)
  if (why !== undefined) return why
  if (isOutput) return 'not_installed'
  if (prefix !== '') return undefined
  const isPacked = isInstallable(`${child.name}/`)
    ? !child.isFile()
    : !child.isDirectory() && (child.name === METADATA || LICENSE_TEXT.test(child.name))
  return isPacked ? undefined : 'not_installed'
}

function checkChild(path: string, child: Dirent): void {
  if (child.isSymbolicLink())
    throw new FolderRefused('link', path, `${quote(path)} is a link. Put the file itself there.`)
  if (!child.isFile() && !child.isDirectory())
    throw new FolderRefused('special_file', path, `${quote(path)} is neither a file nor a folder. Remove it.`)
}

async function describe(path: string, source: string, names: NameTable): Promise<PackedFile> {
  const fault = findNameFault(path, ARCHIVE_LIMITS.maxPathLength) ?? names.add(path, 'file')
  if (fault !== undefined)
    throw new FolderRefused('hostile_name', path, `${quote(path)} ${fault.message}. Rename it.`)
  return { path, source, size: (await lstat(source)).size }
}

/** By code unit: the order of a language would differ from machine to machine. */
function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1
}
