import { group, more } from '../instrument-panel/arrange.tsx'
import { commands, instrumentPanel, optional, reads } from '../instrument-panel/declare.ts'
import {
  choice,
  gauge,
  goTo,
  lamp,
  level,
  number,
  slider,
  state,
  toggle,
} from '../instrument-panel/nodes.tsx'
import { plot } from '../instrument-panel/over-time.tsx'
import { sweep } from '../instrument-panel/sequences.tsx'
import { words } from './words.ts'

const TEMPERATURE = [
  { from: 60, to: 80, tone: 'warning' },
  { from: 80, to: 1_000, tone: 'danger' },
] as const

export const motorControl = instrumentPanel({
  kind: 'motor-control',
  binds: {
    target: commands(/^(target|set_?point|speed_set|target_speed)$/, 'number', {
      units: ['rpm', 'rad/s', '1/s', '%', ''],
    }),
    direction: optional(commands(/^direction$/, 'select')),
    brake: optional(commands(/^brake$/, 'switch')),
    speed: reads(/^(speed|velocity|rpm)$/, { units: ['rpm', 'rad/s', '1/s', '%', ''] }),
    current: optional(reads(/^current$/, { deviceClass: 'current' })),
    power: optional(reads(/^power$/, { deviceClass: 'power' })),
    temperature: optional(reads(/temperature|winding/, { deviceClass: 'temperature' })),
    state: optional(reads(/^(state|mode)$/, { deviceClass: 'enum' })),
    acceleration: optional(commands(/^(acceleration|ramp)$/, 'number')),
    currentLimit: optional(commands(/^current_limit$/, 'number')),
    load: optional(commands(/^load$/, 'number')),
  },
  view: (of) => [
    group(
      words.drive,
      slider(of.target),
      goTo(of.target, words.standstill),
      choice(of.direction),
      toggle(of.brake),
    ),
    group(
      words.measured,
      gauge(of.speed),
      state(of.state, { ok: ['running'], warning: ['braked'], danger: ['overheated'] }),
    ),
    group(words.strain, level(of.current), number(of.power), level(of.temperature, { zones: TEMPERATURE })),
    plot(words.setAndActual, [of.target, of.speed], { seconds: 30 }),
    more(words.limits, slider(of.acceleration), slider(of.currentLimit), slider(of.load)),
    more(words.strain, plot(words.strain, [of.current, of.power], { limits: [of.currentLimit] })),
  ],
})

export const servoControl = instrumentPanel({
  kind: 'servo-control',
  binds: {
    target: commands(/^(target|angle|position|goal)/, 'number', {
      deviceClass: 'servo',
      units: ['°', 'deg', 'rad', 'µs'],
    }),
    position: reads(/^(angle|position|present_position)$/, { units: ['°', 'deg', 'rad', 'µs'] }),
    enabled: optional(commands(/^(torque_enabled|enabled|torque|power)$/, 'switch')),
    speed: optional(commands(/^(slew_rate|speed|velocity)/, 'number')),
    torque: optional(reads(/^(torque|load)$/, { deviceClass: 'torque' })),
    temperature: optional(reads(/temperature/, { deviceClass: 'temperature' })),
    moving: optional(reads(/^moving$/, { deviceClass: 'moving' })),
  },
  view: (of) => [
    group(
      words.angle,
      toggle(of.enabled),
      slider(of.target),
      goTo(of.target, words.ends(of.target?.range)),
      slider(of.speed),
    ),
    group(words.measured, gauge(of.position), lamp(of.moving, words.moving)),
    group(words.strain, number(of.torque), level(of.temperature, { zones: TEMPERATURE }), sweep(of.target)),
    plot(words.setAndActual, [of.target, of.position], { seconds: 30 }),
  ],
})
