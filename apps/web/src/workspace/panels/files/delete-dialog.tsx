import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Notice } from '../../../components/notice.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useAction } from '../../../server/use-action.ts'
import { explain, isChangedMeanwhile } from './explain.ts'
import { type FileEntry, type FileTree, filesBelow, type Row } from './file-tree.ts'
import styles from './files.module.css'
import type { FileActions } from './use-file-actions.ts'
import { words } from './words.ts'

interface DeleteDialogProps {
  row: Row
  tree: FileTree
  actions: FileActions
  close: () => void
}

/** Asks before something is deleted, and once more when somebody else has worked on it meanwhile. */
export function DeleteDialog({ row, tree, actions, close }: DeleteDialogProps) {
  const { name, kind } = row
  /** What the person is asked about; the tree goes on meanwhile. */
  const [asked, setAsked] = useState(() => filesBelow(tree, row.path))
  const deleting = useAction(async (files: readonly FileEntry[]) => {
    await actions.remove(row, files)
    close()
  })
  const isChanged = isChangedMeanwhile(deleting.error)
  const { keep, delete: yes, anyway } = words.deleting
  return (
    <Dialog
      title={words.deleting.title(name)}
      role="alertdialog"
      size="sm"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      renderActions={() => (
        <>
          <Button variant="ghost" onPress={close}>
            {isChanged ? words.changedMeanwhile.keepTheirs : keep}
          </Button>
          <Button
            variant="danger"
            isPending={deleting.isPending}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- Delete and then Enter, as in file managers
            autoFocus
            onPress={() => {
              const files = isChanged ? filesBelow(tree, row.path) : asked
              setAsked(files)
              deleting.run(files)
            }}
          >
            {isChanged ? anyway : yes}
          </Button>
        </>
      )}
    >
      <div className={styles.form}>
        <p>{kind === 'file' ? words.deleting.file : folderInWords(asked.length)}</p>
        {isChanged ? (
          <Notice title={words.changedMeanwhile.title} tone="warning" isLive>
            {words.changedMeanwhile.text(name)}
          </Notice>
        ) : (
          <FailureNotice error={explain(deleting.error)} />
        )}
      </div>
    </Dialog>
  )
}

const folderInWords = (files: number) => (files === 0 ? words.deleting.draft : words.deleting.folder(files))
