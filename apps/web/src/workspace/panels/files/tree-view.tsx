import { ChevronRight, File, FileText, Folder, FolderOpen, Image } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import { sizeInWords } from '../../../parts/size-words.ts'
import { useRowWindow } from '../../../parts/use-row-window.ts'
import { findTyped, type Row, stepForKey, type TreeAction } from './file-tree.ts'
import styles from './files.module.css'
import { words } from './words.ts'

export interface TreeHandle {
  /** Puts the keyboard on the current row. */
  focus(): void
}

/** What a person asks for at a row. */
export type RowWish = 'open' | 'rename' | 'delete'

interface TreeViewProps {
  handle: RefObject<TreeHandle | null>
  rows: readonly Row[]
  current: string | undefined
  mayChange: boolean
  /** The folder that something is dragged over; empty for the whole, none while nothing is. */
  dropFolder: string | undefined
  dispatch: (action: TreeAction) => void
  onWish: (wish: RowWish, row: Row) => void
  onMenu: (row: Row, element: HTMLElement) => void
  onDrag: (path: string | undefined) => void
}

const TYPING_MS = 700

/** The files as a tree, of which only the rows in view are in the page. */
export function TreeView(props: TreeViewProps) {
  const { handle, rows, current, mayChange, dropFolder, dispatch, onWish, onMenu, onDrag } = props
  const scroller = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLDivElement>(null)
  const tree = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  const typed = useRef({ text: '', at: 0 })
  const pointer = useRef('mouse')
  const { rowHeight, first, end, onScroll } = useRowWindow(scroller, ruler, rows.length)
  const place = rows.findIndex(({ path }) => path === current)
  /** The one row that Tab comes to. */
  const reached = Math.max(place, 0)

  const focusReached = () => {
    const row = tree.current?.querySelector<HTMLElement>('[tabindex="0"]')
    if (row !== document.activeElement) row?.focus({ preventScroll: true })
  }
  useImperativeHandle(handle, () => ({ focus: focusReached }))
  // A row that had the focus may be gone, or be another one by now: the focus would fall to the top of the page.
  useLayoutEffect(() => {
    if (hasFocus.current) focusReached()
  })
  useEffect(() => {
    const box = scroller.current
    if (box === null || place < 0) return
    const top = place * rowHeight
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + rowHeight - box.clientHeight
    // Only when another row is chosen: what others add above it must not move what somebody reads.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [current])

  const open = (row: Row) => {
    if (row.kind === 'file') onWish('open', row)
    else dispatch({ type: row.isExpanded ? 'collapse' : 'expand', path: row.path })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[place]
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    const element = event.target
    const wantsMenu = key === 'ContextMenu' || (key === 'F10' && shiftKey)
    if (wantsMenu && row !== undefined && element instanceof HTMLElement) {
      event.preventDefault()
      onMenu(row, element)
    }
    if (ctrlKey || metaKey || altKey || wantsMenu) return
    const step = stepForKey(rows, current, key)
    const wish = row === undefined ? undefined : WISHES[key]
    if (step !== undefined) dispatch(step)
    else if (row !== undefined && wish !== undefined) {
      if (wish === 'open') open(row)
      else if (mayChange) onWish(wish, row)
    } else if (key.length === 1) {
      const isFresh = event.timeStamp - typed.current.at > TYPING_MS
      typed.current = { text: (isFresh ? '' : typed.current.text) + key, at: event.timeStamp }
      const path = findTyped(rows, current, typed.current.text)
      if (path !== undefined) dispatch({ type: 'select', path })
    } else return
    event.preventDefault()
  }
  const rowAt = ({ target }: { readonly target: EventTarget }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-path]') : null
    const row = rows.find(({ path }) => path === element?.dataset['path'])
    return { row, element }
  }
  const onClick = (event: MouseEvent) => {
    const { row } = rowAt(event)
    dispatch({ type: 'select', path: row?.path })
    if (row === undefined) return
    const isOnChevron = event.target instanceof Element && event.target.closest(`.${styles.chevron}`) !== null
    // A finger has no second click.
    if (isOnChevron || pointer.current === 'touch') open(row)
  }

  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
  // The row with the focus stays in the page wherever somebody scrolls to, with it the keyboard.
  if (rows.length > 0 && (reached < first || reached >= end)) indexes.push(reached)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the tree in it has the keys
    <div
      ref={scroller}
      className={styles.scroller}
      data-drop={dropFolder === '' || undefined}
      onScroll={onScroll}
      onPointerDown={({ pointerType }) => {
        pointer.current = pointerType
      }}
      onClick={onClick}
      onDoubleClick={(event) => {
        const { row } = rowAt(event)
        const isOnChevron =
          event.target instanceof Element && event.target.closest(`.${styles.chevron}`) !== null
        if (row !== undefined && !isOnChevron && pointer.current !== 'touch') open(row)
      }}
      onContextMenu={(event) => {
        const { row, element } = rowAt(event)
        if (row === undefined || element === null) return
        event.preventDefault()
        dispatch({ type: 'select', path: row.path })
        onMenu(row, element)
      }}
    >
      <div ref={ruler} aria-hidden className={styles.ruler} />
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its rows has the focus */}
      <div
        ref={tree}
        role="tree"
        aria-label={words.tree}
        className={styles.tree}
        style={{ blockSize: rows.length * rowHeight }}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          hasFocus.current = true
          // Whatever has brought the focus here: the keys are about the row that has it.
          const { row } = rowAt(event)
          if (row !== undefined && row.path !== current) dispatch({ type: 'select', path: row.path })
        }}
        onBlur={({ relatedTarget }) => {
          hasFocus.current = tree.current?.contains(relatedTarget) === true
        }}
        onDragStart={(event) => {
          const { row } = rowAt(event)
          if (row === undefined || !mayChange) return event.preventDefault()
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData('text/plain', row.path)
          onDrag(row.path)
        }}
        onDragEnd={() => onDrag(undefined)}
      >
        {indexes.map((index) => {
          const row = rows[index]
          return row === undefined ? null : (
            <TreeRow
              key={row.path}
              row={row}
              top={index * rowHeight}
              isCurrent={index === place}
              isReached={index === reached}
              isDropTarget={row.path === dropFolder}
              isDraggable={mayChange}
            />
          )
        })}
      </div>
    </div>
  )
}

