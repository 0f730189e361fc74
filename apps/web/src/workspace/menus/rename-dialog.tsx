import { findTab, LAYOUT_LIMITS } from '@patchbay/workspace-layout'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/text-field.tsx'
import { words } from '../words.tsx'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'

/** Single blanks and nothing around them, as the contract wants titles. */
const tidy = (title: string) => title.replaceAll(/\s+/g, ' ').trim()

export function RenameDialog({ tabId, close: closeDialog }: { tabId: string; close: () => void }) {
  const session = useWorkspaceSession()
  const close = () => {
    closeDialog()
    // The menu that it was opened from is gone, and cannot have the focus back.
    requestAnimationFrame(() => session.dock.get()?.focusTab(tabId))
  }
  const tab = useWorkspace(({ layout }) => findTab(layout, tabId)?.tab)
  const [title, setTitle] = useState(tab?.title ?? '')
  const rename = (event: FormEvent) => {
    event.preventDefault()
    if (tidy(title) === '') return
    const refused = session.store.change({ type: 'retitleTab', tabId, title: tidy(title) })
    if (refused !== undefined) session.refuse(refused)
    close()
  }
  return (
    <Dialog
      title={words.renaming.title}
      size="sm"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      renderActions={() => (
        <>
          <Button variant="ghost" onPress={close}>
            {words.renaming.cancel}
          </Button>
          <Button variant="primary" type="submit" form="rename" isDisabled={tidy(title) === ''}>
            {words.renaming.rename}
          </Button>
        </>
      )}
    >
      <form id="rename" onSubmit={rename}>
        <TextField
          label={words.renaming.label}
          value={title}
          onChange={setTitle}
          maxLength={LAYOUT_LIMITS.titleLength}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type here
          autoFocus
        />
      </form>
    </Dialog>
  )
}
