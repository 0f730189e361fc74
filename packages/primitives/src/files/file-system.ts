import { constants } from 'node:fs'
import { open, unlink } from 'node:fs/promises'

/** A new name survives a power cut only when its folder was flushed. Windows and some network disks refuse to. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await unlessFailed(open(path, constants.O_RDONLY), 'EISDIR', 'EPERM', 'EACCES')
  if (folder === undefined) return
  try {
    await unlessFailed(folder.sync(), 'EINVAL', 'EBADF', 'EPERM')
  } finally {
    await folder.close()
  }
}

export async function removeFile(path: string): Promise<boolean> {
  return (
    (await unlessFailed(
      unlink(path).then(() => true),
      'ENOENT',
    )) === true
  )
}

/** `undefined` when the call failed with one of the codes. */
export async function unlessFailed<T>(call: Promise<T>, ...codes: readonly string[]): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined
    throw error
  }
}

/** What the file system said, in contrast to a mistake of our own. */
export function isErrno(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false
  return 'syscall' in error || 'errno' in error
}
