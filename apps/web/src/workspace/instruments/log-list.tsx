import { useMemo, useState } from 'react'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { Instrument } from './instrument.tsx'
import styles from './log-list.module.css'
import { formatTime, type Reading } from './reading.ts'
import { RowList } from './row-list.tsx'
import { words } from './words.ts'

const LEVELS = ['debug', 'info', 'warning', 'error'] as const
type LogLevel = (typeof LEVELS)[number]

export interface LogLine {
  /** Grows from line to line. */
  readonly id: number
  readonly at: number
  readonly level: LogLevel
  readonly source: string
  readonly text: string
}

interface LogListProps {
  label: string
  lines: readonly LogLine[]
  /** Whether more may come. */
  reading?: Pick<Reading, 'at' | 'state'>
}

const ANY = ''

/** What devices wrote, newest last, to follow, search and narrow down. */
export function LogList({ label, lines, reading }: LogListProps) {
  const [search, setSearch] = useState('')
  const [level, setLevel] = useState<string>(LEVELS[0])
  const [source, setSource] = useState(ANY)
  const sources = useMemo(() => [...new Set(lines.map((line) => line.source))].toSorted(), [lines])
  const shown = useMemo(() => {
    const lowest = LEVELS.findIndex((one) => one === level)
    const wanted = search.trim().toLowerCase()
    return lines.filter(
      (line) =>
        LEVELS.indexOf(line.level) >= lowest &&
        (source === ANY || line.source === source) &&
        (wanted === '' || line.text.toLowerCase().includes(wanted)),
    )
  }, [lines, level, source, search])
  return (
    <Instrument label={label} reading={reading}>
      <div className={styles.filters}>
        <TextField
          label={words.log.search}
          isLabelHidden
          size="sm"
          type="search"
          placeholder={words.log.searchExample}
          value={search}
          onChange={setSearch}
        />
        <Select
          label={words.log.level}
          isLabelHidden
          size="sm"
          options={LEVELS.map((id) => ({
            id,
            label: id === 'debug' ? words.log.anyLevel : words.log.andAbove(words.log.levels[id]),
          }))}
          value={level}
          onChange={(id) => setLevel(String(id))}
        />
        <Select
          label={words.log.source}
          isLabelHidden
          size="sm"
          options={[{ id: ANY, label: words.log.anySource }, ...sources.map((id) => ({ id, label: id }))]}
          value={source}
          onChange={(id) => setSource(String(id))}
        />
      </div>
      <div className={styles.list}>
        <RowList
          label={label}
          rows={shown}
          empty={lines.length === 0 ? words.log.none : words.log.noneFound}
          status={
            shown.length === lines.length
              ? words.list.lines(lines.length)
              : words.log.found(shown.length, lines.length)
          }
          render={(line) => (
            <span className={styles.line} data-level={line.level}>
              <time dateTime={new Date(line.at).toISOString()} className={styles.time}>
                {formatTime(line.at)}
              </time>
              <span className={styles.level}>{words.log.levels[line.level]}</span>
              <span className={styles.source}>{line.source}</span>
              <span className={styles.text}>{line.text}</span>
            </span>
          )}
        />
      </div>
    </Instrument>
  )
}
