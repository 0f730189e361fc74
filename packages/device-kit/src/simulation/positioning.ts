import { type Design, kept } from './engine.ts'
import { approach, radians, slew } from './numbers.ts'
import { WORDS } from './words.ts'

const AMBIENT = 24

interface Servo {
  isHolding: boolean
  target: number
  slewRate: number
  angle: number
  velocity: number
  temperature: number
}

/** N·m: of the arm's weight when it is level, and for each °/s. */
const ARM = { weight: 0.3, drag: 0.0008 }
const servoTorque = ({ angle, velocity, isHolding }: Servo) =>
  isHolding ? ARM.weight * Math.cos(radians(angle)) + ARM.drag * velocity : 0

export const servo: Design<Servo> = {
  name: 'servo',
  title: 'Servo',
  model: 'Smart servo 1 N·m',
  start: () => ({ isHolding: false, target: 0, slewRate: 120, angle: 0, velocity: 0, temperature: AMBIENT }),
  step(state, { dt }) {
    const angle = state.isHolding ? slew(state.angle, state.target, state.slewRate * dt) : state.angle
    state.velocity = (angle - state.angle) / dt
    state.angle = angle
    state.temperature = approach(state.temperature, AMBIENT + 120 * servoTorque(state) ** 2, 45, dt)
  },
  stop(state) {
    state.isHolding = false
    state.target = state.angle
  },
  channels: {
    torque_enabled: {
      platform: 'switch',
      name: 'Torque',
      device_class: 'servo',
      guarded: true,
      read: ({ isHolding }) => isHolding,
      write(state, value) {
        state.isHolding = value
        // Turning torque on must not move the arm.
        state.target = state.angle
      },
    },
    target: {
      platform: 'number',
      name: 'Target angle',
      device_class: 'servo',
      unit_of_measurement: '°',
      min: -90,
      max: 90,
      step: 0.1,
      guarded: true,
      read: ({ target }) => target,
      write(state, value) {
        if (!state.isHolding) return WORDS.torqueOff
        state.target = value
        return undefined
      },
    },
    slew_rate: {
      platform: 'number',
      name: 'Slew rate',
      unit_of_measurement: '°/s',
      min: 5,
      max: 600,
      step: 1,
      ...kept('slewRate'),
    },
    angle: {
      name: 'Angle',
      unit_of_measurement: '°',
      min: -95,
      max: 95,
      step: 0.1,
      read: ({ angle }, noise) => angle + noise(0.05),
    },
    torque: {
      name: 'Torque',
      unit_of_measurement: 'N·m',
      min: -1,
      max: 1,
      step: 0.001,
      read: (state, noise) => servoTorque(state) + (state.isHolding ? noise(0.005) : 0),
    },
    temperature: {
      name: 'Temperature',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: 0,
      max: 100,
      step: 0.1,
      read: ({ temperature }, noise) => temperature + noise(0.1),
    },
    moving: {
      platform: 'binary_sensor',
      name: 'Moving',
      device_class: 'moving',
      read: ({ velocity }) => velocity !== 0,
    },
  },
}

interface Camera {
  pan: number
  tilt: number
  zoom: number
  /** °/s; the lens takes as long from one end to the other as a turn by 120° does. */
  speed: number
  preset: string
  at: { pan: number; tilt: number; zoom: number }
  isMoving: boolean
}

const HOME = { pan: 0, tilt: 0, zoom: 1 }
const PRESETS: Readonly<Record<string, typeof HOME>> = {
  home: HOME,
  bench: { pan: -35, tilt: -20, zoom: 4 },
  oven: { pan: 80, tilt: -10, zoom: 6 },
  door: { pan: 150, tilt: 10, zoom: 2 },
}
const CUSTOM = 'custom'

const pointed = (key: 'pan' | 'tilt' | 'zoom') => ({
  read: (state: Camera) => state[key],
  write(state: Camera, value: number) {
    state[key] = value
    state.preset = CUSTOM
  },
})

export const ptzCamera: Design<Camera> = {
  name: 'ptz-camera',
  title: 'Camera',
  model: 'Pan, tilt and zoom camera',
  start: () => ({ ...HOME, speed: 60, preset: 'home', at: { ...HOME }, isMoving: false }),
  step(state, { dt }) {
    const { at, speed } = state
    const pan = slew(at.pan, state.pan, speed * dt)
    const tilt = slew(at.tilt, state.tilt, speed * dt)
    const zoom = slew(at.zoom, state.zoom, (speed / 6) * dt)
    state.isMoving = pan !== at.pan || tilt !== at.tilt || zoom !== at.zoom
    state.at = { pan, tilt, zoom }
  },
  stop(state) {
    Object.assign(state, state.at, { preset: CUSTOM })
  },
  channels: {
    pan: {
      platform: 'number',
      name: 'Pan',
      unit_of_measurement: '°',
      min: -170,
      max: 170,
      step: 0.1,
      ...pointed('pan'),
    },
    tilt: {
      platform: 'number',
      name: 'Tilt',
      unit_of_measurement: '°',
      min: -30,
      max: 90,
      step: 0.1,
      ...pointed('tilt'),
    },
    zoom: {
      platform: 'number',
      name: 'Zoom',
      unit_of_measurement: '×',
      min: 1,
      max: 20,
      step: 0.1,
      ...pointed('zoom'),
    },
    speed: {
      platform: 'number',
      name: 'Speed',
      unit_of_measurement: '°/s',
      min: 5,
      max: 120,
      step: 1,
      ...kept('speed'),
    },
    preset: {
      platform: 'select',
      name: 'Preset',
      options: [...Object.keys(PRESETS), CUSTOM],
      read: ({ preset }) => preset,
      write(state, value) {
        Object.assign(state, PRESETS[value], { preset: value })
      },
    },
    position: {
      name: 'Position',
      min: -170,
      max: 170,
      step: 0.1,
      read: ({ at }) => ({ ...at }),
    },
    moving: {
      platform: 'binary_sensor',
      name: 'Moving',
      device_class: 'moving',
      read: ({ isMoving }) => isMoving,
    },
  },
}
