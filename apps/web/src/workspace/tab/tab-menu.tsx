import { Pencil, Undo2, X } from 'lucide-react'
import { Fragment, useMemo, useState } from 'react'
import { Menu as AriaMenu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { classes } from '../../components/classes.ts'
import popover from '../../components/popover.module.css'
import { words } from '../words.tsx'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { tabActions } from './tab-actions.ts'
import styles from './tab-menu.module.css'

export interface TabMenuRequest {
  readonly tabId: string
  /** Where the menu stands, and where the focus goes back to. */
  readonly element: HTMLElement
  readonly isRenaming?: boolean
}

interface TabMenuProps {
  request: TabMenuRequest
  close: () => void
}

/** The menu of a tab: all that a mouse can do by dragging, and renaming and closing. */
export function TabMenu({ request, close }: TabMenuProps) {
  const { tabId } = request
  const session = useWorkspaceSession()
  const layout = useWorkspace((snapshot) => snapshot.layout)
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const [isRenaming, setIsRenaming] = useState(request.isRenaming === true)
  const trigger = useMemo(() => ({ current: request.element }), [request.element])
  if (!mayChange) return null
  if (isRenaming) return <RenameDialog tabId={tabId} close={finish} />
  const actions = tabActions(layout, tabId, session.newId)

  function finish(): void {
    close()
    // The tab may have been made anew meanwhile, and the one that had the focus be gone.
    requestAnimationFrame(() => session.dock.get()?.focusTab(tabId))
  }

  function act(id: string): void {
    if (id === 'rename') return setIsRenaming(true)
    if (id === 'reopen') {
      close()
      return void session.closing.reopen()
    }
    const change = actions.find((action) => action.id === id)?.change
    const refused = change === undefined ? undefined : session.store.change(change)
    if (refused !== undefined) session.refuse(refused)
    if (id === 'close') session.closing.close(tabId)
    finish()
  }

  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) finish()
      }}
      triggerRef={trigger}
      aria-label={words.tab.menu}
      placement="bottom start"
      offset={4}
      data-overlay
      className={classes(popover.popover)}
    >
      <AriaMenu
        aria-label={words.tab.menu}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu has the focus, wherever it was opened from
        autoFocus="first"
        shouldCloseOnSelect={false}
        onAction={(key) => act(String(key))}
        className={classes(popover.list)}
      >
        <MenuItem id="rename" textValue={words.tab.rename} className={classes(popover.item)}>
          <Pencil aria-hidden />
          <span className={popover.text}>{words.tab.rename}</span>
          <kbd aria-hidden className={styles.key}>
            {words.tab.renameKey}
          </kbd>
        </MenuItem>
        {actions.map(({ id, label, group }, index) => (
          <Fragment key={id}>
            {group !== actions[index - 1]?.group && <Separator className={classes(popover.separator)} />}
            <MenuItem id={id} textValue={label} className={classes(popover.item)}>
              <span className={popover.text}>{label}</span>
            </MenuItem>
          </Fragment>
        ))}
        <Separator className={classes(popover.separator)} />
        <MenuItem id="reopen" textValue={words.tab.reopen} className={classes(popover.item)}>
          <Undo2 aria-hidden />
          <span className={popover.text}>{words.tab.reopen}</span>
        </MenuItem>
        <MenuItem id="close" textValue={words.tab.close} data-tone="danger" className={classes(popover.item)}>
          <X aria-hidden />
          <span className={popover.text}>{words.tab.close}</span>
          <kbd aria-hidden className={styles.key}>
            {words.tab.closeKey}
          </kbd>
        </MenuItem>
      </AriaMenu>
    </Popover>
  )
}
