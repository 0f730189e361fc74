import type { Reading } from '../../instruments/reading.ts'
import { group } from '../instrument-panel/arrange.tsx'
import type { Bound } from '../instrument-panel/bindings.ts'
import { commands, instrumentPanel, optional, reads } from '../instrument-panel/declare.ts'
import {
  actions,
  bars,
  choice,
  derived,
  gauge,
  lamp,
  level,
  number,
  register,
  registers,
  slider,
  state,
} from '../instrument-panel/nodes.tsx'
import { plot } from '../instrument-panel/over-time.tsx'
import { words } from './words.ts'

const DEGREES = { units: ['°C', '°F', 'K'] }
const SECONDS = { units: ['s', 'min'] }

export const ovenData = instrumentPanel({
  kind: 'oven-data',
  binds: {
    temperature: reads(/^(temperature|oven_temperature|chamber)$/, DEGREES),
    target: reads(/^(target|profile_temperature|set_?point)$/, DEGREES),
    board: optional(reads(/^(board_temperature|board)$/, DEGREES)),
    profile: optional(commands(/^profile$/, 'select')),
    start: optional(commands(/^start$/, 'button')),
    abort: optional(commands(/^(abort|stop)$/, 'button')),
    stage: reads(/^(stage|phase)$/),
    heater: optional(reads(/^heater$/, { units: ['%'] })),
    fan: optional(reads(/^fan$/, { units: ['%'] })),
    elapsed: optional(reads(/^elapsed$/, SECONDS)),
    aboveLiquidus: optional(reads(/^time_above_liquidus$/, SECONDS)),
  },
  view: (of) => [
    group(words.oven, choice(of.profile), actions(words.oven, [of.start], { stops: [of.abort] })),
    group(
      words.measured,
      state(of.stage, { info: ['preheat', 'soak', 'cool'], warning: ['reflow'] }),
      number(of.temperature),
      number(of.board),
    ),
    group(words.time, number(of.elapsed), number(of.aboveLiquidus)),
    group(words.output, level(of.heater), level(of.fan)),
    plot(words.profile, [of.target, of.temperature, of.board], { seconds: 480 }),
  ],
})

export const pressureTemperature = instrumentPanel({
  kind: 'pressure-temperature',
  binds: {
    pressure: reads(/^pressure$/, { units: ['kPa', 'hPa', 'Pa', 'bar'] }),
    temperature: reads(/temperature/, { deviceClass: 'temperature', ...DEGREES }),
    pump: optional(commands(/^pump$/, 'number')),
    valve: optional(commands(/^valve$/, 'number')),
    relief: optional(reads(/^relief$/, { platform: ['binary_sensor'] })),
  },
  view: (of) => [
    gauge(of.pressure),
    group(
      words.measured,
      number(of.temperature),
      derived(of.pressure, { label: words.altitude, unit: 'm', precision: 0, from: altitude }),
    ),
    group(words.output, slider(of.pump), slider(of.valve), lamp(of.relief, words.relief)),
    plot(words.pressure, [of.pressure, of.temperature], { seconds: 120 }),
  ],
})

/** hPa in one of the unit. */
const PRESSURES: Readonly<Record<string, number>> = { kPa: 10, hPa: 1, Pa: 0.01, bar: 1_000 }

/** From the lowest shore to where the formula ends. */
const LOWEST_M = -500
const HIGHEST_M = 11_000

/** Of the standard atmosphere above the sea, within which there is air to stand in: what a pump makes is no height. */
function altitude(value: Reading['value'], { unit = 'hPa' }: Bound): number | undefined {
  const factor = PRESSURES[unit]
  if (typeof value !== 'number' || factor === undefined || value <= 0) return undefined
  const meters = 44_330 * (1 - ((value * factor) / 1_013.25) ** 0.1903)
  return meters >= LOWEST_M && meters <= HIGHEST_M ? meters : undefined
}

export const chipData = instrumentPanel({
  kind: 'chip-data',
  binds: {
    registers: reads(/^registers$/),
    writable: optional(commands(/^(ctrl|clkdiv|reg)/, 'number')),
    reset: optional(commands(/^reset$/, 'button')),
    voltages: optional(reads(/^voltages?$/, { deviceClass: 'voltage' })),
    clock: optional(reads(/^clock$/, { deviceClass: 'frequency' })),
    temperature: optional(reads(/temperature/, { deviceClass: 'temperature' })),
  },
  view: (of) => [
    registers(of.registers),
    group(words.write, ...of.writable.map((each) => register(each)), actions(words.registers, [of.reset])),
    group(words.readingsOfChip, bars(of.voltages), number(of.clock), level(of.temperature)),
    plot(words.overTime, [of.voltages], { seconds: 60 }),
  ],
})

export const chipStatistics = instrumentPanel({
  kind: 'chip-statistics',
  binds: {
    load: reads(/^(load|cpu)$/, { units: ['%'], platform: ['sensor'] }),
    tasks: optional(reads(/^tasks$/)),
    memory: optional(reads(/^(memory|heap)$/, { deviceClass: 'data_size' })),
    errors: optional(reads(/^errors$/)),
    uptime: reads(/^uptime$/, { deviceClass: 'duration' }),
    temperature: optional(reads(/temperature/, { deviceClass: 'temperature' })),
    clock: optional(reads(/^clock$/, { deviceClass: 'frequency' })),
  },
  view: (of) => [
    gauge(of.load),
    group(words.tasks, bars(of.tasks), bars(of.memory)),
    group(
      words.readingsOfChip,
      number(of.errors),
      number(of.uptime),
      number(of.clock),
      number(of.temperature),
    ),
    plot(words.statistics, [of.load, of.memory], { seconds: 120 }),
  ],
})
