import { type ReactNode, useState } from 'react'
import { Actions } from '../../instruments/actions.tsx'
import { Bars } from '../../instruments/bars.tsx'
import { Choice } from '../../instruments/choice.tsx'
import { ColorPicker } from '../../instruments/color-picker.tsx'
import { DataTable } from '../../instruments/data-table.tsx'
import { Gauge } from '../../instruments/gauge.tsx'
import { Instrument } from '../../instruments/instrument.tsx'
import { Joystick } from '../../instruments/joystick.tsx'
import { Level } from '../../instruments/level.tsx'
import { NumberEntry } from '../../instruments/number-entry.tsx'
import { NumberReadout } from '../../instruments/number-readout.tsx'
import { numbersOf, type Reading } from '../../instruments/reading.ts'
import { Slider } from '../../instruments/slider.tsx'
import { type LampState, StatusLamp } from '../../instruments/status-lamp.tsx'
import { Toggle } from '../../instruments/toggle.tsx'
import type { Zone } from '../../instruments/zones.ts'
import type { Bound } from './bindings.ts'
import styles from './instrument-panel.module.css'
import { useControl, useReading } from './panel-context.ts'
import { isThere, type Part, quantityOf, single } from './parts.ts'
import { words } from './words.ts'

type Tones = Partial<Record<'ok' | 'warning' | 'danger' | 'info', readonly string[]>>

const FULL_RANGE = { min: 0, max: 100 }

export const number = single(function NumberNode({ of }: { of: Bound }) {
  return <NumberReadout {...quantityOf(of)} reading={useReading(of)} />
})

/** On an arc where the device says from where to where, otherwise as a number. */
export const gauge = single(function GaugeNode({ of, zones = [] }: { of: Bound; zones?: readonly Zone[] }) {
  const reading = useReading(of)
  if (of.range === undefined) return <NumberReadout {...quantityOf(of)} reading={reading} />
  return <Gauge {...quantityOf(of)} reading={reading} range={of.range} zones={zones} />
})

export const level = single(function LevelNode({ of, zones = [] }: { of: Bound; zones?: readonly Zone[] }) {
  return <Level {...quantityOf(of)} reading={useReading(of)} range={of.range ?? FULL_RANGE} zones={zones} />
})

export const bars = single(function BarsNode({
  of,
  zones = [],
  names = [],
}: {
  of: Bound
  zones?: readonly Zone[]
  names?: readonly string[]
}) {
  const reading = useReading(of)
  const most = Math.max(1, ...Object.values(numbersOf(reading)))
  return (
    <Bars
      {...quantityOf(of)}
      reading={reading}
      range={of.range ?? { min: 0, max: most }}
      zones={zones}
      names={names}
    />
  )
})

/** A state in words, with the tones of those that are not ordinary. */
export const state = single(function StateNode({ of, ...tones }: { of: Bound } & Tones) {
  const toneOf = (option: string): LampState['tone'] =>
    (['danger', 'warning', 'ok', 'info'] as const).find((tone) => tones[tone]?.includes(option)) ?? 'off'
  const states = of.options.map((option) => ({
    value: option,
    label: words.option(option),
    tone: toneOf(option),
  }))
  const reading = useReading(of)
  // Where nobody said which there are, none of them is an unknown one.
  if (states.length === 0) return <NumberReadout label={of.label} reading={reading} />
  return <StatusLamp label={of.label} reading={reading} states={states} />
})

/** Something that is so or not. */
export const lamp = single(function LampNode({
  of,
  on = words.lamp.on,
  off = words.lamp.off,
  tone = 'ok',
}: {
  of: Bound
  on?: string
  off?: string
  tone?: LampState['tone']
}) {
  const states: readonly LampState[] = [
    { value: true, label: on, tone },
    { value: false, label: off, tone: tone === 'danger' ? 'ok' : 'off' },
  ]
  return <StatusLamp label={of.label} reading={useReading(of)} states={states} />
})

export const toggle = single(function ToggleNode({
  of,
  onLabel,
  offLabel,
}: {
  of: Bound
  onLabel?: string
  offLabel?: string
}) {
  const reading = useReading(of)
  const { state: control, send } = useControl(of)
  return (
    <Toggle
      label={of.label}
      reading={reading}
      onSend={send}
      {...(onLabel !== undefined && { onLabel })}
      {...(offLabel !== undefined && { offLabel })}
      {...control}
    />
  )
})

