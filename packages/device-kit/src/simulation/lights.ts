import { type Design, kept, type LightChange } from './engine.ts'
import { approach } from './numbers.ts'

interface Color {
  r: number
  g: number
  b: number
}

interface Led {
  light: Color & { on: boolean; brightness: number }
  effect: string
  speed: number
  /** Of the effect, in turns. */
  phase: number
}

const BLACK: Color = { r: 0, g: 0, b: 0 }

/** How bright the effect is at a phase, from 0 to 1. */
const EFFECTS: Readonly<Record<string, (phase: number) => number>> = {
  solid: () => 1,
  blink: (phase) => (phase % 1 < 0.5 ? 1 : 0),
  breathe: (phase) => 0.5 - 0.5 * Math.cos(2 * Math.PI * phase),
  rainbow: () => 1,
}

/** A full color of the circle. */
function hue(turns: number): Color {
  const part = (shift: number) => 255 * (0.5 + 0.5 * Math.cos(2 * Math.PI * (turns - shift)))
  return { r: part(0), g: part(1 / 3), b: part(2 / 3) }
}

function shining({ light, effect, phase }: Led): Color {
  if (!light.on) return BLACK
  const { r, g, b } = effect === 'rainbow' ? hue(phase) : light
  const dimmed = (light.brightness / 255) * (EFFECTS[effect]?.(phase) ?? 1)
  return { r: r * dimmed, g: g * dimmed, b: b * dimmed }
}

export const led: Design<Led> = {
  name: 'led',
  title: 'LED',
  model: 'RGB LED',
  start: () => ({
    light: { on: true, brightness: 180, r: 255, g: 120, b: 20 },
    effect: 'solid',
    speed: 0.5,
    phase: 0,
  }),
  step(state, { dt }) {
    state.phase = (state.phase + state.speed * dt) % 1
  },
  // It neither moves nor heats, and may be what says that the bench is stopped.
  stop: () => undefined,
  channels: {
    light: {
      platform: 'light',
      name: 'Light',
      members: ['brightness', 'r', 'g', 'b'],
      step: 1,
      read: ({ light }) => ({ ...light }),
      write(state, change) {
        Object.assign(state.light, change)
      },
    },
    effect: {
      platform: 'select',
      name: 'Effect',
      options: Object.keys(EFFECTS),
      read: ({ effect }) => effect,
      write(state, value) {
        state.effect = value
        state.phase = 0
      },
    },
    effect_speed: {
      platform: 'number',
      name: 'Effect speed',
      device_class: 'frequency',
      unit_of_measurement: 'Hz',
      min: 0.1,
      max: 5,
      step: 0.1,
      ...kept('speed'),
    },
    output: {
      name: 'As it shines',
      min: 0,
      max: 255,
      step: 1,
      read: (state) => ({ ...shining(state) }),
    },
    current: {
      name: 'Current',
      device_class: 'current',
      unit_of_measurement: 'mA',
      min: 0,
      max: 70,
      step: 0.1,
      read(state) {
        const { r, g, b } = shining(state)
        return 1 + ((r + g + b) / 255) * 20
      },
    },
  },
}

interface Zone {
  on: boolean
  brightness: number
  color_temp: number
  /** What it shines with while it fades. */
  level: number
}

interface Lights {
  zones: readonly [Zone, Zone, Zone]
  scene: string
  fade: number
}

/** By zone, as of 255. */
const SCENES: Readonly<Record<string, { readonly levels: readonly number[]; readonly color_temp: number }>> =
  {
    off: { levels: [0, 0, 0], color_temp: 4_000 },
    work: { levels: [220, 255, 180], color_temp: 4_500 },
    inspection: { levels: [255, 255, 255], color_temp: 6_500 },
    evening: { levels: [60, 30, 90], color_temp: 2_700 },
  }
const CUSTOM = 'custom'
const WATTS = [18, 24, 12]
const LUX = [220, 310, 140]

const total = ({ zones }: Lights, each: readonly number[]) =>
  zones.reduce((sum, { level }, index) => sum + (level / 255) * (each[index] ?? 0), 0)

const zone = (index: 0 | 1 | 2) =>
  ({
    platform: 'light',
    members: ['brightness', 'color_temp'],
    step: 1,
    read({ zones }: Lights) {
      const { on, brightness, color_temp } = zones[index]
      return { on, brightness, color_temp }
    },
    write(state: Lights, change: LightChange) {
      Object.assign(state.zones[index], change)
      state.scene = CUSTOM
    },
  }) as const

export const lights: Design<Lights> = {
  name: 'lights',
  title: 'Lights',
  model: 'Three zones, tunable white',
  start: () => ({
    zones: [
      { on: true, brightness: 200, color_temp: 4_000, level: 200 },
      { on: true, brightness: 120, color_temp: 4_000, level: 120 },
      { on: false, brightness: 255, color_temp: 4_000, level: 0 },
    ],
    scene: CUSTOM,
    fade: 0.5,
  }),
  step({ zones, fade }, { dt }) {
    for (const each of zones) each.level = approach(each.level, each.on ? each.brightness : 0, fade, dt)
  },
  // People leave a stopped bench more safely in light.
  stop: () => undefined,
  channels: {
    bench: { name: 'Bench', ...zone(0) },
    ceiling: { name: 'Ceiling', ...zone(1) },
    shelf: { name: 'Shelf', ...zone(2) },
    scene: {
      platform: 'select',
      name: 'Scene',
      options: [...Object.keys(SCENES), CUSTOM],
      read: ({ scene }) => scene,
      write(state, value) {
        state.scene = value
        const scene = SCENES[value]
        if (scene === undefined) return
        for (const [index, each] of state.zones.entries()) {
          const level = scene.levels[index] ?? 0
          each.on = level > 0
          each.color_temp = scene.color_temp
          if (level > 0) each.brightness = level
        }
      },
    },
    fade: {
      platform: 'number',
      name: 'Fade',
      device_class: 'duration',
      unit_of_measurement: 's',
      min: 0.1,
      max: 5,
      step: 0.1,
      ...kept('fade'),
    },
    levels: {
      name: 'Levels',
      min: 0,
      max: 255,
      step: 1,
      read: ({ zones }) => zones.map(({ level }) => level),
    },
    illuminance: {
      name: 'Illuminance',
      device_class: 'illuminance',
      unit_of_measurement: 'lx',
      min: 0,
      max: 1_000,
      step: 1,
      read: (state, noise) => 8 + total(state, LUX) + noise(2),
    },
    power: {
      name: 'Power',
      device_class: 'power',
      unit_of_measurement: 'W',
      min: 0,
      max: 60,
      step: 0.1,
      read: (state) => 0.5 + total(state, WATTS),
    },
  },
}
