import { type Design, kept } from './engine.ts'
import { approach, clamp, wander } from './numbers.ts'
import { WORDS } from './words.ts'

const AMBIENT = 24

type Stage = 'preheat' | 'soak' | 'reflow' | 'cool'
const STAGES = ['idle', 'preheat', 'soak', 'reflow', 'cool'] as const

interface Profile {
  /** °C at the end of each stage, and seconds that it takes. */
  readonly stages: readonly { readonly stage: Stage; readonly to: number; readonly seconds: number }[]
  readonly liquidus: number
}

const PROFILES: Readonly<Record<string, Profile>> = {
  'lead-free': {
    stages: [
      { stage: 'preheat', to: 150, seconds: 90 },
      { stage: 'soak', to: 180, seconds: 80 },
      { stage: 'reflow', to: 245, seconds: 45 },
      { stage: 'reflow', to: 245, seconds: 15 },
      { stage: 'cool', to: 60, seconds: 180 },
    ],
    liquidus: 217,
  },
  leaded: {
    stages: [
      { stage: 'preheat', to: 130, seconds: 80 },
      { stage: 'soak', to: 160, seconds: 80 },
      { stage: 'reflow', to: 220, seconds: 45 },
      { stage: 'reflow', to: 220, seconds: 10 },
      { stage: 'cool', to: 60, seconds: 160 },
    ],
    liquidus: 183,
  },
  'low-temperature': {
    stages: [
      { stage: 'preheat', to: 90, seconds: 70 },
      { stage: 'soak', to: 120, seconds: 80 },
      { stage: 'reflow', to: 165, seconds: 40 },
      { stage: 'reflow', to: 165, seconds: 10 },
      { stage: 'cool', to: 60, seconds: 120 },
    ],
    liquidus: 138,
  },
}
const FIRST_PROFILE = 'lead-free'

/** °C/s of a full heater; seconds in which the oven, with and without its fan, and the board lose what they have. */
const OVEN = { heating: 4, elementLag: 4, closed: 220, fan: 40, boardLag: 8, coolEnough: 60, fanUntil: 45 }

interface Oven {
  profile: string
  isRunning: boolean
  elapsed: number
  /** °C of the chamber when the profile began. */
  from: number
  stage: (typeof STAGES)[number]
  target: number
  temperature: number
  board: number
  heater: number
  element: number
  integral: number
  fan: number
  aboveLiquidus: number
}

const profileOf = ({ profile }: Oven): Profile => {
  const found = PROFILES[profile]
  if (found === undefined) throw new Error(`no profile ${profile}`)
  return found
}

/** Where the profile is after so many seconds. `undefined`: it is over. */
function pointAt({ stages }: Profile, from: number, elapsed: number) {
  let began = 0
  let last = from
  for (const { stage, to, seconds } of stages) {
    if (elapsed < began + seconds)
      return {
        stage,
        target: last + (to - last) * ((elapsed - began) / seconds),
        slope: (to - last) / seconds,
      }
    began += seconds
    last = to
  }
  return undefined
}

const heaterOff = (state: Oven) => {
  Object.assign(state, { isRunning: false, heater: 0, integral: 0, target: 0, stage: 'idle' })
}