export const slider = single(function SliderNode({ of }: { of: Bound }) {
  const reading = useReading(of)
  const { state: control, send } = useControl(of)
  return (
    <Slider
      {...quantityOf(of)}
      reading={reading}
      range={of.range ?? FULL_RANGE}
      {...(of.step !== undefined && { step: of.step })}
      onSend={send}
      {...control}
    />
  )
})

/** An exact number, for what nobody sets by eye. */
export const entry = single(function EntryNode({ of }: { of: Bound }) {
  const reading = useReading(of)
  const { state: control, send } = useControl(of)
  return (
    <NumberEntry
      {...quantityOf(of)}
      reading={reading}
      {...(of.range !== undefined && { range: of.range })}
      onSend={send}
      {...control}
    />
  )
})

export const choice = single(function ChoiceNode({ of }: { of: Bound }) {
  const reading = useReading(of)
  const { state: control, send } = useControl(of)
  const options = of.options.map((id) => ({ id, label: words.option(id) }))
  return <Choice label={of.label} reading={reading} options={options} onSend={send} {...control} />
})

/** All that a light can: on and off, brightness, color, color temperature, by what it reports. */
export const light = single(function LightNode({ of }: { of: Bound }) {
  const reading = useReading(of)
  const { state: control, send } = useControl({ ...of, wrap: (hex) => fromHex(String(hex)) })
  const members = numbersOf(reading)
  const isPlain = typeof reading.value === 'boolean'
  const of_ = (member: string): Bound => ({
    ...of,
    member,
    label: words.light.member(of.label, member),
    wrap: (value) => ({ [member]: value }),
  })
  const { r, g, b } = members
  const hex: Reading = {
    ...reading,
    value: r === undefined || g === undefined || b === undefined ? null : toHex([r, g, b]),
  }
  return (
    <div className={styles.group}>
      {isPlain ? toggle(of) : toggle(of_('on'))}
      {'brightness' in members &&
        slider({ ...of_('brightness'), range: { min: 0, max: 255 }, step: 1, precision: 0 })}
      {'color_temp' in members &&
        slider({ ...of_('color_temp'), range: WHITES, step: 50, unit: 'K', precision: 0 })}
      {hex.value !== null && (
        <ColorPicker label={words.light.member(of.label, 'color')} reading={hex} onSend={send} {...control} />
      )}
    </div>
  )
})

/** Of tunable lamps, in kelvins. */
const WHITES = { min: 2_200, max: 6_500 }

