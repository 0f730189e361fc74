import { checkDirectoryOptions } from './claim.ts'
import type { Directory, DirectoryOptions } from './ports.ts'
import { type DirectoryDeps, type RedisDirectory, redisDirectory } from './redis-directory.ts'

export interface RedisDirectories {
  open(name: string, options: DirectoryOptions): Directory
  /** This node's live claims by directory. */
  counts(): ReadonlyMap<string, number>
  /** A claim of this node was taken by a delivery; `key` is the one in Redis. */
  drop(name: string, key: string, epoch: string): void
  restore(): Promise<void>
}

export function redisDirectories(deps: DirectoryDeps): RedisDirectories {
  const opened = new Map<string, { readonly options: DirectoryOptions; readonly directory: RedisDirectory }>()
  return {
    open(name, options) {
      checkDirectoryOptions(name, options)
      const known = opened.get(name)
      if (known === undefined) {
        const directory = redisDirectory(name, options, deps)
        opened.set(name, { options, directory })
        return directory
      }
      if (known.options.ttlMs !== options.ttlMs || known.options.tombstoneMs !== options.tombstoneMs) {
        throw new TypeError(`directory ${name} is open with other lifetimes`)
      }
      return known.directory
    },
    counts: () => new Map([...opened].map(([name, { directory }]) => [name, directory.ownCount()])),
    drop: (name, key, epoch) => opened.get(name)?.directory.drop(key, epoch),
    async restore() {
      for (const { directory } of opened.values()) await directory.restore()
    },
  }
}