export const oven: Design<Oven> = {
  name: 'oven',
  title: 'Oven',
  model: 'Reflow oven 1.5 kW',
  start: () => ({
    profile: FIRST_PROFILE,
    isRunning: false,
    elapsed: 0,
    from: AMBIENT,
    stage: 'idle',
    target: 0,
    temperature: AMBIENT,
    board: AMBIENT,
    heater: 0,
    element: 0,
    integral: 0,
    fan: 0,
    aboveLiquidus: 0,
  }),
  step(state, { dt }) {
    const profile = profileOf(state)
    const point = state.isRunning ? pointAt(profile, state.from, state.elapsed) : undefined
    if (point === undefined) heaterOff(state)
    else {
      state.elapsed += dt
      state.stage = point.stage
      state.target = point.target
      const error = state.target - state.temperature
      const needed = (point.slope + (state.target - AMBIENT) / OVEN.closed) / OVEN.heating
      state.integral = clamp(state.integral + error * dt * 0.002, -0.2, 0.2)
      // What the element still holds is on its way already.
      const onItsWay = (state.element - needed) * 0.8
      state.heater =
        point.stage === 'cool' ? 0 : clamp(needed + 0.08 * error + state.integral - onItsWay, 0, 1)
    }
    const tooHot = state.temperature - (state.stage === 'cool' ? state.target : OVEN.fanUntil)
    state.fan = state.stage === 'cool' || state.stage === 'idle' ? clamp(tooHot * 0.1, 0, 1) : 0
    state.element = approach(state.element, state.heater, OVEN.elementLag, dt)
    const loss = 1 / OVEN.closed + state.fan * (1 / OVEN.fan)
    state.temperature += (OVEN.heating * state.element - (state.temperature - AMBIENT) * loss) * dt
    state.board = approach(state.board, state.temperature, OVEN.boardLag, dt)
    if (state.isRunning && state.board > profile.liquidus) state.aboveLiquidus += dt
  },
  stop: heaterOff,
  channels: {
    profile: {
      platform: 'select',
      name: 'Profile',
      options: Object.keys(PROFILES),
      read: ({ profile }) => profile,
      write(state, value) {
        if (state.isRunning) return WORDS.ovenRuns
        state.profile = value
        return undefined
      },
    },
    start: {
      platform: 'button',
      name: 'Start',
      device_class: 'heater',
      guarded: true,
      write(state) {
        if (state.isRunning) return WORDS.ovenRuns
        if (state.temperature > OVEN.coolEnough) return WORDS.ovenHot(OVEN.coolEnough)
        Object.assign(state, { isRunning: true, elapsed: 0, from: state.temperature, aboveLiquidus: 0 })
        return undefined
      },
    },
    abort: { platform: 'button', name: 'Abort', idempotent: true, write: heaterOff },
    stage: { name: 'Stage', device_class: 'enum', options: STAGES, read: ({ stage }) => stage },
    target: {
      name: 'Profile temperature',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: 0,
      max: 300,
      step: 0.1,
      read: ({ isRunning, target }) => (isRunning ? target : null),
    },
    temperature: {
      name: 'Oven temperature',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: 0,
      max: 300,
      step: 0.1,
      read: ({ temperature }, noise) => temperature + noise(0.3),
    },
    board_temperature: {
      name: 'Board temperature',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: 0,
      max: 300,
      step: 0.1,
      read: ({ board }, noise) => board + noise(0.2),
    },
    heater: {
      name: 'Heater',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 1,
      read: ({ heater }) => heater * 100,
    },
    fan: {
      name: 'Fan',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 1,
      read: ({ fan }) => fan * 100,
    },
    elapsed: {
      name: 'Elapsed',
      device_class: 'duration',
      unit_of_measurement: 's',
      min: 0,
      max: 3_600,
      step: 1,
      read: ({ elapsed }) => elapsed,
    },
    time_above_liquidus: {
      name: 'Time above liquidus',
      device_class: 'duration',
      unit_of_measurement: 's',
      min: 0,
      max: 3_600,
      step: 1,
      read: ({ aboveLiquidus }) => aboveLiquidus,
    },
  },
}

interface Thermometer {
  room: number
  case: number
  probe: number
  alarmAbove: number
}

