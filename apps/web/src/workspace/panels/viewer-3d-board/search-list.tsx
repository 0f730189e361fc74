import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { classes } from '../../../components/classes.ts'
import { TextField } from '../../../components/text-field.tsx'
import styles from './board.module.css'
import { words } from './words.ts'

/** More are found by typing. */
const MOST_SHOWN = 200

export interface SearchItem {
  readonly id: string
  readonly name: string
  readonly note: string
  /** What else it is found by. */
  readonly more?: string
}

interface SearchListProps {
  label: string
  placeholder: string
  items: readonly SearchItem[]
  selected: string | undefined
  select: (id: string | undefined) => void
  children?: ReactNode
}

/** A long list of names, one of which is selected. */
export function SearchList({ label, placeholder, items, selected, select, children }: SearchListProps) {
  const [search, setSearch] = useState('')
  const parts = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = items.filter(({ name, note, more = '' }) => {
    const text = `${name} ${note} ${more}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
  const first = found.slice(0, MOST_SHOWN)
  // What is selected is in the list, however far down it is.
  const chosen = first.some(({ id }) => id === selected) ? undefined : found.find(({ id }) => id === selected)
  const shown = chosen === undefined ? first : [chosen, ...first]
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (selected === undefined) return undefined
    // The list draws its items after itself.
    const frame = requestAnimationFrame(() => {
      const list = box.current
      const item = list?.querySelector<HTMLElement>('[aria-selected="true"]') ?? null
      if (list === null || item === null) return
      const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top
      if (top < 0 || top + item.offsetHeight > list.clientHeight)
        list.scrollTop += top - (list.clientHeight - item.offsetHeight) / 2
    })
    return () => cancelAnimationFrame(frame)
  }, [selected])
  return (
    <div className={styles.search}>
      <TextField
        label={words.lists.search}
        isLabelHidden
        size="sm"
        placeholder={placeholder}
        value={search}
        onChange={setSearch}
      />
      <ListBox
        ref={box}
        aria-label={label}
        items={shown}
        selectionMode="single"
        selectedKeys={selected === undefined ? [] : [selected]}
        onSelectionChange={(keys) => {
          const [key] = keys === 'all' ? [] : keys
          select(key === undefined ? undefined : String(key))
        }}
        className={classes(styles.list)}
      >
        {({ id, name, note }) => (
          <ListBoxItem id={id} textValue={name} className={classes(styles.item)}>
            <span className={styles.name}>{name}</span>
            <span className={styles.note}>{note}</span>
          </ListBoxItem>
        )}
      </ListBox>
      <output className={styles.count}>{words.lists.found(found.length, MOST_SHOWN)}</output>
      {children}
    </div>
  )
}
