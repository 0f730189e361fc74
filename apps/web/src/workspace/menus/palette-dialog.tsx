import { Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { classes } from '../../components/classes.ts'
import dialog from '../../components/dialog.module.css'
import { useValue } from '../../parts/use-value.ts'
import { words } from '../words.tsx'
import { useCatalog, useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import styles from './palette-dialog.module.css'
import { type PaletteEntry, type PaletteGroup, paletteGroups } from './palette-entries.tsx'
import { keysForReaders, keysInWords, onMac } from './shortcut.ts'

/** Finds a command, a tab, a person, a panel or a file by what is typed. */
export function PaletteDialog() {
  const { overlay } = useWorkspaceSession()
  const close = () => overlay.set(undefined)
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      data-overlay
      className={classes(dialog.backdrop, styles.backdrop)}
    >
      <Modal className={classes(dialog.modal)} data-size="md">
        <AriaDialog aria-label={words.palette.title} className={classes(styles.palette)}>
          <Palette close={close} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function Palette({ close }: { close: () => void }) {
  const session = useWorkspaceSession()
  const layout = useWorkspace((snapshot) => snapshot.layout)
  const { panels } = useCatalog()
  const { paths, state } = useValue(session.fileNames.names)
  const people = useValue(session.presence.people)
  const canSimulate = useValue(session.simulatedBench.isOffered)
  const [typed, setTyped] = useState('')
  // Ten thousand names take a moment; what is typed shows before that.
  const searched = useDeferredValue(typed)
  const [chosenId, setChosenId] = useState<string>()
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    session.fileNames.look()
    session.simulatedBench.look()
  }, [session])
  const groups = useMemo(
    () => paletteGroups(session, { layout, panels, paths, people, canSimulate }, searched),
    [session, layout, panels, paths, people, canSimulate, searched],
  )
  const entries = groups.flatMap((group) => group.entries)
  const current = entries.find(({ id }) => id === chosenId) ?? entries[0]
  const optionId = (entry: PaletteEntry) => `${listId}-${entries.indexOf(entry)}`

  const choose = (entry: PaletteEntry) => {
    close()
    // After the palette has given the focus back: what opens next would have it taken away again.
    setTimeout(entry.run)
  }
  const step = (by: number) => {
    const at = current === undefined ? 0 : entries.indexOf(current)
    const next = entries.at((at + by + entries.length) % Math.max(1, entries.length))
    if (next === undefined) return
    setChosenId(next.id)
    list.current?.querySelector(`#${CSS.escape(optionId(next))}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 } as const
    if (event.key in steps) {
      event.preventDefault()
      return step(steps[event.key as keyof typeof steps])
    }
    // While a word is being composed, Enter ends that.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (current !== undefined) choose(current)
  }

  return (
    <>
      <div className={styles.search}>
        <Search aria-hidden />
        <input
          role="combobox"
          aria-label={words.palette.title}
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          {...(current !== undefined && { 'aria-activedescendant': optionId(current) })}
          placeholder={words.palette.placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setChosenId(undefined)
          }}
          onKeyDown={onKeyDown}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the palette was opened to type here
          autoFocus
          className={styles.input}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot hold icons, details and keys */}
      <div ref={list} id={listId} role="listbox" aria-label={words.palette.found} className={styles.list}>
        {groups.map((group, index) => (
          <Group key={group.title} group={group} headingId={`${listId}-group-${index}`}>
            {(entry) => (
              <Option
                key={entry.id}
                id={optionId(entry)}
                entry={entry}
                isCurrent={entry === current}
                onPoint={() => setChosenId(entry.id)}
                onChoose={() => choose(entry)}
              />
            )}
          </Group>
        ))}
      </div>
      <output className={styles.status}>
        {typed === ''
          ? words.palette.hint
          : state === 'failed'
            ? words.palette.filesFailed
            : words.palette.count(entries.length)}
      </output>
    </>
  )
}

interface GroupProps {
  group: PaletteGroup
  headingId: string
  children: (entry: PaletteEntry) => React.ReactNode
}

function Group({ group, headingId, children }: GroupProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot stand in a list of options
    <div role="group" aria-labelledby={headingId}>
      <div id={headingId} role="presentation" className={styles.heading}>
        {group.title}
      </div>
      {group.entries.map(children)}
    </div>
  )
}

interface OptionProps {
  id: string
  entry: PaletteEntry
  isCurrent: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ id, entry, isCurrent, onPoint, onChoose }: OptionProps) {
  const { label, detail, icon, keys } = entry
  return (
    // The keyboard stays in the field above, which says which option is meant.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list around it
      role="option"
      aria-selected={isCurrent}
      {...(keys !== undefined && { 'aria-keyshortcuts': keysForReaders(keys, onMac()) })}
      className={styles.option}
      onPointerMove={onPoint}
      // Otherwise the press would take the focus out of the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {icon}
      <span className={styles.label}>{label}</span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      {keys !== undefined && (
        <kbd aria-hidden className={styles.keys}>
          {keysInWords(keys, onMac())}
        </kbd>
      )}
    </div>
  )
}
