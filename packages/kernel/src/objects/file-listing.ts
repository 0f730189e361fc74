import { join } from 'node:path'
import { readFolder, statFile } from './file-system.ts'
import { isObjectName } from './object-name.ts'
import type { ListedObject } from './ports.ts'

const SHARD = /^[0-9a-f]{2}$/

/** 65,536 folders: a million objects are 15 in each. */
export function objectPath(root: string, sha256: string): string {
  return join(root, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
}

/** Up to `count` objects after a name. Opens only the folders that can hold them. */
export async function listFiles(root: string, after: string, count: number): Promise<ListedObject[]> {
  const found: ListedObject[] = []
  for (const outer of await shards(root, after.slice(0, 2))) {
    const from = after.startsWith(outer) ? after.slice(2, 4) : ''
    for (const inner of await shards(join(root, outer), from)) {
      const folder = join(root, outer, inner)
      for (const sha256 of (await readFolder(folder)).toSorted()) {
        if (sha256 <= after || !isObjectName(sha256) || !sha256.startsWith(outer + inner)) continue
        const stats = await statFile(join(folder, sha256))
        if (stats !== undefined) found.push({ sha256, ...stats })
        if (found.length === count) return found
      }
    }
  }
  return found
}

async function shards(folder: string, from: string): Promise<string[]> {
  return (await readFolder(folder)).filter((name) => SHARD.test(name) && name >= from).toSorted()
}
