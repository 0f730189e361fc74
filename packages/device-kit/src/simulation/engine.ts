import type { DeviceScalar, DeviceValue } from '@patchbay/contracts/devices'
import { commandFault } from '../command.ts'
import { type ChannelBinding, readInfo } from '../info.ts'
import { clamp, generator, mix, type Random } from './numbers.ts'
import { WORDS } from './words.ts'

export interface SimulatedDevice {
  readonly name: string
  /** What it says in `$info`. */
  readonly info: object
  /** Lets time pass. */
  step(dtSeconds: number): void
  /** By channel, now. Buttons have none. */
  values(): Readonly<Record<string, DeviceValue>>
  command(channel: string, value: DeviceValue): CommandOutcome
  /** Emergency stop: what moves comes to rest, what heats cools, and no command is taken until `release`. */
  stop(): void
  release(): void
}

export interface CommandOutcome {
  readonly status: 'done' | 'refused'
  readonly message?: string
}

/** An even spread around nothing, as far as `amplitude` either way; the same until the next step. */
export type Noise = (amplitude: number) => number

export interface Moment {
  readonly dt: number
  readonly random: Random
  readonly isStopped: boolean
}

/** As in `$info`. `step` is the resolution of its numbers, `min` and `max` where they saturate. */
interface Component {
  readonly name: string
  readonly device_class?: string
  readonly unit_of_measurement?: string
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly options?: readonly string[]
  /** It moves, heats or powers something. */
  readonly guarded?: boolean
  readonly idempotent?: boolean
  readonly expire_after?: number
}

export const LIGHT_RANGES = {
  brightness: [0, 255],
  r: [0, 255],
  g: [0, 255],
  b: [0, 255],
  color_temp: [2_200, 6_500],
} as const
export type LightMember = keyof typeof LIGHT_RANGES
export type LightChange = Partial<Record<LightMember, number>> & { on?: boolean }

type Read<State> = (state: State, noise: Noise) => DeviceValue
/** Text: why the device does not do it. */
type Write<State, Value> = (state: State, value: Value) => string | void

export type Channel<State> = Component &
  (
    | { readonly platform?: 'sensor' | 'binary_sensor'; readonly read: Read<State> }
    | {
        readonly platform: 'number'
        readonly min: number
        readonly max: number
        readonly step: number
        readonly read: Read<State>
        readonly write: Write<State, number>
      }
    | { readonly platform: 'switch'; readonly read: Read<State>; readonly write: Write<State, boolean> }
    | {
        readonly platform: 'select'
        readonly options: readonly string[]
        readonly read: Read<State>
        readonly write: Write<State, string>
      }
    | {
        readonly platform: 'light'
        readonly members: readonly LightMember[]
        readonly read: Read<State>
        readonly write: Write<State, LightChange>
      }
    | { readonly platform: 'button'; readonly write: (state: State) => string | void }
  )

/** A device as data: what it says of itself, what it is at first, and how it goes on. */
export interface Design<State> {
  readonly name: string
  readonly title: string
  readonly model: string
  readonly channels: Readonly<Record<string, Channel<State>>>
  start(random: Random): State
  step(state: State, moment: Moment): void
  stop(state: State): void
}

/** Longer steps are made of these: equations hold for short ones alone. */
const LONGEST_STEP = 0.05
/** Of a page that slept: what was longer ago is of no interest. */
const LONGEST_PAUSE = 3_600
/** Less than this is no time: one long step would have more noise than the short ones that it stands for. */
const ROUNDING = 1e-9
const MEASUREMENT_EXPIRES = 5
const SETTING_EXPIRES = 60

export function simulate<State>(design: Design<State>, seed: number): SimulatedDevice {
  const random = generator(seed)
  const state = design.start(random)
  const info = describe(design)
  const bindings = new Map(readInfo(JSON.stringify(info))?.channels.map((each) => [each.name, each]))
  let isStopped = false
  let steps = 0

  return {
    name: design.name,
    info,
    step(dtSeconds) {
      for (const dt of shortSteps(dtSeconds)) {
        design.step(state, { dt, random, isStopped })
        steps += 1
      }
    },
    values() {
      const draw = generator(mix(seed, steps))
      const noise: Noise = (amplitude) => (draw() * 2 - 1) * amplitude
      const values: Record<string, DeviceValue> = {}
      for (const [name, channel] of Object.entries(design.channels))
        if (channel.platform !== 'button') values[name] = reading(channel, channel.read(state, noise))
      return values
    },
    command(name, value) {
      const channel = design.channels[name]
      const binding = bindings.get(name)
      const refusal = isStopped
        ? WORDS.stopped
        : channel === undefined || binding === undefined
          ? WORDS.noChannel
          : (faultOf(binding, value) ?? carryOut(channel, state, value))
      return refusal === undefined ? { status: 'done' } : { status: 'refused', message: refusal }
    },
    stop() {
      isStopped = true
      design.stop(state)
    },
    release() {
      isStopped = false
    },
  }
}

