import { useId, useState } from 'react'
import { Slider as AriaSlider, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import { classes } from '../../components/classes.ts'
import { ControlNote, type ControlState, differenceOf, useAsked } from './control.tsx'
import { Instrument, Value } from './instrument.tsx'
import { formatNumber, formatQuantity, numberOf, type Reading } from './reading.ts'
import styles from './slider.module.css'
import { type Range, shareOf } from './zones.ts'

interface SliderProps extends ControlState {
  label: string
  /** What the device reports. */
  reading: Reading
  range: Range
  step?: number
  unit?: string
  precision?: number
  /** Once the thumb is let go, or with each press of a key. */
  onSend: (value: number) => void
}

/** Asks for a number. The thumb is what was asked for, the mark below it what the device reports. */
export function Slider({ label, reading, range, step = 1, unit, precision, onSend, ...state }: SliderProps) {
  const noteId = useId()
  const reported = numberOf(reading)
  const [asked, ask] = useAsked(reported, state.failed)
  const [dragged, setDragged] = useState<number>()
  const shown = dragged ?? asked ?? reported
  const inWords = (value: number | undefined) =>
    value === undefined ? undefined : formatQuantity(value, unit, precision)
  return (
    <Instrument label={label} reading={reading}>
      <Value unit={unit}>{shown === undefined ? undefined : formatNumber(shown, precision)}</Value>
      <AriaSlider
        aria-label={label}
        value={shown ?? range.min}
        minValue={range.min}
        maxValue={range.max}
        step={step}
        isDisabled={state.disabled !== undefined}
        onChange={setDragged}
        onChangeEnd={(value) => {
          setDragged(undefined)
          ask(value)
          onSend(value)
        }}
        className={classes(styles.slider)}
      >
        <SliderTrack className={classes(styles.track)}>
          <SliderThumb aria-label={label} aria-describedby={noteId} className={classes(styles.thumb)} />
          {reported !== undefined && (
            <span
              aria-hidden="true"
              className={styles.reported}
              style={{ insetInlineStart: `${shareOf(reported, range) * 100}%` }}
            />
          )}
        </SliderTrack>
      </AriaSlider>
      <div className={styles.ends} aria-hidden="true">
        <span>{formatQuantity(range.min, unit)}</span>
        <span>{formatQuantity(range.max, unit)}</span>
      </div>
      <ControlNote id={noteId} {...state} difference={differenceOf(inWords(asked), inWords(reported))} />
    </Instrument>
  )
}
