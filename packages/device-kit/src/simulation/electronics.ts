import { type Channel, type Design, kept } from './engine.ts'
import { approach, clamp, wander } from './numbers.ts'
import { WORDS } from './words.ts'

interface Gpio {
  time: number
  outputs: boolean[]
  isOutput: boolean[]
  levels: boolean[]
  edges: number[]
  isPwm: boolean
  duty: number
  frequency: number
  /** V at the two analog inputs. */
  filtered: number
  knob: number
  buttonUntil: number
}

const PIN_NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7] as const
const PWM_PIN = 3
const SUPPLY = 3.3
const COUNTER = 65_536

/** What is wired to each pin, while it is an input. */
function wired(state: Gpio, pin: number): boolean {
  if (pin === 4) return state.buttonUntil > state.time
  if (pin === 5) return state.time % 1 < 0.5
  // A jumper leads here from pin 0.
  if (pin === 6) return state.isOutput[0] === true && state.outputs[0] === true
  // Nothing: a pull-up holds it.
  return pin === 7
}

function levelOf(state: Gpio, pin: number): boolean {
  if (pin === PWM_PIN && state.isPwm) return (state.time * state.frequency) % 1 < state.duty / 100
  return state.isOutput[pin] === true ? state.outputs[pin] === true : wired(state, pin)
}

function pinChannels(pin: number): Readonly<Record<string, Channel<Gpio>>> {
  return {
    [`pin_${pin}`]: {
      platform: 'switch',
      name: `Pin ${pin}`,
      read: ({ levels }) => levels[pin] === true,
      write(state, value) {
        if (pin === PWM_PIN && state.isPwm) return WORDS.pinIsPwm(pin)
        if (state.isOutput[pin] !== true) return WORDS.pinIsInput(pin)
        state.outputs[pin] = value
        return undefined
      },
    },
    [`direction_${pin}`]: {
      platform: 'select',
      name: `Direction of pin ${pin}`,
      options: ['input', 'output'],
      read: ({ isOutput }) => (isOutput[pin] === true ? 'output' : 'input'),
      write(state, value) {
        if (pin === PWM_PIN && state.isPwm) return WORDS.pinIsPwm(pin)
        state.isOutput[pin] = value === 'output'
        state.outputs[pin] = false
        return undefined
      },
    },
  }
}

export const gpio: Design<Gpio> = {
  name: 'gpio',
  title: 'GPIO',
  model: 'Eight pins, one PWM, two analog inputs',
  start: () => ({
    time: 0,
    outputs: PIN_NUMBERS.map(() => false),
    isOutput: PIN_NUMBERS.map((pin) => pin < 4),
    levels: PIN_NUMBERS.map(() => false),
    edges: PIN_NUMBERS.map(() => 0),
    isPwm: false,
    duty: 0,
    frequency: 1_000,
    filtered: 0,
    knob: 1.6,
    buttonUntil: 0,
  }),
  step(state, { dt, random }) {
    state.time += dt
    if (state.buttonUntil < state.time && random() < 0.15 * dt)
      state.buttonUntil = state.time + 0.2 + random()
    for (const pin of PIN_NUMBERS) {
      const level = levelOf(state, pin)
      if (level !== state.levels[pin]) state.edges[pin] = ((state.edges[pin] ?? 0) + 1) % COUNTER
      state.levels[pin] = level
    }
    // A resistor and a capacitor make a voltage of the PWM.
    state.filtered = approach(state.filtered, state.isPwm ? (SUPPLY * state.duty) / 100 : 0, 0.4, dt)
    state.knob = wander(state.knob, { around: 1.6, spread: 0.35, timeConstant: 20 }, dt, random)
  },
  stop(state) {
    state.outputs.fill(false)
    state.isPwm = false
    state.duty = 0
  },
  channels: {
    ...Object.fromEntries(PIN_NUMBERS.flatMap((pin) => Object.entries(pinChannels(pin)))),
    pwm: {
      platform: 'switch',
      name: `PWM on pin ${PWM_PIN}`,
      read: ({ isPwm }) => isPwm,
      write(state, value) {
        if (value && state.isOutput[PWM_PIN] !== true) return WORDS.pinIsInput(PWM_PIN)
        state.isPwm = value
        return undefined
      },
    },
    pwm_duty: {
      platform: 'number',
      name: 'PWM duty',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 0.1,
      ...kept('duty'),
    },
    pwm_frequency: {
      platform: 'number',
      name: 'PWM frequency',
      device_class: 'frequency',
      unit_of_measurement: 'Hz',
      min: 50,
      max: 20_000,
      step: 1,
      ...kept('frequency'),
    },
    adc_0: {
      name: 'Analog input 0',
      device_class: 'voltage',
      unit_of_measurement: 'V',
      min: 0,
      max: SUPPLY,
      step: 0.001,
      read: ({ filtered }, noise) => filtered + noise(0.004),
    },
    adc_1: {
      name: 'Analog input 1',
      device_class: 'voltage',
      unit_of_measurement: 'V',
      min: 0,
      max: SUPPLY,
      step: 0.001,
      read: ({ knob }, noise) => knob + noise(0.004),
    },
    edges: {
      name: 'Edges by pin',
      min: 0,
      max: COUNTER,
      step: 1,
      read: ({ edges }) => [...edges],
    },
  },
}

