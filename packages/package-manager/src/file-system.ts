import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFile, unlessFailed } from '@patchbay/primitives/files'

/** For a web server that is another user. */
export const PUBLISHED = { mode: 0o644, folderMode: 0o755 } as const
/** Only for this user: a list can come from a private repository. */
export const PRIVATE = { mode: 0o600, folderMode: 0o700 } as const

const UNFINISHED = /\.[0-9a-f-]{36}\.part$/
/** Another process may be at work on it. */
export const GRACE_MS = 600_000

/** Deletes what processes that died left half written. */
export async function removeUnfinished(folder: string, now: number): Promise<void> {
  for (const name of (await listFolder(folder)).filter((each) => UNFINISHED.test(each))) {
    const path = join(folder, name)
    const stats = await unlessFailed(stat(path), 'ENOENT')
    if (stats !== undefined && now - stats.mtimeMs > GRACE_MS) await removeFile(path)
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