const WISHES: Readonly<Record<string, RowWish>> = {
  Enter: 'open',
  ' ': 'open',
  F2: 'rename',
  Delete: 'delete',
}

interface TreeRowProps {
  row: Row
  top: number
  isCurrent: boolean
  isReached: boolean
  isDropTarget: boolean
  isDraggable: boolean
}

/** Deeper ones stand below each other: their names must still have room. */
const DEEPEST_INDENT = 10

const TreeRow = memo(function TreeRow({
  row,
  top,
  isCurrent,
  isReached,
  isDropTarget,
  isDraggable,
}: TreeRowProps) {
  const { path, name, kind, level, position, setSize, isExpanded } = row
  const indent = Math.min(level - 1, DEEPEST_INDENT)
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={isCurrent}
      {...(kind === 'folder' ? { 'aria-expanded': isExpanded } : {})}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- one row of a tree is in the order of Tab
      tabIndex={isReached ? 0 : -1}
      draggable={isDraggable}
      data-path={path}
      data-draft={(kind === 'folder' && row.files === 0) || undefined}
      data-drop={isDropTarget || undefined}
      className={styles.row}
      style={{ insetBlockStart: top, paddingInlineStart: `calc(${indent} * var(--indent) + 0.25rem)` }}
      title={path}
    >
      <span className={styles.chevron} data-expanded={isExpanded || undefined}>
        {kind === 'folder' && <ChevronRight aria-hidden />}
      </span>
      <RowIcon row={row} />
      <span className={styles.name}>{name}</span> <span className={styles.detail}>{detailOf(row)}</span>
    </div>
  )
})

function detailOf({ kind, file, files }: Row): string {
  if (kind === 'file') return sizeInWords(file?.size ?? 0)
  return files === 0 ? words.draft : words.filesIn(files)
}

function RowIcon({ row: { kind, isExpanded, file } }: { row: Row }) {
  if (kind === 'folder') return isExpanded ? <FolderOpen aria-hidden /> : <Folder aria-hidden />
  const type = file?.mediaType ?? ''
  if (type.startsWith('image/')) return <Image aria-hidden />
  return type.startsWith('text/') || type === 'application/json' ? (
    <FileText aria-hidden />
  ) : (
    <File aria-hidden />
  )
}
