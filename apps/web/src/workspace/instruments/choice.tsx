import { useId } from 'react'
import { Select } from '../../components/select.tsx'
import { ControlNote, type ControlState, differenceOf, useAsked } from './control.tsx'
import { Instrument } from './instrument.tsx'
import type { Reading } from './reading.ts'

interface ChoiceProps extends ControlState {
  label: string
  /** What the device reports. */
  reading: Reading
  options: readonly { readonly id: string; readonly label: string }[]
  onSend: (id: string) => void
}

/** One of several. It shows what the person chose, and says so until the device reports the same. */
export function Choice({ label, reading, options, onSend, ...state }: ChoiceProps) {
  const noteId = useId()
  const reported = reading.state !== 'none' && typeof reading.value === 'string' ? reading.value : undefined
  const [asked, ask] = useAsked(reported, state.failed)
  const inWords = (id: string | undefined) => options.find((option) => option.id === id)?.label ?? id
  return (
    <Instrument label={label} reading={reading}>
      <Select
        label={label}
        isLabelHidden
        aria-describedby={noteId}
        options={options}
        value={asked ?? reported ?? null}
        isDisabled={state.disabled !== undefined}
        onChange={(id) => {
          ask(String(id))
          onSend(String(id))
        }}
      />
      <ControlNote id={noteId} {...state} difference={differenceOf(inWords(asked), inWords(reported))} />
    </Instrument>
  )
}
