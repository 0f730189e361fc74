import type { Entry } from 'yauzl'
import { refuseEntry } from './entry.ts'

const TYPE_BITS = 0o170_000
const FILE = 0o100_000
const FOLDER = 0o040_000
const LINK = 0o120_000
const DOS_FOLDER = 0x10

/**
 * The type bits of Unix are looked at whatever system the entry names: many readers do not look at the system either,
 * and would make a link of it.
 */
export function checkKind(name: string, entry: Entry): 'file' | 'folder' {
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS
  if (type === LINK) throw refuseEntry('symlink', name, 'is a link. Pack the file that it leads to instead')
  if (type !== 0 && type !== FILE && type !== FOLDER)
    throw refuseEntry('special_file', name, 'is a device, pipe or socket. Leave it out')
  const isFolder = name.endsWith('/')
  const isDosFolder = (entry.externalFileAttributes & DOS_FOLDER) !== 0
  if (isFolder ? type === FILE : type === FOLDER || isDosFolder)
    throw refuseEntry(
      'ambiguous',
      name,
      'is a file by its name and a folder by its attributes, or the reverse',
    )
  if (isFolder && entry.uncompressedSize !== 0)
    throw refuseEntry('ambiguous', name, 'is a folder and has content')
  return isFolder ? 'folder' : 'file'
}
