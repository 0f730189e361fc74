import { type Design, kept } from './engine.ts'
import { approach, clamp, degrees, radians, slew, wander, wrapAngle } from './numbers.ts'
import { WORDS } from './words.ts'

type DroneMode = 'disarmed' | 'armed' | 'taking_off' | 'flying' | 'returning' | 'landing'
const DRONE_MODES: readonly DroneMode[] = [
  'disarmed',
  'armed',
  'taking_off',
  'flying',
  'returning',
  'landing',
]

interface Vector {
  x: number
  y: number
  z: number
}

interface Drone {
  mode: DroneMode
  /** m/s along the room, and °/s. */
  vx: number
  vy: number
  vz: number
  yawRate: number
  takeOffHeight: number
  position: Vector
  velocity: Vector
  acceleration: Vector
  gust: Vector
  yaw: number
  battery: number
  isAtFence: boolean
  failsafe: string
}

/** Meters; the middle of the floor is the origin. */
const BOX = { x: [-2, 2], y: [-2, 2], z: [0, 3] } as const
/** Meters before a wall at which the geofence holds it. */
const MARGIN = 0.15
const AXES = ['x', 'y', 'z'] as const
const DRONE = { acceleration: 3, landing: 0.4, climb: 0.6, lowBattery: 15 }
const GRAVITY = 9.81

const isInTheAir = ({ mode }: Drone) => mode !== 'disarmed' && mode !== 'armed'
const fly = (state: Drone, set: () => void) => {
  if (state.mode !== 'flying') return WORDS.notFlying
  set()
  return undefined
}
const hover = (state: Drone) => {
  Object.assign(state, { vx: 0, vy: 0, vz: 0, yawRate: 0 })
}

/** What the drone wants to do by itself or was told. */
function wantedVelocity({ mode, vx, vy, vz, position, takeOffHeight }: Drone): Vector {
  if (mode === 'taking_off')
    return { x: 0, y: 0, z: clamp(takeOffHeight - position.z + 0.05, 0, DRONE.climb) }
  if (mode === 'flying') return { x: vx, y: vy, z: vz }
  if (mode === 'returning')
    return { x: clamp(-position.x, -0.6, 0.6), y: clamp(-position.y, -0.6, 0.6), z: 0 }
  return { x: 0, y: 0, z: mode === 'landing' ? -Math.max(0.15, Math.min(DRONE.landing, position.z)) : 0 }
}

function changeMode(state: Drone): void {
  const { mode, position, velocity } = state
  if (mode === 'taking_off' && position.z >= state.takeOffHeight) state.mode = 'flying'
  if (mode === 'returning' && Math.hypot(position.x, position.y) < 0.1) state.mode = 'landing'
  if (mode === 'landing' && position.z <= 0) {
    state.mode = 'disarmed'
    velocity.x = velocity.y = 0
  }
  if (isInTheAir(state) && state.mode !== 'landing' && state.battery < DRONE.lowBattery) {
    state.mode = 'landing'
    state.failsafe = 'battery_low'
    hover(state)
  }
}

