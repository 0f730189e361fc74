import { useId, useState } from 'react'
import {
  type Color,
  ColorSlider,
  ColorThumb,
  parseColor,
  SliderTrack,
} from 'react-aria-components/ColorSlider'
import { classes } from '../../components/classes.ts'
import { TextField } from '../../components/text-field.tsx'
import styles from './color-picker.module.css'
import { ControlNote, type ControlState, differenceOf, useAsked } from './control.tsx'
import { Instrument } from './instrument.tsx'
import type { Reading } from './reading.ts'
import { words } from './words.ts'

interface ColorPickerProps extends ControlState {
  label: string
  /** What the device reports, such as `#FF8800`. */
  reading: Reading
  onSend: (hex: string) => void
}

const HEX = /^#?([\da-f]{6})$/i
const CHANNELS = ['hue', 'saturation', 'brightness'] as const

/** A color, by its digits or by hue, saturation and brightness. It is sent when a slider is let go, or with Enter. */
export function ColorPicker({ label, reading, onSend, ...state }: ColorPickerProps) {
  const noteId = useId()
  const reported =
    reading.state !== 'none' && typeof reading.value === 'string' ? toHex(reading.value) : undefined
  const [asked, ask] = useAsked(reported, state.failed)
  // Kept as it was chosen: gray has no hue, and a thumb would jump to red.
  const [chosen, setChosen] = useState<Color>()
  const [typed, setTyped] = useState<string>()
  const [isDragging, setDragging] = useState(false)
  const shownHex = asked ?? reported
  const isChosenShown = chosen !== undefined && (isDragging || toHex(chosen.toString('hex')) === shownHex)
  const color = isChosenShown ? chosen : parseColor(shownHex ?? '#000000').toFormat('hsb')
  const hex = isDragging ? toHex(color.toString('hex')) : shownHex
  const isDisabled = state.disabled !== undefined

  const send = (next: string) => {
    setTyped(undefined)
    ask(next)
    onSend(next)
  }
  const commit = () => {
    const next = typed === undefined ? undefined : toHex(typed)
    if (next !== undefined && next !== shownHex) send(next)
    else if (next !== undefined) setTyped(undefined)
  }
  return (
    <Instrument label={label} reading={reading}>
      <div className={styles.picker}>
        <div className={styles.top}>
          <span
            aria-hidden="true"
            className={styles.swatch}
            data-empty={hex === undefined}
            style={hex === undefined ? {} : { backgroundColor: hex }}
          />
          <TextField
            label={words.color.hex}
            value={typed ?? hex ?? ''}
            placeholder={words.dash}
            isMono
            isDisabled={isDisabled}
            aria-describedby={noteId}
            errorMessage={typed === undefined || toHex(typed) !== undefined ? undefined : words.color.invalid}
            onChange={setTyped}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit()
              else if (event.key === 'Escape' && typed !== undefined) setTyped(undefined)
              else event.continuePropagation()
            }}
          />
        </div>
        {CHANNELS.map((channel) => (
          <ColorSlider
            key={channel}
            channel={channel}
            aria-label={words.color[channel]}
            value={color}
            isDisabled={isDisabled}
            onChange={(next) => {
              setDragging(true)
              setChosen(next)
            }}
            onChangeEnd={(next) => {
              setDragging(false)
              setChosen(next)
              const to = toHex(next.toString('hex'))
              if (to !== undefined) send(to)
            }}
            className={classes(styles.slider)}
          >
            <span aria-hidden="true" className={styles.name}>
              {words.color[channel]}
            </span>
            <SliderTrack className={classes(styles.track)}>
              <ColorThumb className={classes(styles.thumb)} />
            </SliderTrack>
          </ColorSlider>
        ))}
      </div>
      <ControlNote id={noteId} {...state} difference={differenceOf(asked, reported)} />
    </Instrument>
  )
}

function toHex(text: string): string | undefined {
  const digits = HEX.exec(text.trim())?.[1]
  return digits === undefined ? undefined : `#${digits.toUpperCase()}`
}
