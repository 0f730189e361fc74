import { Pencil, Undo2, X } from 'lucide-react'
import { Fragment, useMemo } from 'react'
import { Menu as AriaMenu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { classes } from '../../components/classes.ts'
import popover from '../../components/popover.module.css'
import { words } from '../words.tsx'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { tabCommands } from './commands.ts'
import { keysInWords, onMac } from './shortcut.ts'
import styles from './tab-menu.module.css'

export interface TabMenuRequest {
  readonly tabId: string
  /** Where the menu stands, and where the focus goes back to. */
  readonly element: HTMLElement
}

interface TabMenuProps {
  request: TabMenuRequest
  close: () => void
}

const ICONS: Readonly<Record<string, React.ReactNode>> = {
  rename: <Pencil aria-hidden />,
  reopen: <Undo2 aria-hidden />,
  close: <X aria-hidden />,
}

/** The menu of a tab: all that a mouse can do by dragging, and renaming and closing. */
export function TabMenu({ request, close }: TabMenuProps) {
  const { tabId } = request
  const session = useWorkspaceSession()
  // What can be done with a tab depends on where it stands.
  useWorkspace((snapshot) => snapshot.layout)
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const trigger = useMemo(() => ({ current: request.element }), [request.element])
  if (!mayChange) return null
  const commands = tabCommands({ session, tabId })

  function finish(): void {
    close()
    // The tab may have been made anew meanwhile, and the one that had the focus be gone.
    requestAnimationFrame(() => session.dock.get()?.focusTab(tabId))
  }

  function act(id: string): void {
    commands.find((command) => command.id === id)?.run({ session, tabId })
    // These put the focus elsewhere.
    if (id === 'rename' || id === 'reopen') return close()
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
        {commands.map(({ id, label, group, keys, keysIn }, index) => (
          <Fragment key={id}>
            {index > 0 && group !== commands[index - 1]?.group && (
              <Separator className={classes(popover.separator)} />
            )}
            <MenuItem
              id={id}
              textValue={label}
              {...(id === 'close' && { 'data-tone': 'danger' })}
              className={classes(popover.item)}
            >
              {ICONS[id]}
              <span className={popover.text}>{label}</span>
              {keys !== undefined && keysIn === 'tab' && (
                <kbd aria-hidden className={styles.key}>
                  {keysInWords(keys, onMac())}
                </kbd>
              )}
            </MenuItem>
          </Fragment>
        ))}
      </AriaMenu>
    </Popover>
  )
}
