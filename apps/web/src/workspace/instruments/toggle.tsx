import { useId } from 'react'
import { Switch } from '../../components/switch.tsx'
import { ControlNote, type ControlState, differenceOf, useAsked } from './control.tsx'
import { Instrument } from './instrument.tsx'
import type { Reading } from './reading.ts'
import { words } from './words.ts'

interface ToggleProps extends ControlState {
  label: string
  /** What the device reports. */
  reading: Reading
  onSend: (isOn: boolean) => void
  onLabel?: string
  offLabel?: string
}

/** Turns something on and off. It stands where the person put it, and says so until the device reports the same. */
export function Toggle({
  label,
  reading,
  onSend,
  onLabel = words.toggle.on,
  offLabel = words.toggle.off,
  ...state
}: ToggleProps) {
  const noteId = useId()
  const reported = reading.state !== 'none' && typeof reading.value === 'boolean' ? reading.value : undefined
  const [asked, ask] = useAsked(reported, state.failed)
  const isOn = asked ?? reported
  const wordFor = (value: boolean | undefined) =>
    value === undefined ? undefined : value ? onLabel : offLabel
  return (
    <Instrument label={label} reading={reading}>
      <Switch
        aria-label={label}
        aria-describedby={noteId}
        isSelected={isOn ?? false}
        isDisabled={state.disabled !== undefined}
        onChange={(next) => {
          ask(next)
          onSend(next)
        }}
      >
        {wordFor(isOn) ?? words.dash}
      </Switch>
      <ControlNote id={noteId} {...state} difference={differenceOf(wordFor(asked), wordFor(reported))} />
    </Instrument>
  )
}
