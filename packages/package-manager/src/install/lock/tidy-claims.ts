import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { deleteFile, unlessFailed } from '../../durable-file.ts'
import { type LockHolder, livenessOf, parseHolder } from './lock-holder.ts'

/**
 * Deletes what takers that died left behind. Only for the holder: as long as it lives nobody can be replaced, so all
 * second locks are those of processes that will find out that they came late.
 */
export async function tidyClaims(lock: string, claims: string, self: LockHolder): Promise<void> {
  const folder = dirname(lock)
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${basename(lock)}.`)) await deleteFile(join(folder, name))
  }
  for (const name of await readdir(claims)) {
    const path = join(claims, name)
    const text = await unlessFailed(readFile(path, 'utf8'), 'ENOENT')
    const holder = text === undefined ? undefined : parseHolder(text)
    if (holder === undefined || (await livenessOf(holder, self)) === 'gone') await deleteFile(path)
  }
}
