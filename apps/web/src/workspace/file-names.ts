import { createValueStore, type ValueStore } from '../parts/value-store.ts'
import type { PanelHost } from './panel-definition.ts'
import { NO_FILES, reduceTree } from './panels/files/file-tree.ts'
import { createFollower, type Follower } from './panels/files/follow-files.ts'
import { fetchChangedPaths, fetchFiles } from './panels/parts/files.api.ts'

export interface FileNames {
  readonly names: ValueStore<{ readonly paths: readonly string[]; readonly state: 'known' | 'failed' }>
  /** Reads them when first asked, and after that what has changed. */
  look(): void
}

/** The paths of all files, for whoever looks for one by its name. */
export function createFileNames(host: Pick<PanelHost, 'workspace'>): FileNames {
  const names: FileNames['names'] = createValueStore({ paths: [], state: 'known' })
  let tree = NO_FILES
  let follower: Follower | undefined
  /** For as long as the page is there. */
  const { signal } = new AbortController()
  return {
    names,
    look() {
      follower ??= createFollower({
        readAll: () => fetchFiles(host.workspace, signal),
        readChanged: (after) => fetchChangedPaths(host.workspace, { after }, signal),
        onNews(action) {
          tree = reduceTree(tree, action)
          names.set({ paths: [...tree.files.keys()], state: 'known' })
        },
        onFailure(error) {
          const state = error === undefined ? 'known' : 'failed'
          if (state !== names.get().state) names.set({ ...names.get(), state })
        },
      })
      void follower.look()
    },
  }
}