export const thermometer: Design<Thermometer> = {
  name: 'thermometer',
  title: 'Thermometer',
  model: 'Three-channel thermometer',
  start: (random) => ({ room: 21 + random() * 3, case: 27, probe: 22, alarmAbove: 40 }),
  step(state, { dt, random }) {
    state.room = wander(state.room, { around: 22.5, spread: 1, timeConstant: 600 }, dt, random)
    // The case stands on electronics that are now more and now less busy.
    const warm = wander(state.case, { around: state.room + 8, spread: 1.5, timeConstant: 90 }, dt, random)
    state.case = approach(state.case, warm, 2, dt)
    state.probe = approach(state.probe, state.room + (state.case - state.room) * 0.4, 40, dt)
  },
  stop: () => undefined,
  channels: {
    room: {
      name: 'Room',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: -20,
      max: 85,
      step: 0.01,
      read: ({ room }, noise) => room + noise(0.02),
    },
    case: {
      name: 'Case',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: -20,
      max: 85,
      step: 0.01,
      read: (state, noise) => state.case + noise(0.02),
    },
    probe: {
      name: 'Probe',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: -20,
      max: 85,
      step: 0.01,
      read: ({ probe }, noise) => probe + noise(0.05),
    },
    alarm_above: {
      platform: 'number',
      name: 'Alarm above',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: -20,
      max: 85,
      step: 0.5,
      ...kept('alarmAbove'),
    },
    alarm: {
      platform: 'binary_sensor',
      name: 'Alarm',
      device_class: 'heat',
      read: (state) => Math.max(state.room, state.case, state.probe) > state.alarmAbove,
    },
  },
}

interface Chamber {
  pump: number
  valve: number
  /** Gas in it, as much as is in the open chamber being 1. */
  gas: number
  temperature: number
  outside: number
  isRelieving: boolean
}

const ATMOSPHERE = 101.325
/** kPa. */
const RELIEF = { opens: 600, closes: 550 }
const KELVIN = 273.15
const ROOM = KELVIN + AMBIENT
const pressureOf = ({ gas, temperature }: Chamber) => (ATMOSPHERE * gas * (temperature + KELVIN)) / ROOM

export const pressureChamber: Design<Chamber> = {
  name: 'pressure',
  title: 'Pressure chamber',
  model: 'Chamber with pump and valve',
  start: () => ({
    pump: 0,
    valve: 100,
    gas: 1,
    temperature: AMBIENT,
    outside: ATMOSPHERE,
    isRelieving: false,
  }),
  step(state, { dt, random }) {
    state.outside = wander(state.outside, { around: ATMOSPHERE, spread: 0.3, timeConstant: 900 }, dt, random)
    const pressure = pressureOf(state)
    state.isRelieving = pressure > (state.isRelieving ? RELIEF.closes : RELIEF.opens)
    // The higher the pressure, the less the pump still moves.
    const inflow = (state.pump / 100) * 0.25 * clamp(1 - pressure / 900, 0, 1)
    const open = state.valve / 100 + (state.isRelieving ? 1 : 0) + 0.001
    const level = (state.outside / ATMOSPHERE) * (ROOM / (state.temperature + KELVIN))
    const gas = approach(state.gas, level, 4 / open, dt) + inflow * dt
    // Gas that is pressed warms up, gas that expands cools; the walls take it away.
    const work = (gas / state.gas - 1) * 60
    state.temperature = approach(state.temperature + work, AMBIENT, 12, dt)
    state.gas = gas
  },
  stop(state) {
    state.pump = 0
    state.valve = 100
  },
  channels: {
    pump: {
      platform: 'number',
      name: 'Pump',
      device_class: 'motor',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 1,
      guarded: true,
      read: ({ pump }) => pump,
      write(state, value) {
        if (state.isRelieving && value > 0) return WORDS.overPressure
        state.pump = value
        return undefined
      },
    },
    valve: {
      platform: 'number',
      name: 'Valve',
      device_class: 'valve',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 1,
      guarded: true,
      ...kept('valve'),
    },
    pressure: {
      name: 'Pressure',
      device_class: 'pressure',
      unit_of_measurement: 'kPa',
      min: 0,
      max: 800,
      step: 0.01,
      read: (state, noise) => pressureOf(state) + noise(0.03),
    },
    temperature: {
      name: 'Gas temperature',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: -100,
      max: 200,
      step: 0.1,
      read: ({ temperature }, noise) => temperature + noise(0.1),
    },
    relief: {
      platform: 'binary_sensor',
      name: 'Relief valve open',
      device_class: 'problem',
      read: ({ isRelieving }) => isRelieving,
    },
  },
}
