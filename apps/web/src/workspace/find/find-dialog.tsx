import type { FoundLine, SearchResult } from '@patchbay/contracts/content'
import { SEARCH_LIMITS } from '@patchbay/contracts/limits'
import { Asterisk, CaseSensitive, FileText, Search as SearchIcon, WholeWord } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/text-field.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { NO_SEARCH } from '../last-search.ts'
import { ToolToggle } from '../panels/parts/tool-toggle.tsx'
import { useWorkspaceSession } from '../workspace-context.ts'
import { MOST_LINES } from './find.api.ts'
import styles from './find-dialog.module.css'
import { useSearch } from './use-search.ts'
import { words } from './words.ts'

interface FindDialogProps {
  /** What was selected when it was opened. */
  text: string | undefined
}

/** Finds lines in all files of the workspace, and opens them in the editor. */
export function FindDialog({ text }: FindDialogProps) {
  const { overlay } = useWorkspaceSession()
  return (
    <Dialog
      title={words.title}
      size="lg"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) overlay.set(undefined)
      }}
    >
      <Find text={text} />
    </Dialog>
  )
}

interface Row extends FoundLine {
  readonly id: string
  readonly path: string
}

const rowsOf = (result: SearchResult | undefined): Row[] =>
  (result?.files ?? []).flatMap(({ path, lines }) =>
    lines.map((line) => ({ ...line, path, id: `${path}:${line.line}` })),
  )

function Find({ text }: FindDialogProps) {
  const session = useWorkspaceSession()
  const { workspace, overlay, lastSearch } = session
  const [begin] = useState(() => {
    const last = lastSearch.get() ?? NO_SEARCH
    const isOther = text !== undefined && text !== last.wish.text
    return isOther ? { ...NO_SEARCH, wish: { ...last.wish, text } } : last
  })
  const search = useSearch(workspace, begin)
  const { wish, change, result, isSearching, error } = search
  const [chosen, setChosen] = useState(begin.chosen)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const rows = rowsOf(result)
  const current = rows.find(({ id }) => id === chosen) ?? rows[0]
  const optionId = (row: Row) => `${listId}-${rows.indexOf(row)}`
  useEffect(() => field.current?.select(), [])
  useEffect(() => {
    lastSearch.set({ wish, result: isSearching ? undefined : result, chosen })
  }, [lastSearch, wish, result, isSearching, chosen])
  useEffect(() => {
    // Back to where one was in the list, once it is there.
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [])

  const open = (row: Row) => {
    setChosen(row.id)
    lastSearch.set({ wish, result, chosen: row.id })
    overlay.set(undefined)
    const [{ from, to } = { from: 0, to: 0 }] = row.ranges
    const place = { path: row.path, line: row.line, from: row.column + from, to: row.column + to }
    // After the dialog has given the focus back: what opens next would have it taken away again.
    setTimeout(() => session.openPlace(place))
  }
  const step = (by: number) => {
    const at = current === undefined ? 0 : rows.indexOf(current)
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
    if (next === undefined) return
    setChosen(next.id)
    list.current?.querySelector(`#${CSS.escape(optionId(next))}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 } as const
    if (event.key in steps) {
      event.preventDefault()
      return step(steps[event.key as keyof typeof steps])
    }
    // While a word is being composed, Enter ends that.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (current !== undefined && !isSearching) open(current)
  }
  return (
    <div className={styles.find}>
      <div className={styles.wish}>
        <div className={styles.text}>
          <SearchIcon aria-hidden />
          <input
            ref={field}
            role="combobox"
            aria-label={words.text}
            aria-expanded={rows.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            {...(current !== undefined && { 'aria-activedescendant': optionId(current) })}
            placeholder={words.textExample}
            maxLength={SEARCH_LIMITS.textLength}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={wish.text}
            onChange={({ target }) => {
              change({ text: target.value })
              setChosen(undefined)
            }}
            onKeyDown={onKeyDown}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type here
            autoFocus
          />
          <ToolToggle
            label={words.matchCase}
            isSelected={wish.caseSensitive}
            onChange={(caseSensitive) => change({ caseSensitive })}
          >
            <CaseSensitive aria-hidden />
          </ToolToggle>
          <ToolToggle
            label={words.wholeWord}
            isSelected={wish.wholeWord}
            onChange={(wholeWord) => change({ wholeWord })}
          >
            <WholeWord aria-hidden />
          </ToolToggle>
          <ToolToggle
            label={words.wildcards}
            isSelected={wish.wildcards}
            onChange={(wildcards) => change({ wildcards })}
          >
            <Asterisk aria-hidden />
          </ToolToggle>
        </div>
        <TextField
          label={words.path}
          size="sm"
          isMono
          placeholder={words.pathExample}
          autoComplete="off"
          spellCheck="false"
          value={wish.path}
          onChange={(path) => change({ path })}
        />
      </div>
      <output className={styles.status}>{statusOf(search)}</output>
      <FailureNotice error={error} retry={search.retry} />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot hold groups of marked lines */}
      <div ref={list} id={listId} role="listbox" aria-label={words.results} className={styles.list}>
        {(result?.files ?? []).map(({ path, lines }, index) => (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot stand in a list of options
          <div key={path} role="group" aria-labelledby={`${listId}-file-${index}`}>
            <div id={`${listId}-file-${index}`} role="presentation" className={styles.file}>
              <FileText aria-hidden />
              <span>{path}</span>
              <span className={styles.lines}>{lines.length}</span>
            </div>
            {rows
              .filter((row) => row.path === path)
              .map((row) => (
                <Line
                  key={row.id}
                  id={optionId(row)}
                  row={row}
                  isCurrent={row === current}
                  onChoose={() => open(row)}
                />
              ))}
          </div>
        ))}
      </div>
    </div>
  )
}

function statusOf({ wish, result, isSearching, error }: ReturnType<typeof useSearch>): string {
  if (wish.text === '') return words.nothingYet
  if (isSearching) return words.searching
  if (result === undefined || error !== undefined) return ''
  const lines = result.files.reduce((all, file) => all + file.lines.length, 0)
  const counted = lines === 0 ? words.none(result.searched) : words.count(lines, result.files.length)
  const cut = result.cut === 'lines' ? words.cut.lines(MOST_LINES) : result.cut && words.cut[result.cut]
  const tooLarge = result.tooLarge === 0 ? null : words.tooLarge(result.tooLarge)
  return [counted, cut, tooLarge].filter((part) => part !== null).join(' · ')
}

interface LineProps {
  id: string
  row: Row
  isCurrent: boolean
  onChoose: () => void
}

function Line({ id, row, isCurrent, onChoose }: LineProps) {
  return (
    // The keyboard stays in the field above, which says which line is meant.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list around it
      role="option"
      aria-selected={isCurrent}
      className={styles.line}
      // Otherwise the press would take the focus out of the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className={styles.number} aria-label={words.line(row.line)}>
        {row.line}
      </span>
      <code className={styles.code}>
        <Marked row={row} />
      </code>
    </div>
  )
}

/** The line without the blanks that it begins with, and with what was found marked. */
function Marked({ row: { text, ranges } }: { row: Row }) {
  const indent = Math.min(text.length - text.trimStart().length, ranges[0]?.from ?? 0)
  const parts: React.ReactNode[] = []
  let at = indent
  for (const { from, to } of ranges) {
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>)
    at = to
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}
