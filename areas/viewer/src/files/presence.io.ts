import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '@patchbay/primitives/files'
import { explain } from './folder-fault.ts'

/** Whether a plain file has this name now. Synchronous: a microsecond, and whoever reads a list need not wait in turn. */
export function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch (error) {
    if (isErrno(error)) return false
    throw error
  }
}

/** The plain files of a folder; none when there is no such folder. */
export function plainFilesIn(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    // Some disks do not say what an entry is.
    const isFile = (entry: (typeof entries)[number]) =>
      entry.isFile() || (isUnknown(entry) && isPlainFile(join(folder, entry.name)))
    return new Set(entries.filter(isFile).map(({ name }) => name))
  } catch (error) {
    if (isErrno(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return new Set()
    throw explain(error)
  }
}

function isUnknown(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): boolean {
  return !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink()
}
