import { Instrument } from './instrument.tsx'
import type { Reading } from './reading.ts'
import styles from './status-lamp.module.css'
import { words } from './words.ts'

export interface LampState {
  readonly value: string | number | boolean
  /** What this state means: color alone tells nothing to some people. */
  readonly label: string
  readonly tone: 'off' | 'ok' | 'warning' | 'danger' | 'info'
}

interface StatusLampProps {
  label: string
  reading: Reading
  states: readonly LampState[]
}

/** A lamp and what it means. It is lit only while its value is live. */
export function StatusLamp({ label, reading, states }: StatusLampProps) {
  const { value, state } = reading
  const hasValue = state !== 'none' && value !== null && typeof value !== 'object'
  const known = hasValue ? states.find((each) => each.value === value) : undefined
  const text = known?.label ?? (hasValue ? words.lamp.unknown(String(value)) : words.dash)
  return (
    <Instrument label={label} reading={reading}>
      <span className={styles.lamp} data-tone={known?.tone ?? 'off'} data-lit={state === 'live'}>
        <span aria-hidden="true" className={styles.light} />
        {text}
      </span>
    </Instrument>
  )
}