export const drone: Design<Drone> = {
  name: 'drone',
  title: 'Drone',
  model: 'Quadcopter in a 4 × 4 × 3 m box',
  start: () => ({
    mode: 'disarmed',
    vx: 0,
    vy: 0,
    vz: 0,
    yawRate: 0,
    takeOffHeight: 1,
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    acceleration: { x: 0, y: 0, z: 0 },
    gust: { x: 0, y: 0, z: 0 },
    yaw: 0,
    battery: 92,
    isAtFence: false,
    failsafe: 'none',
  }),
  step(state, { dt, random }) {
    changeMode(state)
    const isFlying = isInTheAir(state)
    const wanted = wantedVelocity(state)
    state.isAtFence = false
    for (const axis of AXES) {
      const breeze = { around: 0, spread: isFlying ? 0.02 : 0, timeConstant: 1.5 }
      state.gust[axis] = wander(state.gust[axis], breeze, dt, random)
      const [low, high] = BOX[axis]
      const isDown = axis === 'z'
      const at = state.position[axis]
      // The nearer, the slower: it comes to rest before a wall instead of hitting it.
      const reach = (distance: number) => Math.max(0, distance - MARGIN) * 1.5
      const toLow = isDown && state.mode === 'landing' ? DRONE.landing : reach(at - low)
      const allowed = clamp(wanted[axis] + state.gust[axis], -toLow, reach(high - at))
      state.isAtFence ||= state.mode === 'flying' && Math.abs(wanted[axis]) > Math.abs(allowed) + 0.1
      const before = state.velocity[axis]
      state.velocity[axis] = isFlying
        ? slew(before, approach(before, allowed, 0.25, dt), DRONE.acceleration * dt)
        : 0
      state.acceleration[axis] = (state.velocity[axis] - before) / dt
      state.position[axis] = clamp(at + state.velocity[axis] * dt, low, high)
    }
    if (state.mode === 'flying') state.yaw = wrapAngle(state.yaw + state.yawRate * dt)
    // About seven minutes in the air; on the ground it stands on its charger.
    state.battery = clamp(
      state.battery + (isFlying ? -0.2 : state.mode === 'disarmed' ? 0.3 : -0.02) * dt,
      0,
      100,
    )
  },
  stop(state) {
    hover(state)
    if (isInTheAir(state)) state.mode = 'landing'
    else state.mode = 'disarmed'
  },
  channels: {
    armed: {
      platform: 'switch',
      name: 'Armed',
      device_class: 'drone',
      guarded: true,
      read: ({ mode }) => mode !== 'disarmed',
      write(state, value) {
        if (isInTheAir(state)) return value ? undefined : WORDS.inTheAir
        if (value && state.battery < DRONE.lowBattery + 5) return WORDS.batteryLow
        state.mode = value ? 'armed' : 'disarmed'
        state.failsafe = 'none'
        return undefined
      },
    },
    take_off: {
      platform: 'button',
      name: 'Take off',
      device_class: 'drone',
      guarded: true,
      write(state) {
        if (isInTheAir(state)) return WORDS.alreadyFlying
        if (state.mode !== 'armed') return WORDS.notArmed
        state.mode = 'taking_off'
        return undefined
      },
    },
    land: {
      platform: 'button',
      name: 'Land',
      idempotent: true,
      write(state) {
        hover(state)
        if (isInTheAir(state)) state.mode = 'landing'
      },
    },
    return_home: {
      platform: 'button',
      name: 'Return home',
      device_class: 'drone',
      guarded: true,
      write: (state) =>
        fly(state, () => {
          hover(state)
          state.mode = 'returning'
        }),
    },
    take_off_height: {
      platform: 'number',
      name: 'Take-off height',
      device_class: 'distance',
      unit_of_measurement: 'm',
      min: 0.3,
      max: 2.5,
      step: 0.1,
      ...kept('takeOffHeight'),
    },
    velocity_x: {
      platform: 'number',
      name: 'Velocity x',
      device_class: 'drone',
      unit_of_measurement: 'm/s',
      min: -1,
      max: 1,
      step: 0.01,
      guarded: true,
      read: ({ vx }) => vx,
      write: (state, value) =>
        fly(state, () => {
          state.vx = value
        }),
    },
    velocity_y: {
      platform: 'number',
      name: 'Velocity y',
      device_class: 'drone',
      unit_of_measurement: 'm/s',
      min: -1,
      max: 1,
      step: 0.01,
      guarded: true,
      read: ({ vy }) => vy,
      write: (state, value) =>
        fly(state, () => {
          state.vy = value
        }),
    },
    velocity_z: {
      platform: 'number',
      name: 'Velocity z',
      device_class: 'drone',
      unit_of_measurement: 'm/s',
      min: -0.5,
      max: 0.5,
      step: 0.01,
      guarded: true,
      read: ({ vz }) => vz,
      write: (state, value) =>
        fly(state, () => {
          state.vz = value
        }),
    },
    yaw_rate: {
      platform: 'number',
      name: 'Yaw rate',
      device_class: 'drone',
      unit_of_measurement: '°/s',
      min: -90,
      max: 90,
      step: 1,
      guarded: true,
      read: ({ yawRate }) => yawRate,
      write: (state, value) =>
        fly(state, () => {
          state.yawRate = value
        }),
    },
    mode: { name: 'Mode', device_class: 'enum', options: DRONE_MODES, read: ({ mode }) => mode },
    position: {
      name: 'Position',
      device_class: 'distance',
      unit_of_measurement: 'm',
      min: -3.5,
      max: 3.5,
      step: 0.001,
      read: ({ position: { x, y, z } }, noise) => ({ x: x + noise(0.005), y: y + noise(0.005), z }),
    },
    velocity: {
      name: 'Velocity',
      device_class: 'speed',
      unit_of_measurement: 'm/s',
      min: -3,
      max: 3,
      step: 0.001,
      read: ({ velocity: { x, y, z } }) => ({ x, y, z }),
    },
    attitude: {
      name: 'Attitude',
      unit_of_measurement: '°',
      min: -180,
      max: 180,
      step: 0.1,
      read(state, noise) {
        const { acceleration, yaw } = state
        const shake = isInTheAir(state) ? 0.3 : 0
        // It leans into where it is pushed, as seen from its nose.
        const [sin, cos] = [Math.sin(radians(yaw)), Math.cos(radians(yaw))]
        const ahead = acceleration.x * cos + acceleration.y * sin
        const aside = -acceleration.x * sin + acceleration.y * cos
        return {
          roll: -degrees(Math.atan2(aside, GRAVITY)) + noise(shake),
          pitch: degrees(Math.atan2(ahead, GRAVITY)) + noise(shake),
          yaw,
        }
      },
    },
    battery: {
      name: 'Battery',
      device_class: 'battery',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 0.1,
      read: ({ battery }) => battery,
    },
    at_fence: {
      platform: 'binary_sensor',
      name: 'Held by the geofence',
      read: ({ isAtFence }) => isAtFence,
    },
    failsafe: {
      name: 'Failsafe',
      device_class: 'enum',
      options: ['none', 'battery_low'],
      read: ({ failsafe }) => failsafe,
    },
  },
}

