import { SYSTEM_LOG_FILTERS, type SystemLogState } from '@patchbay/contracts/panels'
import { ArrowDownToLine, Bot, Copy, Eraser, type LucideIcon, SquareTerminal, Workflow } from 'lucide-react'
import { memo, useCallback, useRef, useState, useSyncExternalStore } from 'react'
import { Select } from '../../../components/select.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { notify } from '../../../components/toast.tsx'
import type { LogEntry, LogSource, LogStore, PanelProps } from '../../panel-definition.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import { asText, choose, type LogFilter, runsOf, since } from './log-filter.ts'
import styles from './system-log.module.css'
import { useFollowing } from './use-following.ts'
import { words } from './words.ts'

const ICONS: Readonly<Record<LogSource, LucideIcon>> = {
  agent: Bot,
  console: SquareTerminal,
  workspace: Workflow,
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

interface LogRowProps {
  entry: LogEntry
  /** How often it was said in a row. */
  times: number
}

/** Remembered by its entry: a thousand rows would be drawn again with each new one. */
const LogRow = memo(function LogRow({ entry, times }: LogRowProps) {
  const Icon = ICONS[entry.source]
  return (
    <div className={styles.row} data-level={entry.level}>
      <time className={styles.time} dateTime={entry.at.toISOString()}>
        {CLOCK.format(entry.at)}
      </time>
      <Icon aria-label={words.sources[entry.source]} className={styles.icon} />
      <span className={styles.text}>
        {entry.about !== undefined && <span className={styles.about}>{entry.about} </span>}
        <span className={styles.level}>{words.levels[entry.level]}</span>
        {entry.text}
        {times > 1 && <span className={styles.times}>{words.times(times)}</span>}
      </span>
    </div>
  )
})

const OPTIONS = SYSTEM_LOG_FILTERS.map((id) => ({ id, label: words.filters[id] }))

export function SystemLogPanel({ title, state, mayChange, setState, host }: PanelProps) {
  const entries = useLog(host.log)
  const stored = (state as SystemLogState).filter ?? 'all'
  const [own, setOwn] = useState<LogFilter>()
  const filter = mayChange ? stored : (own ?? stored)
  const [search, setSearch] = useState('')
  const [clearedUpTo, setClearedUpTo] = useState<LogEntry>()
  const shown = choose(since(entries, clearedUpTo), filter, search)
  const box = useRef<HTMLDivElement>(null)
  const { isFollowing, setFollowing, missed, onScroll } = useFollowing(box, shown)

  const copy = () => {
    navigator.clipboard.writeText(asText(shown)).then(
      () => notify({ title: words.copied(shown.length) }),
      () => notify({ title: words.notCopied, tone: 'danger' }),
    )
  }
  return (
    <div className={bar.panel}>
      <ToolBar label={words.bar}>
        <div className={bar.middling}>
          <Select
            label={words.filter}
            isLabelHidden
            size="sm"
            options={OPTIONS}
            value={filter}
            onChange={(id) => (mayChange ? setState({ filter: id }) : setOwn(id as LogFilter))}
          />
        </div>
        <div className={bar.wide}>
          <TextField
            label={words.search}
            isLabelHidden
            size="sm"
            type="search"
            placeholder={words.searchExample}
            value={search}
            onChange={setSearch}
          />
        </div>
        <ToolToggle label={words.follow} isSelected={isFollowing} onChange={setFollowing}>
          <ArrowDownToLine aria-hidden />
        </ToolToggle>
        <ToolButton label={words.copy} onPress={copy} isDisabled={shown.length === 0}>
          <Copy aria-hidden />
        </ToolButton>
        <ToolButton label={words.clear} onPress={() => setClearedUpTo(entries.at(-1))}>
          <Eraser aria-hidden />
        </ToolButton>
      </ToolBar>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <div ref={box} role="log" aria-label={title} tabIndex={0} className={styles.log} onScroll={onScroll}>
        <div>
          {shown.length === 0 && (
            <p className={styles.nothing}>{entries.length === 0 ? words.none : words.noneFound}</p>
          )}
          {runsOf(shown).map(({ first, latest, times }) => (
            <LogRow key={keyOf(first)} entry={latest} times={times} />
          ))}
        </div>
      </div>
      <div className={bar.status}>
        <span>{words.lines(shown.length)}</span>
        {missed > 0 && (
          <button type="button" className={styles.missed} onClick={() => setFollowing(true)}>
            {words.missed(missed)}
          </button>
        )}
      </div>
    </div>
  )
}

const keys = new WeakMap<LogEntry, number>()
let lastKey = 0

/** An entry has no name, and its place changes with every filter and with the oldest that leaves. */
function keyOf(entry: LogEntry): number {
  const known = keys.get(entry)
  if (known !== undefined) return known
  lastKey += 1
  keys.set(entry, lastKey)
  return lastKey
}

/** The entries, drawn anew once for each picture on the screen: a script can print a thousand lines in between. */
function useLog(log: LogStore): readonly LogEntry[] {
  const subscribe = useCallback(
    (listener: () => void) => {
      let queued: number | undefined
      const unsubscribe = log.subscribe(() => {
        queued ??= requestAnimationFrame(() => {
          queued = undefined
          listener()
        })
      })
      return () => {
        unsubscribe()
        if (queued !== undefined) cancelAnimationFrame(queued)
      }
    },
    [log],
  )
  return useSyncExternalStore(subscribe, () => log.entries())
}
