import { close, constants, fstat, open as openCallback, read } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { flushFolder, unlessFailed } from '@patchbay/primitives/files'
import type { ObjectStat } from './ports.ts'

const FOLDER_MODE = 0o750

const openDescriptor = promisify(openCallback)
const statDescriptor = promisify(fstat)
const readDescriptor = promisify(read)

/** `undefined` for what is not there, and for what is no plain file: a link could lead out of the root. */
export async function statFile(path: string): Promise<ObjectStat | undefined> {
  const stats = await unlessAbsent(lstat(path))
  return stats?.isFile() === true ? { size: stats.size, storedAt: stats.mtime } : undefined
}

export async function openFile(path: string): Promise<{ file: FileHandle; size: number } | undefined> {
  const file = await unlessAbsent(open(path, constants.O_RDONLY | constants.O_NOFOLLOW))
  if (file === undefined) return undefined
  try {
    const stats = await file.stat()
    if (stats.isFile()) return { file, size: stats.size }
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return undefined
}

/**
 * All of a file, or `'other-size'` where it has another one than this. With descriptors: handles with promises cost more than
 * reading a small file.
 */
export async function readWhole(path: string, size: number): Promise<Buffer | 'other-size' | undefined> {
  const fd = await unlessAbsent(openDescriptor(path, constants.O_RDONLY | constants.O_NOFOLLOW))
  if (fd === undefined) return undefined
  try {
    const stats = await statDescriptor(fd)
    if (!stats.isFile()) return undefined
    if (stats.size !== size) return 'other-size'
    const buffer = Buffer.allocUnsafe(size)
    for (let length = 0; length < size; ) {
      const { bytesRead } = await readDescriptor(fd, buffer, length, size - length, null)
      if (bytesRead === 0) return 'other-size'
      length += bytesRead
    }
    return buffer
  } finally {
    // Nothing was written that closing could lose: nobody waits for it, and its failure must not end the process.
    close(fd, () => undefined)
  }
}

export function removeFile(path: string): Promise<true | undefined> {
  return unlessAbsent(unlink(path).then(() => true as const))
}

export async function readFolder(path: string): Promise<string[]> {
  return (await unlessAbsent(readdir(path))) ?? []
}

export async function makeFolder(path: string): Promise<void> {
  await unlessFailed(mkdir(path, { mode: FOLDER_MODE }), 'EEXIST')
}

/** Makes the missing folders above as well, and puts all of their names on disk. */
export async function makeFolders(path: string): Promise<void> {
  const first = await mkdir(path, { mode: FOLDER_MODE, recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await flushFolder(dirname(made))
}

function unlessAbsent<T>(call: Promise<T>): Promise<T | undefined> {
  return unlessFailed(call, 'ENOENT', 'ELOOP')
}