interface LineFollower {
  isRunning: boolean
  isLost: boolean
  cruise: number
  gain: number
  x: number
  y: number
  heading: number
  speed: number
  turn: number
  line: number
  /** How far around the track, in radians, since the start. */
  traveled: number
}

/** Meters: the wheels are this far apart, the sensors are so far ahead of them and beside each other. */
const ROBOT = { track: 0.12, ahead: 0.08, spacing: 0.015 }
const SENSORS = [-2, -1, 0, 1, 2]

/** The line is a closed curve around the origin, driven counterclockwise. */
const radiusAt = (angle: number) => 1 + 0.15 * Math.cos(3 * angle)
const slopeAt = (angle: number) => -0.45 * Math.sin(3 * angle)

/** How far outside the line a point is, in meters, to first order. */
function distanceFromLine(x: number, y: number): number {
  const angle = Math.atan2(y, x)
  const radius = radiusAt(angle)
  return (Math.hypot(x, y) - radius) / Math.hypot(1, slopeAt(angle) / radius)
}

/** Of white ground 900, of the middle of the line 60; from left to right. */
function reflectances({ x, y, heading }: LineFollower): number[] {
  return SENSORS.map((place) => {
    const aside = -place * ROBOT.spacing
    const distance = distanceFromLine(
      x + ROBOT.ahead * Math.cos(heading) - aside * Math.sin(heading),
      y + ROBOT.ahead * Math.sin(heading) + aside * Math.cos(heading),
    )
    return 900 - 840 * Math.exp(-((distance / 0.012) ** 2))
  })
}

/** Where the line is below the sensors, from -1 (left) to 1 (right). `undefined`: it is not below them. */
function linePosition(state: LineFollower): number | undefined {
  const darkness = reflectances(state).map((each) => 900 - each)
  const sum = darkness.reduce((all, each) => all + each, 0)
  if (sum < 60) return undefined
  return darkness.reduce((all, each, index) => all + each * ((SENSORS[index] ?? 0) / 2), 0) / sum
}

