import { constants } from 'node:fs'
import { link, lstat, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createUniqueId } from './surroundings.ts'

export interface Modes {
  readonly file: number
  readonly folder: number
}

/** Only for this user: a list can come from a private repository. */
const PRIVATE: Modes = { file: 0o600, folder: 0o700 }
/** For a web server that is another user. */
export const PUBLISHED: Modes = { file: 0o644, folder: 0o755 }

const UNFINISHED = /\.[0-9a-f-]{36}\.part$/
/** Another process may be at work on it. */
export const GRACE_MS = 600_000

/** Whole or not at all, also after a power cut, and also when several processes write the same name at once. */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array | string,
  modes: Modes = PRIVATE,
): Promise<void> {
  const temporary = await writeUnfinished(path, bytes, modes)
  await putInPlace(() => rename(temporary, path), temporary, path)
}

/** `false` when the name is taken: of two processes at once the first one counts, and nobody replaces its file. */
export async function writeFirst(path: string, bytes: Uint8Array | string): Promise<boolean> {
  const temporary = await writeUnfinished(path, bytes, PRIVATE)
  const isFirst = await unlessFailed(
    putInPlace(() => link(temporary, path).then(() => true), temporary, path),
    'EEXIST',
  )
  await deleteFile(temporary)
  return isFirst === true
}

/** A file under a name of its own, on the disk before anything refers to it. */
export async function writeFlushed(
  path: string,
  bytes: Uint8Array | string,
  flags: 'w' | 'wx',
  mode: number,
): Promise<void> {
  const file = await open(path, flags, mode)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Deletes what processes that died left half written. */
export async function removeUnfinished(folder: string, now: number): Promise<void> {
  for (const name of (await listFolder(folder)).filter((each) => UNFINISHED.test(each))) {
    const path = join(folder, name)
    const stats = await unlessFailed(stat(path), 'ENOENT')
    if (stats !== undefined && now - stats.mtimeMs > GRACE_MS) await deleteFile(path)
  }
}

export async function deleteFile(path: string): Promise<void> {
  await unlessFailed(unlink(path), 'ENOENT')
}

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

/** Links count by themselves, whatever they lead to. */
export async function isThere(path: string): Promise<boolean> {
  return (await unlessFailed(lstat(path), 'ENOENT', 'ENOTDIR')) !== undefined
}

export async function readIfThere(path: string): Promise<Buffer | undefined> {
  return unlessFailed(readFile(path), 'ENOENT')
}

/** Empty when there is no such folder. */
export async function listFolder(path: string): Promise<string[]> {
  return (await unlessFailed(readdir(path), 'ENOENT', 'ENOTDIR')) ?? []
}

/** `undefined` when the call failed with one of the codes. */
export async function unlessFailed<T>(call: Promise<T>, ...codes: readonly string[]): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isErrno(error) && codes.includes(error.code ?? '')) return undefined
    throw error
  }
}

export function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'errno' in error && typeof error.code === 'string'
}

async function writeUnfinished(path: string, bytes: Uint8Array | string, modes: Modes): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: modes.folder })
  const temporary = `${path}.${createUniqueId()}.part`
  try {
    await writeFlushed(temporary, bytes, 'wx', modes.file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return temporary
}

async function putInPlace<T>(put: () => Promise<T>, temporary: string, path: string): Promise<T> {
  try {
    const result = await put()
    await flushFolder(dirname(path))
    return result
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