function toHex(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

function fromHex(hex: string): { r: number; g: number; b: number } {
  const all = Number.parseInt(hex.slice(1), 16)
  return { r: all >> 16, g: (all >> 8) & 255, b: all & 255 }
}

interface ActionsOptions {
  /** Which of them end something. */
  readonly stops?: readonly Part[]
}

/** Buttons of a device that are pressed once. */
export function actions(
  label: string,
  parts: readonly Part[],
  { stops = [] }: ActionsOptions = {},
): ReactNode {
  const all = [...parts, ...stops].filter(isThere)
  if (all.length === 0) return null
  return <ActionsNode label={label} parts={all} stops={stops.filter(isThere)} />
}

function ActionsNode({
  label,
  parts,
  stops,
}: {
  label: string
  parts: readonly Bound[]
  stops: readonly Bound[]
}) {
  return (
    <Controls of={parts}>
      {(controls) => (
        <Actions
          label={label}
          actions={parts.map((part, index) => ({
            id: part.address,
            name: part.label,
            isStop: stops.includes(part),
            onPress: () => controls[index]?.send(PRESS),
            ...controls[index]?.state,
          }))}
        />
      )}
    </Controls>
  )
}

/** As Home Assistant has it; devices that confirm take any value. */
const PRESS = 'PRESS'

/** Places to go to at once, such as both ends and the middle. */
export const goTo = single(function GoToNode({
  of,
  label,
  places,
}: {
  of: Bound
  label: string
  places: readonly { readonly name: string; readonly at: number }[]
}) {
  const { state: control, send } = useControl(of)
  return (
    <Actions
      label={label}
      actions={places.map(({ name, at }) => ({ id: name, name, onPress: () => send(at), ...control }))}
    />
  )
})

/** The controls of several channels, whose number does not change while they are shown. */
function Controls({
  of: [first, ...rest],
  before = [],
  children,
}: {
  of: readonly Bound[]
  before?: readonly ReturnType<typeof useControl>[]
  children: (controls: readonly ReturnType<typeof useControl>[]) => ReactNode
}): ReactNode {
  if (first === undefined) return children(before)
  return (
    <WithControl of={first}>
      {(control) => (
        <Controls of={rest} before={[...before, control]}>
          {children}
        </Controls>
      )}
    </WithControl>
  )
}

function WithControl({
  of,
  children,
}: {
  of: Bound
  children: (control: ReturnType<typeof useControl>) => ReactNode
}): ReactNode {
  return children(useControl(of))
}

/** Two channels that are moved together, and go back to 0 when they are let go. */
export function joystick(label: string, x: Part, y: Part): ReactNode {
  if (x === undefined || y === undefined) return null
  return <JoystickNode label={label} x={x} y={y} />
}

function JoystickNode({ label, x, y }: { label: string; x: Bound; y: Bound }) {
  const [across, along] = [useControl(x), useControl(y)]
  const [sent, setSent] = useState({ x: 0, y: 0 })
  const disabled = across.state.disabled ?? along.state.disabled
  const failed = across.state.failed ?? along.state.failed
  return (
    <Joystick
      label={label}
      everyMs={100}
      onSend={(next) => {
        if (next.x !== sent.x) across.send(next.x * (x.range?.max ?? 1))
        if (next.y !== sent.y) along.send(next.y * (y.range?.max ?? 1))
        setSent(next)
      }}
      {...(disabled !== undefined && { disabled })}
      {...(failed !== undefined && { failed })}
    />
  )
}

interface DerivedProps {
  of: Bound
  label: string
  unit?: string
  precision?: number
  /** `undefined` where nothing follows from the value. */
  from: (value: Reading['value'], of: Bound) => number | string | undefined
}

/** What follows from a value, such as a height from a pressure. */
export const derived = single(function DerivedNode({ of, from, ...about }: DerivedProps) {
  const reading = useReading(of)
  const value = reading.value === null ? undefined : from(reading.value, of)
  return <NumberReadout {...about} reading={{ ...reading, value: value ?? null }} />
})

/** The color that something has, and its number. */
export const swatch = single(function SwatchNode({ of }: { of: Bound }) {
  const reading = useReading(of)
  const { r = 0, g = 0, b = 0 } = numbersOf(reading)
  const hex = toHex([r, g, b])
  return (
    <Instrument label={of.label} reading={reading}>
      <span className={styles.swatch}>
        <span aria-hidden="true" style={{ backgroundColor: hex }} />
        {hex}
      </span>
    </Instrument>
  )
})

/** A pin: switched while it is an output, shown while it is an input. */
export const pin = single(function PinNode({ of, direction }: { of: Bound; direction?: Bound | undefined }) {
  const reading = useReading(of)
  const isInput = useReading(direction ?? of).value === 'input'
  if (!isInput) return toggle(of, words.pin)
  const states: readonly LampState[] = [
    { value: true, label: words.pin.onLabel, tone: 'ok' },
    { value: false, label: words.pin.offLabel, tone: 'off' },
  ]
  return <StatusLamp label={of.label} reading={reading} states={states} />
})

/** The registers of a chip, in hex and binary. */
export const registers = single(function RegistersNode({ of }: { of: Bound }) {
  const reading = useReading(of)
  const all = Object.entries(numbersOf(reading))
  return (
    <DataTable
      label={of.label}
      rows={all.map(([name, value]) => ({
        id: name,
        name,
        reading: { ...reading, value: words.register(value) },
      }))}
    />
  )
})

/**
 * A register that is written. Where its title names its bits, as in `CTRL: enable, turbo`, each is a switch; otherwise it
 * is a number.
 */
export const register = single(function RegisterNode({ of }: { of: Bound }) {
  const reading = useReading(of)
  const { state: control, send } = useControl(of)
  const [name = of.label, bits] = of.label.split(': ')
  const value = reading.value
  if (bits === undefined || typeof value !== 'number') return entry(of)
  return (
    <div className={styles.group}>
      {bits.split(', ').map((bit, index) => (
        <Toggle
          key={bit}
          label={words.bit(name, bit)}
          reading={{ ...reading, value: (value & (1 << index)) !== 0 }}
          onSend={(isOn) => send(isOn ? value | (1 << index) : value & ~(1 << index))}
          {...control}
        />
      ))}
    </div>
  )
})