const atStart = () => ({ x: radiusAt(0), y: 0, heading: Math.PI / 2, speed: 0, turn: 0, line: 0 })
const halt = (state: LineFollower) => {
  state.isRunning = false
}

export const lineFollower: Design<LineFollower> = {
  name: 'line-follower',
  title: 'Line follower',
  model: 'Two-wheeled robot with five sensors',
  start: () => ({ isRunning: false, isLost: false, cruise: 0.25, gain: 5, traveled: 0, ...atStart() }),
  step(state, { dt }) {
    const line = linePosition(state)
    state.isLost = line === undefined
    // Without the line it turns to where it saw it last.
    const aim = line ?? Math.sign(state.line)
    const change = (aim - state.line) / dt
    state.line = aim
    const isMoving = state.isRunning || state.speed > 0
    const goal = state.isRunning ? state.cruise * (1 - 0.5 * Math.abs(aim)) : 0
    state.speed = slew(state.speed, goal, 0.8 * dt)
    const steer = clamp(-state.gain * aim - 0.1 * change, -6, 6)
    state.turn = isMoving ? approach(state.turn, steer * clamp(state.speed / 0.25, 0, 1), 0.05, dt) : 0
    const before = Math.atan2(state.y, state.x)
    state.heading += state.turn * dt
    state.x = clamp(state.x + state.speed * Math.cos(state.heading) * dt, -1.5, 1.5)
    state.y = clamp(state.y + state.speed * Math.sin(state.heading) * dt, -1.5, 1.5)
    state.traveled += radians(wrapAngle(degrees(Math.atan2(state.y, state.x) - before)))
  },
  stop: halt,
  channels: {
    start: {
      platform: 'button',
      name: 'Start',
      device_class: 'motor',
      guarded: true,
      write(state) {
        if (state.isRunning) return WORDS.running
        if (state.isLost) return WORDS.offLine
        state.isRunning = true
        return undefined
      },
    },
    stop: { platform: 'button', name: 'Stop', idempotent: true, write: halt },
    put_back: {
      platform: 'button',
      name: 'Put back on the start',
      write(state) {
        if (state.isRunning || state.speed > 0) return WORDS.running
        Object.assign(state, atStart(), { traveled: 0, isLost: false })
        return undefined
      },
    },
    speed: {
      platform: 'number',
      name: 'Cruising speed',
      device_class: 'motor',
      unit_of_measurement: 'm/s',
      min: 0.05,
      max: 0.4,
      step: 0.01,
      guarded: true,
      ...kept('cruise'),
    },
    gain: {
      platform: 'number',
      name: 'Steering gain',
      min: 2,
      max: 8,
      step: 0.1,
      ...kept('gain'),
    },
    running: {
      platform: 'binary_sensor',
      name: 'Running',
      device_class: 'running',
      read: ({ isRunning }) => isRunning,
    },
    off_line: {
      platform: 'binary_sensor',
      name: 'Line lost',
      device_class: 'problem',
      read: ({ isLost }) => isLost,
    },
    reflectance: {
      name: 'Reflectance',
      min: 0,
      max: 1_000,
      step: 1,
      read: (state, noise) => reflectances(state).map((each) => each + noise(8)),
    },
    position: {
      name: 'Line position',
      min: -1,
      max: 1,
      step: 0.01,
      read: ({ line }, noise) => line + noise(0.01),
    },
    wheels: {
      name: 'Wheel speeds',
      device_class: 'speed',
      unit_of_measurement: 'm/s',
      min: -1,
      max: 1,
      step: 0.001,
      read: ({ speed, turn }) => ({
        left: speed - (turn * ROBOT.track) / 2,
        right: speed + (turn * ROBOT.track) / 2,
      }),
    },
    pose: {
      name: 'Pose',
      min: -180,
      max: 180,
      step: 0.001,
      read: ({ x, y, heading }) => ({ x, y, heading: wrapAngle(degrees(heading)) }),
    },
    laps: {
      name: 'Laps',
      min: 0,
      max: 1_000_000,
      step: 1,
      read: ({ traveled }) => Math.floor(Math.max(0, traveled) / (2 * Math.PI)),
    },
  },
}