interface Chip {
  ctrl: number
  divider: number
  load: number
  busy: number
  memory: number
  errors: number
  temperature: number
  core: number
  uptime: number
  isBrownOut: boolean
}

/** Bits of CTRL. */
const CTRL = { enable: 1, turbo: 2, checks: 4 }
const RESET_CTRL = CTRL.enable | CTRL.checks
const CHIP = { id: 0x5a17, oscillator: 400, memory: 512 }

const clockOf = ({ ctrl, divider }: Chip) =>
  (ctrl & CTRL.enable) === 0 ? 0 : (CHIP.oscillator / divider) * ((ctrl & CTRL.turbo) === 0 ? 0.5 : 1)

const status = (state: Chip) =>
  (clockOf(state) > 0 ? 1 : 0) |
  (state.load > 90 ? 2 : 0) |
  (state.temperature > 80 ? 4 : 0) |
  (state.isBrownOut ? 8 : 0)

const atReset = () => ({ ctrl: RESET_CTRL, divider: 4, load: 0, memory: 90, errors: 0, uptime: 0 })

export const chip: Design<Chip> = {
  name: 'chip',
  title: 'Chip',
  model: 'Microcontroller',
  start: () => ({ ...atReset(), busy: 18, temperature: 30, core: 1.1, isBrownOut: false }),
  step(state, { dt, random }) {
    const clock = clockOf(state)
    // Millions of cycles a second that its tasks ask for: a slower clock means more load.
    state.busy = wander(state.busy, { around: 18, spread: 4, timeConstant: 6 }, dt, random)
    const load = clock === 0 ? 0 : Math.min(100, (state.busy / clock) * 100)
    state.load = approach(state.load, load, 1, dt)
    state.memory = wander(
      state.memory,
      { around: 90 + state.load * 3, spread: 12, timeConstant: 15 },
      dt,
      random,
    )
    state.temperature = approach(state.temperature, 26 + clock * 0.12 + state.load * 0.08, 25, dt)
    state.core = 1.1 - clock * 0.000_15 + (random() - 0.5) * 0.004
    state.isBrownOut = state.core < 1.045
    const isWorse = state.isBrownOut || state.load > 95
    if ((state.ctrl & CTRL.checks) !== 0 && random() < (isWorse ? 0.5 : 0.01) * dt) state.errors += 1
    state.uptime += dt
  },
  stop(state) {
    state.ctrl &= ~CTRL.enable
  },
  channels: {
    registers: {
      name: 'Registers',
      min: 0,
      max: 0xffff_ffff,
      step: 1,
      read: (state) => ({
        ID: CHIP.id,
        CTRL: state.ctrl,
        STATUS: status(state),
        CLKDIV: state.divider,
        TEMP: Math.round(state.temperature * 16),
        ERRCNT: state.errors,
      }),
    },
    ctrl: {
      platform: 'number',
      name: 'CTRL: enable, turbo, checks',
      min: 0,
      max: 7,
      step: 1,
      read: ({ ctrl }) => ctrl,
      write(state, value) {
        state.ctrl = Math.round(value)
      },
    },
    clkdiv: {
      platform: 'number',
      name: 'CLKDIV',
      min: 1,
      max: 16,
      step: 1,
      read: ({ divider }) => divider,
      write(state, value) {
        if (clockOf(state) === 0) return WORDS.chipDisabled
        state.divider = Math.round(value)
        return undefined
      },
    },
    reset: {
      platform: 'button',
      name: 'Reset',
      write(state) {
        Object.assign(state, atReset())
      },
    },
    voltages: {
      name: 'Voltages',
      device_class: 'voltage',
      unit_of_measurement: 'V',
      min: 0,
      max: 5,
      step: 0.001,
      read: ({ core }, noise) => ({ core, io: 3.3 + noise(0.004), analog: 3 + noise(0.002) }),
    },
    clock: {
      name: 'Clock',
      device_class: 'frequency',
      unit_of_measurement: 'MHz',
      min: 0,
      max: CHIP.oscillator,
      step: 0.01,
      read: clockOf,
    },
    temperature: {
      name: 'Die temperature',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: -40,
      max: 125,
      step: 0.1,
      read: ({ temperature }, noise) => temperature + noise(0.2),
    },
    load: {
      name: 'Load',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 0.1,
      read: ({ load }) => load,
    },
    tasks: {
      name: 'Load by task',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 0.1,
      read: ({ load }, noise) => {
        const control = load * (0.5 + noise(0.05))
        const radio = load * (0.3 + noise(0.05))
        return { control, radio, log: load - control - radio, idle: 100 - load }
      },
    },
    memory: {
      name: 'Memory',
      device_class: 'data_size',
      unit_of_measurement: 'kB',
      min: 0,
      max: CHIP.memory,
      step: 1,
      read({ memory }) {
        const used = clamp(memory, 0, CHIP.memory)
        return { used, free: CHIP.memory - used, total: CHIP.memory }
      },
    },
    errors: {
      name: 'Errors',
      min: 0,
      max: 1_000_000,
      step: 1,
      read: ({ errors }) => errors,
    },
    uptime: {
      name: 'Uptime',
      device_class: 'duration',
      unit_of_measurement: 's',
      min: 0,
      max: 1_000_000_000,
      step: 1,
      read: ({ uptime }) => uptime,
    },
  },
}
