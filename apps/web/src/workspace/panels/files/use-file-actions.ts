import type { FileOperation } from '@patchbay/contracts/content'
import { notify } from '../../../components/toast.tsx'
import { adviseOn } from '../../../errors/advice.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { changeFiles, writeFile } from '../parts/files.api.ts'
import { explain } from './explain.ts'
import { type FileEntry, filesBelow, isIn, nameOf, type Row } from './file-tree.ts'
import type { Files } from './use-files.ts'
import { words } from './words.ts'

/** What a person does with files. Each throws the problem of why it came to nothing. */
export interface FileActions {
  createFile(path: string): Promise<void>
  createFolder(path: string): void
  move(path: string, to: string): Promise<void>
  /** Deletes these files, if they still are what the person has seen, and the folder with them. */
  remove(row: Row, seen: readonly FileEntry[]): Promise<void>
  /** Makes a file what a change had left of it, if it still is what the person has seen; null: it was not there. */
  restore(path: string, revision: number, seen: number | null): Promise<void>
}

export function useFileActions(
  host: PanelHost,
  { tree, dispatch, look }: Files,
  onMoved: (path: string, to: string) => void,
): FileActions {
  const undoing = async (operations: readonly FileOperation[], path: string) => {
    try {
      await changeFiles(host, operations)
      await look()
      dispatch({ type: 'reveal', path })
      notify({ title: words.deleting.undone(nameOf(path)) })
    } catch (error) {
      tellFailure(error)
    }
  }
  return {
    async createFile(path) {
      await writeFile(host, path, new Blob([]))
      await look()
      dispatch({ type: 'reveal', path })
    },
    createFolder(path) {
      dispatch({ type: 'draft', path })
      dispatch({ type: 'expand', path })
    },
    async move(path, to) {
      if (path === to) return
      const isDraft =
        [...tree.drafts].some((draft) => isIn(draft, path)) && filesBelow(tree, path).length === 0
      if (!isDraft) await changeFiles(host, [{ op: 'move', path, to }])
      dispatch({ type: 'moveDrafts', path, to })
      await look()
      dispatch({ type: 'reveal', path: to })
      onMoved(path, to)
    },
    async remove({ path, name }, seen) {
      dispatch({ type: 'discard', path })
      if (seen.length === 0) return
      // One by one: what somebody has put into the folder meanwhile was not asked about.
      const { revision } = await changeFiles(
        host,
        seen.map((file) => ({ op: 'delete', path: file.path, ifRevision: file.revision })),
      ).catch(async (error: unknown) => {
        // For the next question, which is about what is there by then.
        await look()
        throw error
      })
      await look()
      const restored = seen.map((file) => ({
        op: 'restore' as const,
        path: file.path,
        revision: revision - 1,
        ifRevision: null,
      }))
      notify({
        title: words.deleting.done(name),
        action: { label: words.undo, run: () => void undoing(restored, path) },
      })
    },
    async restore(path, revision, seen) {
      await changeFiles(host, [{ op: 'restore', path, revision, ifRevision: seen }])
      await look()
      dispatch({ type: 'reveal', path })
      notify({ title: words.history.restored(nameOf(path)) })
    },
  }
}

/** For what was not asked in a dialog that could say it. */
export function tellFailure(error: unknown): void {
  const { title, detail } = adviseOn(explain(error))
  notify({ title: `${title}. ${detail}`, tone: 'danger' })
}
