import { Download, FilePlus, FileSymlink, FileText, FolderDown, History, Pencil, Trash2 } from 'lucide-react'
import { Fragment, type ReactNode, useMemo } from 'react'
import { Menu as AriaMenu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { classes } from '../../../components/classes.ts'
import popover from '../../../components/popover.module.css'
import type { Row } from './file-tree.ts'
import styles from './files.module.css'
import { words } from './words.ts'

export type MenuAction =
  | 'open'
  | 'history'
  | 'newFile'
  | 'download'
  | 'rename'
  | 'move'
  | 'delete'
  | 'allHistory'
  | 'downloadAll'

export interface RowMenuRequest {
  /** What the menu is about; the whole without one. */
  readonly row: Row | undefined
  /** Where the menu stands. */
  readonly element: HTMLElement
}

interface RowMenuProps {
  request: RowMenuRequest
  mayChange: boolean
  hasFiles: boolean
  act: (action: MenuAction) => void
  close: () => void
}

interface Entry {
  readonly id: MenuAction
  readonly label: string
  readonly icon: ReactNode
  readonly key?: string
  readonly tone?: 'danger'
}

/** Everything that can be done with a row, and with all files. */
export function RowMenu({ request, mayChange, hasFiles, act, close }: RowMenuProps) {
  const trigger = useMemo(() => ({ current: request.element }), [request.element])
  const groups = groupsFor(request.row, mayChange, hasFiles).filter((entries) => entries.length > 0)
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      triggerRef={trigger}
      aria-label={words.menu.label}
      placement="bottom start"
      offset={2}
      data-overlay
      className={classes(popover.popover)}
    >
      <AriaMenu
        aria-label={words.menu.label}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu has the focus, wherever it was opened from
        autoFocus="first"
        onAction={(id) => act(id as MenuAction)}
        className={classes(popover.list)}
      >
        {groups.map((entries, index) => (
          <Fragment key={entries[0]?.id}>
            {index > 0 && <Separator className={classes(popover.separator)} />}
            {entries.map(({ id, label, icon, key, tone = 'neutral' }) => (
              <MenuItem key={id} id={id} textValue={label} data-tone={tone} className={classes(popover.item)}>
                {icon}
                <span className={popover.text}>{label}</span>
                {key !== undefined && (
                  <kbd aria-hidden className={styles.key}>
                    {key}
                  </kbd>
                )}
              </MenuItem>
            ))}
          </Fragment>
        ))}
      </AriaMenu>
    </Popover>
  )
}

function groupsFor(
  row: Row | undefined,
  mayChange: boolean,
  hasFiles: boolean,
): readonly (readonly Entry[])[] {
  const { menu } = words
  const whole: Entry[] = [
    { id: 'allHistory', label: menu.allHistory, icon: <History aria-hidden /> },
    ...(hasFiles
      ? [{ id: 'downloadAll' as const, label: menu.downloadAll, icon: <FolderDown aria-hidden /> }]
      : []),
  ]
  if (row === undefined) return [whole]
  const isFile = row.kind === 'file'
  const isDraft = !isFile && row.files === 0
  const reading: Entry[] = [
    ...(isFile
      ? [
          { id: 'open' as const, label: menu.open, icon: <FileText aria-hidden /> },
          { id: 'history' as const, label: menu.history, icon: <History aria-hidden /> },
        ]
      : []),
    ...(isDraft
      ? []
      : [
          {
            id: 'download' as const,
            label: isFile ? menu.download : menu.downloadFolder,
            icon: <Download aria-hidden />,
          },
        ]),
  ]
  const changing: Entry[] = [
    ...(isFile ? [] : [{ id: 'newFile' as const, label: menu.newFile, icon: <FilePlus aria-hidden /> }]),
    { id: 'rename', label: menu.rename, icon: <Pencil aria-hidden />, key: menu.renameKey },
    { id: 'move', label: menu.move, icon: <FileSymlink aria-hidden /> },
    { id: 'delete', label: menu.delete, icon: <Trash2 aria-hidden />, key: menu.deleteKey, tone: 'danger' },
  ]
  return [reading, mayChange ? changing : [], whole]
}
