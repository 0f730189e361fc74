import { Clock, History, LoaderCircle, Minus, Unplug } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classes } from '../../components/classes.ts'
import styles from './instrument.module.css'
import { formatTime, type Reading, type ReadingState } from './reading.ts'
import { words } from './words.ts'

interface InstrumentProps {
  label: string
  /** Whether what it shows may be believed; an instrument without one has nothing to go stale. */
  reading?: Pick<Reading, 'at' | 'state'> | undefined
  /** Stands beside the label. */
  aside?: ReactNode
  children: ReactNode
}

/** The frame of an instrument: its name, and in words and look whether its value is live. */
export function Instrument({ label, reading, aside, children }: InstrumentProps) {
  const id = useId()
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- not a set of form fields
      role="group"
      aria-labelledby={id}
      className={classes(styles.instrument)}
      data-state={reading?.state ?? 'live'}
    >
      <div className={styles.head}>
        <span id={id} className={styles.label}>
          {label}
        </span>
        {aside}
        {reading !== undefined && <StateMark reading={reading} />}
      </div>
      {children}
    </div>
  )
}

const ICONS = {
  stale: Clock,
  offline: Unplug,
  none: Minus,
  past: History,
  absent: Minus,
  loading: LoaderCircle,
}

/** Why a value is not to be believed; nothing while it is live. */
export function StateMark({ reading: { at, state } }: { reading: Pick<Reading, 'at' | 'state'> }) {
  if (state === 'live') return null
  const Icon = ICONS[state]
  return (
    <span className={styles.mark} data-state={state}>
      <Icon aria-hidden />
      {stateInWords(state, at)}
    </span>
  )
}

function stateInWords(state: Exclude<ReadingState, 'live'>, at: number): string {
  if (state === 'stale') return words.states.stale(formatTime(at))
  if (state === 'past') return words.states.past(formatTime(at))
  if (state === 'offline') return words.states.offline(at > 0 ? formatTime(at) : undefined)
  return words.stateNames[state]
}

/** A value in large, or a dash where there is none. */
export function Value({ children, unit }: { children: string | undefined; unit?: string | undefined }) {
  return (
    <span className={styles.value}>
      {children ?? words.dash}
      {children !== undefined && unit !== undefined && <span className={styles.unit}> {unit}</span>}
    </span>
  )
}
