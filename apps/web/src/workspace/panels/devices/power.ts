import { numbersOf, type Reading } from '../../instruments/reading.ts'
import { group } from '../instrument-panel/arrange.tsx'
import { commands, instrumentPanel, optional, reads } from '../instrument-panel/declare.ts'
import {
  actions,
  bars,
  choice,
  derived,
  lamp,
  level,
  number,
  pin,
  slider,
  state,
  toggle,
} from '../instrument-panel/nodes.tsx'
import { plot } from '../instrument-panel/over-time.tsx'
import { inSequence } from '../instrument-panel/sequences.tsx'
import { words } from './words.ts'

export const workcellPower = instrumentPanel({
  kind: 'workcell-power',
  binds: {
    outlets: commands(/^(outlet|relay|switch|socket)/, 'switch', { deviceClass: 'outlet' }),
    currents: optional(reads(/^current_\d+$/, { units: ['A', 'mA'] })),
    allOff: optional(commands(/^all_off$/, 'button')),
    limit: optional(commands(/^limit$/, 'number', { units: ['A'] })),
    reset: optional(commands(/^reset$/, 'button')),
    tripped: optional(reads(/^tripped$/, { platform: ['binary_sensor'] })),
    current: optional(reads(/^(current|total_current)$/, { units: ['A', 'mA'] })),
    voltage: optional(reads(/^voltage$/, { deviceClass: 'voltage' })),
    power: optional(reads(/^power$/, { deviceClass: 'power' })),
    energy: optional(reads(/^energy$/, { deviceClass: 'energy' })),
  },
  view: (of) => [
    ...of.outlets.map((outlet, index) => group(outlet.label, toggle(outlet), number(of.currents[index]))),
    group(words.all, inSequence(of.outlets), actions(words.all, [], { stops: [of.allOff] })),
    group(
      words.breaker,
      lamp(of.tripped, words.tripped),
      slider(of.limit),
      actions(words.breaker, [of.reset]),
    ),
    group(words.supply, level(of.current), number(of.voltage), number(of.power), number(of.energy)),
    plot(words.currents, [...of.currents, of.current], { seconds: 60, limits: [of.limit] }),
  ],
})

export const batteryCharger = instrumentPanel({
  kind: 'battery-charger',
  binds: {
    phase: reads(/^(phase|stage|charge_state)$/, { platform: ['sensor'] }),
    start: optional(commands(/^start$/, 'button', { deviceClass: 'power_supply' })),
    stop: optional(commands(/^stop$/, 'button')),
    changePack: optional(commands(/^change_pack$/, 'button')),
    chargeCurrent: optional(commands(/^(charge_current|current_set)$/, 'number', { units: ['A', 'mA'] })),
    voltage: optional(reads(/^voltage$/, { units: ['V'] })),
    cells: optional(reads(/^cells?$/, { units: ['V'] })),
    current: optional(reads(/^current$/, { units: ['A', 'mA'] })),
    charge: reads(/^(state_of_charge|charge|soc)$/, { deviceClass: 'battery', units: ['%'] }),
    charged: optional(reads(/^(charged|capacity)$/, { units: ['mAh', 'Ah'] })),
    temperature: optional(reads(/temperature/, { deviceClass: 'temperature' })),
    elapsed: optional(reads(/^elapsed$/, { deviceClass: 'duration' })),
  },
  view: (of) => [
    group(
      words.charger,
      state(of.phase, { ok: ['full'], info: ['constant_current', 'constant_voltage'], danger: ['too_hot'] }),
      level(of.charge, { zones: words.battery }),
      actions(words.charger, [of.start, of.changePack], { stops: [of.stop] }),
      slider(of.chargeCurrent),
    ),
    group(
      words.cells,
      bars(of.cells),
      derived(of.cells, { label: words.spread, unit: 'V', precision: 3, from: spread }),
      number(of.voltage),
    ),
    group(words.measured, number(of.current), number(of.charged), level(of.temperature), number(of.elapsed)),
    plot(words.charging, [of.current, of.voltage], { seconds: 300 }),
  ],
})

export const gpioControl = instrumentPanel({
  kind: 'gpio-control',
  binds: {
    pins: commands(/^(pin|gpio|d)_?\d+$/i, 'switch'),
    directions: optional(commands(/^(direction|mode)_\d+$/, 'select')),
    edges: optional(reads(/^edges$/)),
    pwm: optional(commands(/^pwm$/, 'switch')),
    pwmDuty: optional(commands(/^pwm_duty$/, 'number')),
    pwmFrequency: optional(commands(/^pwm_frequency$/, 'number')),
    analog: optional(reads(/^(adc|analog|a)_?\d+$/i, { units: ['V', 'mV', ''] })),
  },
  view: (of) => [
    ...of.pins.map((each, index) =>
      group(each.label, pin(each, { direction: of.directions[index] }), choice(of.directions[index])),
    ),
    group(words.pwm, toggle(of.pwm), slider(of.pwmDuty), slider(of.pwmFrequency)),
    // A count has no end: the greatest of them is the whole bar.
    bars(of.edges && { ...of.edges, range: undefined }, { names: of.pins.map(({ label }) => label) }),
    group(words.analog, ...of.analog.map((input) => level(input))),
    plot(words.analog, of.analog, { seconds: 30 }),
  ],
})

/** Between the fullest and the emptiest: what a pack that ages shows first. */
function spread(value: Reading['value']): number | undefined {
  const all = Object.values(numbersOf({ value, at: 0, state: 'live' }))
  return all.length === 0 ? undefined : Math.max(...all) - Math.min(...all)
}
