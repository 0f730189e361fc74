import { findTab, LAYOUT_LIMITS } from '@patchbay/workspace-layout'
import { useState } from 'react'
import { TextField } from '../../components/text-field.tsx'
import { InputDialog } from '../../parts/input-dialog.tsx'
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
  const rename = () => {
    const refused = session.store.change({ type: 'retitleTab', tabId, title: tidy(title) })
    if (refused !== undefined) session.refuse(refused)
    close()
  }
  return (
    <InputDialog
      title={words.renaming.title}
      size="sm"
      submitLabel={words.renaming.rename}
      canSubmit={tidy(title) !== ''}
      submit={rename}
      close={close}
    >
      <TextField
        label={words.renaming.label}
        value={title}
        onChange={setTitle}
        maxLength={LAYOUT_LIMITS.titleLength}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type here
        autoFocus
      />
    </InputDialog>
  )
}
