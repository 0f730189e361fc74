import { type Design, kept } from './engine.ts'
import { approach, clamp, slew } from './numbers.ts'
import { WORDS } from './words.ts'

const AMBIENT = 24
const RPM = 60 / (2 * Math.PI)

interface Motor {
  target: number
  direction: string
  isBraked: boolean
  load: number
  acceleration: number
  currentLimit: number
  /** Where the target stands on its ramp, and the speed of the shaft: rpm, backward below 0. */
  ramp: number
  speed: number
  /** What the controller believes the load to be: it notices a change late, and the speed sags until then. */
  believedLoad: number
  torque: number
  temperature: number
  isTooHot: boolean
}

/** N·m for an ampere, kg·m², N·m for a rad/s, and N·m whatever the speed. */
const MOTOR = { torque: 0.05, inertia: 0.002, drag: 0.000_05, friction: 0.01, brake: 1.2 }

export const motor: Design<Motor> = {
  name: 'motor',
  title: 'Motor',
  model: 'Brushless motor 24 V',
  start: () => ({
    target: 0,
    direction: 'forward',
    isBraked: false,
    load: 0.1,
    acceleration: 1_000,
    currentLimit: 15,
    ramp: 0,
    speed: 0,
    believedLoad: 0.1,
    torque: 0,
    temperature: AMBIENT,
    isTooHot: false,
  }),
  step(state, { dt }) {
    const isDriven = !state.isBraked && !state.isTooHot
    const goal = state.direction === 'reverse' ? -state.target : state.target
    // From where the shaft is, or a released brake would let it leap to an old ramp.
    state.ramp = isDriven ? slew(state.ramp, goal, state.acceleration * dt) : state.speed
    state.believedLoad = approach(state.believedLoad, state.load, 0.3, dt)
    const omega = state.speed / RPM
    const wanted =
      (MOTOR.inertia * (state.ramp - state.speed)) / RPM / 0.1 +
      MOTOR.drag * omega +
      (state.believedLoad + MOTOR.friction) * Math.sign(state.ramp)
    const most = MOTOR.torque * state.currentLimit
    state.torque = isDriven ? clamp(wanted, -most, most) : 0
    const turned = omega + ((state.torque - MOTOR.drag * omega) / MOTOR.inertia) * dt
    const resisting = state.load + MOTOR.friction + (state.isBraked ? MOTOR.brake : 0)
    state.speed = slew(turned, 0, (resisting / MOTOR.inertia) * dt) * RPM
    const current = state.torque / MOTOR.torque
    state.temperature = approach(state.temperature, AMBIENT + 0.25 * current ** 2, 60, dt)
    state.isTooHot = state.temperature > (state.isTooHot ? 70 : 100)
    if (state.isTooHot) state.target = 0
  },
  stop(state) {
    state.target = 0
    state.isBraked = true
  },
  channels: {
    target: {
      platform: 'number',
      name: 'Target speed',
      device_class: 'motor',
      unit_of_measurement: 'rpm',
      min: 0,
      max: 3_000,
      step: 1,
      guarded: true,
      read: ({ target }) => target,
      write(state, value) {
        if (value > 0 && state.isBraked) return WORDS.brakeOn
        if (value > 0 && state.isTooHot) return WORDS.overheated
        state.target = value
        return undefined
      },
    },
    direction: {
      platform: 'select',
      name: 'Direction',
      device_class: 'motor',
      options: ['forward', 'reverse'],
      guarded: true,
      read: ({ direction }) => direction,
      write(state, value) {
        state.direction = value
      },
    },
    brake: {
      platform: 'switch',
      name: 'Brake',
      read: ({ isBraked }) => isBraked,
      write(state, value) {
        state.isBraked = value
        // Releasing the brake must not start the motor.
        state.target = 0
      },
    },
    load: {
      platform: 'number',
      name: 'Load',
      unit_of_measurement: 'N·m',
      min: 0,
      max: 0.9,
      step: 0.01,
      ...kept('load'),
    },
    acceleration: {
      platform: 'number',
      name: 'Ramp',
      unit_of_measurement: 'rpm/s',
      min: 100,
      max: 4_000,
      step: 10,
      ...kept('acceleration'),
    },
    current_limit: {
      platform: 'number',
      name: 'Current limit',
      device_class: 'current',
      unit_of_measurement: 'A',
      min: 1,
      max: 20,
      step: 0.1,
      ...kept('currentLimit'),
    },
    speed: {
      name: 'Speed',
      device_class: 'speed',
      unit_of_measurement: 'rpm',
      min: -4_000,
      max: 4_000,
      step: 1,
      read: ({ speed }, noise) => speed + noise(Math.min(4, Math.abs(speed) * 0.01)),
    },
    current: {
      name: 'Current',
      device_class: 'current',
      unit_of_measurement: 'A',
      min: -25,
      max: 25,
      step: 0.01,
      read: ({ torque }, noise) => torque / MOTOR.torque + (torque === 0 ? 0 : noise(0.05)),
    },
    power: {
      name: 'Power',
      device_class: 'power',
      unit_of_measurement: 'W',
      min: -600,
      max: 600,
      step: 0.1,
      read: ({ torque, speed }) => (torque * speed) / RPM + 0.1 * (torque / MOTOR.torque) ** 2,
    },
    temperature: {
      name: 'Winding',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: 0,
      max: 150,
      step: 0.1,
      read: ({ temperature }, noise) => temperature + noise(0.1),
    },
    state: {
      name: 'State',
      device_class: 'enum',
      options: ['stopped', 'running', 'braked', 'overheated'],
      read({ isTooHot, isBraked, speed }) {
        if (isTooHot) return 'overheated'
        if (isBraked) return 'braked'
        return Math.abs(speed) < 1 ? 'stopped' : 'running'
      },
    },
  },
}

