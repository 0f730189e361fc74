import type { ChangedPaths } from '../parts/files.api.ts'
import type { FileEntry, TreeAction } from './file-tree.ts'

export interface FollowerDeps {
  readonly readAll: () => Promise<{ readonly revision: number; readonly files: readonly FileEntry[] }>
  /** `undefined`: what has changed is not known anymore. */
  readonly readChanged: (after: number) => Promise<ChangedPaths | undefined>
  readonly onNews: (action: TreeAction) => void
  /** With nothing once it works. */
  readonly onFailure: (error: unknown) => void
}

/** Keeps a tree at what the server has: reads all of it once, and then what has changed whenever it is told to look. */
export interface Follower {
  /** Settles when everything is told that had happened before the call, or has failed. */
  look(): Promise<void>
}

export function createFollower({ readAll, readChanged, onNews, onFailure }: FollowerDeps): Follower {
  let revision: number | undefined
  let isWanted = false
  let running: Promise<void> | undefined

  async function readOnce(): Promise<void> {
    const changed = revision === undefined ? undefined : await readChanged(revision)
    if (changed === undefined) {
      const all = await readAll()
      revision = all.revision
      onNews({ type: 'loaded', ...all })
      // Several pages are not one moment: what happened between them is told by the next look.
      isWanted = true
      return
    }
    // Nodes may answer a moment apart; what is known already is not taken back.
    if (changed.revision <= (revision ?? 0)) return
    revision = changed.revision
    onNews({ type: 'changed', ...changed })
  }

  async function run(): Promise<void> {
    try {
      while (isWanted) {
        isWanted = false
        await readOnce()
      }
      onFailure(undefined)
    } catch (error) {
      isWanted = false
      onFailure(error)
    } finally {
      running = undefined
    }
  }

  return {
    look() {
      isWanted = true
      running ??= run()
      return running
    },
  }
}
