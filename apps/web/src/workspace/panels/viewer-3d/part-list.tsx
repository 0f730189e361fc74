import { Box, Boxes, ChevronRight, Eye, EyeOff, Focus } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Object3D } from 'three'
import { Button } from '../../../components/button.tsx'
import { useRowWindow } from '../../../parts/use-row-window.ts'
import { findTyped, stepForKey } from '../files/file-tree.ts'
import { sizeInWords, sizeOf } from '../stage/measure-model.ts'
import styles from './part-list.module.css'
import { type PartRow, type PartTree, partRows, pathsAround } from './part-tree.ts'
import type { useModelView } from './use-model-view.ts'
import { words } from './words.ts'

interface PartListProps {
  tree: PartTree
  isZUp: boolean
  model: ReturnType<typeof useModelView>
  /** Its path. */
  selected: string | undefined
  select: (path: string | undefined) => void
}

const TYPING_MS = 700

/** The parts of a model, to select, hide and isolate. */
export function PartList({ tree, isZUp, model, selected, select }: PartListProps) {
  const { view, isFull, showAll } = model
  const isAnyHidden = view.hidden.length > 0 || tree.byName.has(view.isolated ?? '')
  const part = selected === undefined ? undefined : tree.byPath.get(selected)
  return (
    <section aria-label={words.parts.label} className={styles.list}>
      <div className={styles.header}>
        <span className={styles.heading}>{words.parts.count(tree.byPath.size, tree.isCut)}</span>
        <Button size="sm" variant="ghost" isDisabled={!isAnyHidden} onPress={showAll}>
          {words.parts.showAll}
        </Button>
      </div>
      <Tree tree={tree} model={model} selected={selected} select={select} />
      {isFull && <p className={styles.note}>{words.parts.full}</p>}
      {part !== undefined && (
        <div className={styles.footer}>
          <p className={styles.chosen}>
            <span className={styles.chosenName}>{part.name}</span>
            <span className={styles.note}>{sizeOfPart(part.object, isZUp)}</span>
          </p>
          <div className={styles.actions}>
            <Button
              size="sm"
              icon={view.hidden.includes(part.name) ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
              onPress={() => model.toggle(part.name)}
            >
              {view.hidden.includes(part.name) ? words.parts.show : words.parts.hide}
            </Button>
            <Button size="sm" icon={<Focus aria-hidden />} onPress={() => model.isolate(part.name)}>
              {view.isolated === part.name ? words.parts.endIsolation : words.parts.isolate}
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}

function sizeOfPart(object: Object3D, isZUp: boolean): string {
  return sizeInWords(sizeOf(object, isZUp))
}

type TreeProps = Omit<PartListProps, 'isZUp'>

function Tree({ tree, model, selected, select }: TreeProps) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => firstOpen(tree))
  const rows = partRows(tree, expanded)
  const scroller = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  const typed = useRef({ text: '', at: 0 })
  const { rowHeight, first, end, onScroll } = useRowWindow(scroller, ruler, rows.length)
  const place = rows.findIndex(({ path }) => path === selected)
  const reached = Math.max(place, 0)

  // Selected in the view, perhaps: what is around it opens.
  const [revealed, setRevealed] = useState<string>()
  if (selected !== revealed) {
    setRevealed(selected)
    const around = selected === undefined ? [] : pathsAround(selected)
    if (around.some((path) => !expanded.has(path))) setExpanded(new Set([...expanded, ...around]))
  }
  useEffect(() => {
    const box = scroller.current
    if (box === null || place < 0) return
    const top = place * rowHeight
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + rowHeight - box.clientHeight
  }, [place, rowHeight])
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[tabindex="0"]')
    if (hasFocus.current && row !== document.activeElement) row?.focus({ preventScroll: true })
  })

  const expand = (path: string, isOpen: boolean) => {
    const next = new Set(expanded)
    if (isOpen) next.add(path)
    else next.delete(path)
    setExpanded(next)
    // A row that nobody sees cannot have the focus.
    if (!isOpen && selected?.startsWith(`${path}/`) === true) select(path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    const row = rows[place]
    const step = stepForKey(rows, selected, key)
    if (step?.type === 'select') select(step.path)
    else if (step !== undefined) expand(step.path ?? '', step.type === 'expand')
    else if (key === ' ' && row !== undefined) model.toggle(row.name)
    else if (key === 'Enter' && row !== undefined) model.isolate(row.name)
    else if (key.length === 1) {
      const isFresh = event.timeStamp - typed.current.at > TYPING_MS
      typed.current = { text: (isFresh ? '' : typed.current.text) + key, at: event.timeStamp }
      const path = findTyped(rows, selected, typed.current.text)
      if (path !== undefined) select(path)
    } else return
    event.preventDefault()
  }
  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return
    const path = target.closest<HTMLElement>('[data-path]')?.dataset['path']
    const row = rows.find((one) => one.path === path)
    if (row === undefined) return
    if (target.closest('[data-act="toggle"]') !== null) model.toggle(row.name)
    else if (target.closest('[data-act="isolate"]') !== null) model.isolate(row.name)
    else if (target.closest(`.${styles.chevron}`) !== null && row.kind === 'folder')
      expand(row.path, !row.isExpanded)
    else select(row.path)
  }

  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
  if (rows.length > 0 && (reached < first || reached >= end)) indexes.push(reached)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the tree in it has the keys
    <div ref={scroller} className={styles.scroller} onScroll={onScroll} onClick={onClick}>
      <div ref={ruler} aria-hidden className={styles.ruler} />
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its rows has the focus */}
      <div
        ref={list}
        role="tree"
        aria-label={words.parts.label}
        className={styles.tree}
        style={{ blockSize: rows.length * rowHeight }}
        onKeyDown={onKeyDown}
        onFocus={() => {
          hasFocus.current = true
        }}
        onBlur={({ relatedTarget }) => {
          hasFocus.current = list.current?.contains(relatedTarget) === true
        }}
      >
        {indexes.map((index) => {
          const row = rows[index]
          return row === undefined ? null : (
            <Row
              key={row.path}
              row={row}
              top={index * rowHeight}
              isSelected={index === place}
              isReached={index === reached}
              isHidden={model.view.hidden.includes(row.name)}
              isIsolated={model.view.isolated === row.name}
            />
          )
        })}
      </div>
    </div>
  )
}

