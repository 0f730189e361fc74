import { useId, useState } from 'react'
import { TextField } from '../../components/text-field.tsx'
import { ControlNote, type ControlState, differenceOf, useAsked } from './control.tsx'
import styles from './instrument.module.css'
import { Instrument } from './instrument.tsx'
import { formatQuantity, numberOf, type Reading } from './reading.ts'
import { words } from './words.ts'
import type { Range } from './zones.ts'

interface NumberEntryProps extends ControlState {
  label: string
  /** What the device reports. */
  reading: Reading
  range?: Range
  unit?: string
  precision?: number
  /** With Enter, or when the field is left. */
  onSend: (value: number) => void
}

/** Asks for an exact number, such as a gain. */
export function NumberEntry({ label, reading, range, unit, precision, onSend, ...state }: NumberEntryProps) {
  const noteId = useId()
  const reported = numberOf(reading)
  const [asked, ask] = useAsked(reported, state.failed)
  const [typed, setTyped] = useState<string>()
  const shown = asked ?? reported
  const fault = typed === undefined ? undefined : faultOf(typed, range)
  const inWords = (value: number | undefined) =>
    value === undefined ? undefined : formatQuantity(value, unit, precision)
  const commit = () => {
    if (typed === undefined || fault !== undefined) return
    setTyped(undefined)
    const value = Number(typed)
    if (value === shown) return
    ask(value)
    onSend(value)
  }
  return (
    <Instrument label={label} reading={reading}>
      <div className={styles.entry}>
        <TextField
          label={label}
          isLabelHidden
          inputMode="decimal"
          isMono
          value={typed ?? (shown === undefined ? '' : String(shown))}
          placeholder={words.dash}
          isDisabled={state.disabled !== undefined}
          aria-describedby={noteId}
          errorMessage={fault}
          onChange={setTyped}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            else if (event.key === 'Escape' && typed !== undefined) setTyped(undefined)
            else event.continuePropagation()
          }}
        />
        {unit !== undefined && <span className={styles.unit}>{unit}</span>}
      </div>
      <ControlNote id={noteId} {...state} difference={differenceOf(inWords(asked), inWords(reported))} />
    </Instrument>
  )
}

function faultOf(typed: string, range: Range | undefined): string | undefined {
  const value = typed.trim() === '' ? Number.NaN : Number(typed)
  if (!Number.isFinite(value)) return words.entry.invalid
  const isOutside = range !== undefined && (value < range.min || value > range.max)
  return isOutside ? words.entry.outside(String(range.min), String(range.max)) : undefined
}