interface SpeedController {
  isEnabled: boolean
  target: number
  kp: number
  ki: number
  kd: number
  load: number
  speed: number
  integral: number
  /** What the controller last saw; its changes are what `kd` works on. */
  seen: number
  duty: number
}

/** Rpm at full duty, and how slowly the speed follows. */
const PLANT = { speed: 6_000, timeConstant: 0.8 }

export const speedController: Design<SpeedController> = {
  name: 'speed-controller',
  title: 'Speed controller',
  model: 'PID controller with encoder',
  start: () => ({
    isEnabled: false,
    target: 0,
    kp: 0.03,
    ki: 0.04,
    kd: 0,
    load: 0,
    speed: 0,
    integral: 0,
    seen: 0,
    duty: 0,
  }),
  step(state, { dt }) {
    const error = state.target - state.speed
    const seen = approach(state.seen, state.speed, 0.1, dt)
    const rest = state.kp * error - (state.kd * (seen - state.seen)) / dt
    state.seen = seen
    // The integral stays within what the duty can do, or it would take minutes to come back.
    state.integral = state.isEnabled ? clamp(state.integral + state.ki * error * dt, 0, 100) : 0
    state.duty = state.isEnabled ? clamp(rest + state.integral, 0, 100) : 0
    const goal = Math.max(0, (state.duty / 100 - state.load / 200) * PLANT.speed)
    state.speed = approach(state.speed, goal, PLANT.timeConstant, dt)
    // A lag never arrives: what the encoder no longer counts stands still.
    if (goal === 0 && state.speed < 1) state.speed = 0
  },
  stop(state) {
    state.isEnabled = false
    state.target = 0
  },
  channels: {
    enabled: {
      platform: 'switch',
      name: 'Enabled',
      device_class: 'motor',
      guarded: true,
      read: ({ isEnabled }) => isEnabled,
      write(state, value) {
        state.isEnabled = value
        // Enabling must not start the motor.
        state.target = 0
      },
    },
    target: {
      platform: 'number',
      name: 'Target speed',
      device_class: 'motor',
      unit_of_measurement: 'rpm',
      min: 0,
      max: 5_000,
      step: 1,
      guarded: true,
      read: ({ target }) => target,
      write(state, value) {
        if (!state.isEnabled) return WORDS.notEnabled
        state.target = value
        return undefined
      },
    },
    kp: {
      platform: 'number',
      name: 'Proportional gain',
      min: 0,
      max: 1,
      step: 0.001,
      ...kept('kp'),
    },
    ki: {
      platform: 'number',
      name: 'Integral gain',
      min: 0,
      max: 1,
      step: 0.001,
      ...kept('ki'),
    },
    kd: {
      platform: 'number',
      name: 'Derivative gain',
      min: 0,
      max: 0.1,
      step: 0.0001,
      ...kept('kd'),
    },
    load: {
      platform: 'number',
      name: 'Load',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 1,
      ...kept('load'),
    },
    measured: {
      name: 'Measured speed',
      device_class: 'speed',
      unit_of_measurement: 'rpm',
      min: 0,
      max: 6_100,
      step: 1,
      read: ({ speed }, noise) => speed + noise(Math.min(5, speed * 0.01)),
    },
    error: {
      name: 'Error',
      unit_of_measurement: 'rpm',
      min: -6_100,
      max: 6_100,
      step: 1,
      read: ({ target, speed }) => target - speed,
    },
    duty: {
      name: 'Duty',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 0.1,
      read: ({ duty }) => duty,
    },
  },
}
