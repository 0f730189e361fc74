import { Bot, type LucideIcon, SquareTerminal, Workflow } from 'lucide-react'
import { memo } from 'react'
import type { LogEntry, LogSource } from '../../panel-definition.ts'
import styles from './system-log.module.css'

const SOURCES: Readonly<Record<LogSource, { icon: LucideIcon; name: string }>> = {
  agent: { icon: Bot, name: 'Agent' },
  console: { icon: SquareTerminal, name: 'Console' },
  workspace: { icon: Workflow, name: 'Workspace' },
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const LEVELS = { debug: '', info: '', warn: 'Warning: ', error: 'Error: ' } as const

interface LogRowProps {
  entry: LogEntry
  /** How often it was said in a row. */
  times: number
}

/** Remembered by its entry: a thousand rows would be drawn again with each new one. */
export const LogRow = memo(function LogRow({ entry, times }: LogRowProps) {
  const { icon: Icon, name } = SOURCES[entry.source]
  return (
    <div className={styles.row} data-level={entry.level}>
      <time className={styles.time} dateTime={entry.at.toISOString()}>
        {CLOCK.format(entry.at)}
      </time>
      <Icon aria-label={name} className={styles.icon} />
      <span className={styles.text}>
        {entry.about !== undefined && <span className={styles.about}>{entry.about} </span>}
        <span className={styles.level}>{LEVELS[entry.level]}</span>
        {entry.text}
        {times > 1 && <span className={styles.times}>{times} times</span>}
      </span>
    </div>
  )
})