function* shortSteps(seconds: number): Iterable<number> {
  const all = seconds > 0 ? Math.min(seconds, LONGEST_PAUSE) : 0
  const count = Math.floor(all / LONGEST_STEP + ROUNDING)
  for (let index = 0; index < count; index += 1) yield LONGEST_STEP
  const rest = all - count * LONGEST_STEP
  if (rest > ROUNDING) yield rest
}

function describe<State>({ name, title, model, channels }: Design<State>): object {
  const components = Object.entries(channels).map(([channel, given]) => {
    const { read: _read, write, ...component } = { read: undefined, write: undefined, ...given }
    const told =
      write === undefined
        ? { expire_after: MEASUREMENT_EXPIRES }
        : {
            command_topic: `${channel}/set`,
            guarded: false,
            idempotent: given.platform !== 'button',
            expire_after: SETTING_EXPIRES,
          }
    return [channel, { platform: 'sensor', ...told, ...component }]
  })
  return {
    device: { identifiers: [name], name: title, manufacturer: 'Patchbay', model, sw_version: '1.0.0' },
    origin: { name: 'Patchbay simulation' },
    components: Object.fromEntries(components),
  }
}

function faultOf(binding: ChannelBinding, value: DeviceValue): string | undefined {
  if (!binding.takesCommands) return WORDS.readOnly(binding.title)
  if (typeof value === 'number' && !Number.isFinite(value)) return WORDS.notFinite(binding.title)
  return commandFault(binding, value)
}

/** Text: why the light does not take it. */
function readLight(members: readonly LightMember[], value: DeviceValue): LightChange | string {
  if (typeof value === 'boolean') return { on: value }
  if (typeof value !== 'object' || value === null || isList(value)) return WORDS.light(members)
  const change: LightChange = {}
  for (const [name, wanted] of Object.entries(value)) {
    const member = members.find((each) => each === name)
    if (name === 'on' && typeof wanted === 'boolean') change.on = wanted
    else if (member !== undefined && typeof wanted === 'number') {
      const [min, max] = LIGHT_RANGES[member]
      if (!(wanted >= min && wanted <= max)) return WORDS.range(member, min, max)
      change[member] = wanted
    } else return WORDS.light(members)
  }
  return change
}

/** A value of another kind than the platform takes was refused before. */
function carryOut<State>(channel: Channel<State>, state: State, value: DeviceValue): string | undefined {
  const { platform } = channel
  if (platform === 'button') return channel.write(state) ?? undefined
  if (platform === 'number' && typeof value === 'number') return channel.write(state, value) ?? undefined
  if (platform === 'switch' && typeof value === 'boolean') return channel.write(state, value) ?? undefined
  if (platform === 'select' && typeof value === 'string') return channel.write(state, value) ?? undefined
  if (platform === 'light') {
    const change = readLight(channel.members, value)
    return typeof change === 'string' ? change : (channel.write(state, change) ?? undefined)
  }
  return undefined
}

/** Saturated and rounded, each number of it. */
function reading(component: Component, value: DeviceValue): DeviceValue {
  if (typeof value !== 'object' || value === null) return scalar(component, value)
  if (isList(value)) return value.map((each) => scalar(component, each))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, scalar(component, each)]))
}

const isList = (value: object): value is readonly DeviceScalar[] => Array.isArray(value)

function scalar({ min, max, step = 0.001 }: Component, value: DeviceScalar): DeviceScalar {
  if (typeof value !== 'number') return value
  const held = clamp(value, min ?? value, max ?? value)
  const digits = Math.max(0, Math.ceil(-Math.log10(step)))
  // Adding nothing makes 0 of -0, which JSON does not have.
  return Number((Math.round(held / step) * step).toFixed(digits)) + 0
}

/** Of a number that is kept as it is told. */
export function kept<Key extends string>(key: Key) {
  return {
    read: (state: Readonly<Record<Key, number>>) => state[key],
    write(state: Record<Key, number>, value: number) {
      state[key] = value
    },
  }
}