/** A short list is open at once. */
function firstOpen({ parts, byPath }: PartTree): ReadonlySet<string> {
  const few = byPath.size <= 40 ? [...byPath.keys()] : parts.length === 1 ? ['0'] : []
  return new Set(few)
}

interface RowProps {
  row: PartRow
  top: number
  isSelected: boolean
  isReached: boolean
  isHidden: boolean
  isIsolated: boolean
}

const DEEPEST_INDENT = 8

function Row({ row, top, isSelected, isReached, isHidden, isIsolated }: RowProps) {
  const { path, name, kind, part, level, position, setSize, isExpanded } = row
  const indent = Math.min(level - 1, DEEPEST_INDENT)
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={isSelected}
      {...(kind === 'folder' ? { 'aria-expanded': isExpanded } : {})}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- one row of a tree is in the order of Tab
      tabIndex={isReached ? 0 : -1}
      data-path={path}
      data-hidden={isHidden || undefined}
      className={styles.row}
      style={{ insetBlockStart: top, paddingInlineStart: `calc(${indent} * var(--indent) + 0.25rem)` }}
      title={name}
    >
      <span className={styles.chevron} data-expanded={isExpanded || undefined}>
        {kind === 'folder' && <ChevronRight aria-hidden />}
      </span>
      {kind === 'folder' ? <Boxes aria-hidden /> : <Box aria-hidden />}
      <span className={styles.name}>{name}</span>{' '}
      {isHidden && <span className={styles.unseen}>{words.parts.hidden}</span>}{' '}
      {isIsolated && <span className={styles.unseen}>{words.parts.isolated}</span>}{' '}
      {kind === 'folder' && <span className={styles.note}>{(part.count - 1).toLocaleString('en')}</span>}
      {/* For pointers; Space and Enter do the same, and so do the buttons below the list. */}
      <span aria-hidden data-act="isolate" data-on={isIsolated || undefined} className={styles.act}>
        <Focus />
      </span>
      <span aria-hidden data-act="toggle" data-on={isHidden || undefined} className={styles.act}>
        {isHidden ? <EyeOff /> : <Eye />}
      </span>
    </div>
  )
}
