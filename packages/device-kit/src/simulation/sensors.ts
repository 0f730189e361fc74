import { type Design, kept } from './engine.ts'
import { approach, clamp, radians, slew, wander, wrapAngle } from './numbers.ts'

interface Imu {
  /** Degrees, and how fast they change. */
  roll: number
  pitch: number
  yaw: number
  rates: { roll: number; pitch: number; yaw: number }
  offset: number
  calibration: number
}

const GRAVITY = 9.81
/** µT, of a magnet field that points north and down. */
const FIELD = { north: 20, down: 44 }

const trig = (angle: number) => [Math.sin(radians(angle)), Math.cos(radians(angle))] as const

/** What points down in the room, as the sensor sees it. */
function downward({ roll, pitch }: Imu) {
  const [sinRoll, cosRoll] = trig(roll)
  const [sinPitch, cosPitch] = trig(pitch)
  return { x: -sinPitch, y: sinRoll * cosPitch, z: cosRoll * cosPitch }
}

function northward({ roll, pitch, yaw }: Imu) {
  const [sinRoll, cosRoll] = trig(roll)
  const [sinPitch, cosPitch] = trig(pitch)
  const [sinYaw, cosYaw] = trig(yaw)
  return {
    x: cosPitch * cosYaw,
    y: sinRoll * sinPitch * cosYaw - cosRoll * sinYaw,
    z: cosRoll * sinPitch * cosYaw + sinRoll * sinYaw,
  }
}

function quaternion({ roll, pitch, yaw }: Imu) {
  const [sr, cr] = trig(roll / 2)
  const [sp, cp] = trig(pitch / 2)
  const [sy, cy] = trig(yaw / 2)
  return {
    w: cr * cp * cy + sr * sp * sy,
    x: sr * cp * cy - cr * sp * sy,
    y: cr * sp * cy + sr * cp * sy,
    z: cr * cp * sy - sr * sp * cy,
  }
}

/** Turns of the angles as turns about the sensor's own axes. */
function bodyRates({ roll, pitch, rates }: Imu) {
  const [sinRoll, cosRoll] = trig(roll)
  const [sinPitch, cosPitch] = trig(pitch)
  return {
    x: rates.roll - rates.yaw * sinPitch,
    y: rates.pitch * cosRoll + rates.yaw * cosPitch * sinRoll,
    z: -rates.pitch * sinRoll + rates.yaw * cosPitch * cosRoll,
  }
}

export const imu: Design<Imu> = {
  name: 'imu',
  title: 'Motion sensor',
  model: 'Nine-axis IMU',
  start: (random) => ({
    roll: 0,
    pitch: 0,
    yaw: random() * 90,
    rates: { roll: 0, pitch: 0, yaw: 0 },
    offset: 0.8,
    calibration: 1,
  }),
  step(state, { dt, random }) {
    const { rates } = state
    // Somebody holds it: it is turned about, and comes back to level.
    rates.roll = wander(rates.roll, { around: -state.roll * 0.4, spread: 9, timeConstant: 1.2 }, dt, random)
    rates.pitch = wander(
      rates.pitch,
      { around: -state.pitch * 0.4, spread: 8, timeConstant: 1.2 },
      dt,
      random,
    )
    rates.yaw = wander(rates.yaw, { around: 6, spread: 15, timeConstant: 2 }, dt, random)
    state.roll = wrapAngle(state.roll + rates.roll * dt)
    // Straight up, roll and yaw would be the same.
    state.pitch = clamp(state.pitch + rates.pitch * dt, -85, 85)
    state.yaw = wrapAngle(state.yaw + rates.yaw * dt)
    state.calibration = slew(state.calibration, 3, dt * 0.3)
    state.offset = approach(state.offset, state.calibration >= 3 ? 0 : 0.8, 1, dt)
  },
  stop: () => undefined,
  channels: {
    acceleration: {
      name: 'Acceleration',
      device_class: 'acceleration',
      unit_of_measurement: 'm/s²',
      min: -39,
      max: 39,
      step: 0.001,
      read(state, noise) {
        const { x, y, z } = downward(state)
        return {
          x: x * GRAVITY + noise(0.05),
          y: y * GRAVITY + noise(0.05),
          z: z * GRAVITY + noise(0.05),
        }
      },
    },
    gyro: {
      name: 'Turn rate',
      unit_of_measurement: '°/s',
      min: -250,
      max: 250,
      step: 0.01,
      read(state, noise) {
        const { x, y, z } = bodyRates(state)
        const { offset } = state
        return { x: x + offset + noise(0.1), y: y - offset + noise(0.1), z: z + noise(0.1) }
      },
    },
    magnetometer: {
      name: 'Magnetic field',
      unit_of_measurement: 'µT',
      min: -100,
      max: 100,
      step: 0.1,
      read(state, noise) {
        const [north, down] = [northward(state), downward(state)]
        return {
          x: FIELD.north * north.x + FIELD.down * down.x + noise(0.3),
          y: FIELD.north * north.y + FIELD.down * down.y + noise(0.3),
          z: FIELD.north * north.z + FIELD.down * down.z + noise(0.3),
        }
      },
    },
    quaternion: {
      name: 'Orientation',
      min: -1,
      max: 1,
      step: 0.0001,
      read: quaternion,
    },
    attitude: {
      name: 'Attitude',
      unit_of_measurement: '°',
      min: -180,
      max: 180,
      step: 0.1,
      read: ({ roll, pitch, yaw }) => ({ roll, pitch, yaw }),
    },
    calibrate: {
      platform: 'button',
      name: 'Calibrate',
      write(state) {
        state.calibration = 0
      },
    },
    calibration: {
      name: 'Calibration',
      min: 0,
      max: 3,
      step: 1,
      read: ({ calibration }) => Math.floor(calibration),
    },
  },
}

interface TimeOfFlight {
  isRanging: boolean
  rate: number
  time: number
  untilFrame: number
  frame: (number | null)[]
}

const ZONES = 8
const FARTHEST = 4_000

/** A wall that stands askew, and a ball before it that goes around. */
function distanceOf(index: number, time: number): number {
  const column = (index % ZONES) - 3.5
  const row = Math.floor(index / ZONES) - 3.5
  const ball = { column: 3 * Math.cos(time * 0.7), row: 2.5 * Math.sin(time * 1.1) }
  const away = Math.hypot(column - ball.column, row - ball.row)
  return away < 1.6 ? 600 + 60 * away ** 2 : 1_600 + 70 * column + 25 * row
}

export const timeOfFlight: Design<TimeOfFlight> = {
  name: 'time-of-flight',
  title: 'Time of flight',
  model: 'Ranging sensor 8 × 8',
  start: () => ({
    isRanging: true,
    rate: 10,
    time: 0,
    untilFrame: 0,
    frame: Array.from({ length: ZONES ** 2 }, (_, index) => distanceOf(index, 0)),
  }),
  step(state, { dt, random }) {
    state.time += dt
    state.untilFrame -= dt
    if (!state.isRanging || state.untilFrame > 0) return
    state.untilFrame = 1 / state.rate
    state.frame = Array.from({ length: ZONES ** 2 }, (_, index) => {
      const isMissed = random() < 0.004
      const distance = distanceOf(index, state.time)
      return isMissed ? null : distance * (1 + (random() - 0.5) * 0.02)
    })
  },
  stop: () => undefined,
  channels: {
    distances: {
      name: 'Distances',
      device_class: 'distance',
      unit_of_measurement: 'mm',
      min: 0,
      max: FARTHEST,
      step: 1,
      read: ({ frame }) => frame,
    },
    nearest: {
      name: 'Nearest',
      device_class: 'distance',
      unit_of_measurement: 'mm',
      min: 0,
      max: FARTHEST,
      step: 1,
      read: ({ frame }) => Math.min(...frame.map((each) => each ?? FARTHEST)),
    },
    ranging: {
      platform: 'switch',
      name: 'Ranging',
      read: ({ isRanging }) => isRanging,
      write(state, value) {
        state.isRanging = value
      },
    },
    rate: {
      platform: 'number',
      name: 'Frames',
      device_class: 'frequency',
      unit_of_measurement: 'Hz',
      min: 1,
      max: 15,
      step: 1,
      ...kept('rate'),
    },
  },
}

interface Ultrasonic {
  distance: number
  goal: number
  /** Seconds that no echo comes for. */
  silence: number
  nearBelow: number
}

const ECHO = { nearest: 2, farthest: 400 }

export const ultrasonic: Design<Ultrasonic> = {
  name: 'ultrasonic',
  title: 'Ultrasonic',
  model: 'Ultrasonic ranger',
  start: (random) => ({ distance: 120, goal: 60 + random() * 100, silence: 0, nearBelow: 30 }),
  step(state, { dt, random }) {
    // Something walks to and fro before it.
    if (Math.abs(state.distance - state.goal) < 1) state.goal = 10 + random() * 300
    state.distance = slew(state.distance, state.goal, 40 * dt)
    state.silence = Math.max(0, state.silence - dt)
    if (random() < 0.1 * dt) state.silence = 0.1 + random() * 0.4
  },
  stop: () => undefined,
  channels: {
    distance: {
      name: 'Distance',
      device_class: 'distance',
      unit_of_measurement: 'cm',
      min: ECHO.nearest,
      max: ECHO.farthest,
      step: 0.1,
      read: ({ distance, silence }, noise) => (silence > 0 ? null : distance + noise(0.6)),
    },
    near_below: {
      platform: 'number',
      name: 'Near below',
      device_class: 'distance',
      unit_of_measurement: 'cm',
      min: ECHO.nearest,
      max: ECHO.farthest,
      step: 1,
      ...kept('nearBelow'),
    },
    near: {
      platform: 'binary_sensor',
      name: 'Near',
      device_class: 'occupancy',
      read: ({ distance, nearBelow }) => distance < nearBelow,
    },
  },
}

interface Tag {
  rate: number
  time: number
  untilFix: number
  x: number
  y: number
  ranges: (number | null)[]
  fix: { x: number; y: number }
  accuracy: number
}

/** Meters. All hang at one height, and the tag is carried at another. */
const ANCHORS = [
  { x: 0, y: 0 },
  { x: 6, y: 0 },
  { x: 6, y: 4 },
  { x: 0, y: 4 },
] as const
const HEIGHT = { anchors: 2.5, tag: 1 }
const ABOVE = HEIGHT.anchors - HEIGHT.tag

/** Least squares over the differences of the squared ranges to the first anchor that is heard. */
function locate(ranges: readonly (number | null)[]): { x: number; y: number } | undefined {
  const heard = ANCHORS.flatMap(({ x, y }, index) => {
    const range = ranges[index] ?? null
    return range === null ? [] : [{ x, y, squared: range ** 2 - x ** 2 - y ** 2 }]
  })
  const [first, ...others] = heard
  if (first === undefined || others.length < 2) return undefined
  let [xx, xy, yy, xr, yr] = [0, 0, 0, 0, 0]
  for (const other of others) {
    const [dx, dy] = [2 * (other.x - first.x), 2 * (other.y - first.y)]
    const right = first.squared - other.squared
    xx += dx * dx
    xy += dx * dy
    yy += dy * dy
    xr += dx * right
    yr += dy * right
  }
  const determinant = xx * yy - xy * xy
  return { x: (xr * yy - yr * xy) / determinant, y: (yr * xx - xr * xy) / determinant }
}

export const ultraWideband: Design<Tag> = {
  name: 'ultra-wideband',
  title: 'Ultra-wideband',
  model: 'Tag and four anchors',
  start: () => ({
    rate: 10,
    time: 0,
    untilFix: 0,
    x: 3,
    y: 2,
    ranges: ANCHORS.map(({ x, y }) => Math.hypot(x - 3, y - 2, ABOVE)),
    fix: { x: 3, y: 2 },
    accuracy: 0.1,
  }),
  step(state, { dt, random }) {
    state.time += dt
    // Around the room in loops that do not repeat soon.
    state.x = 3 + 2.3 * Math.sin(state.time * 0.21)
    state.y = 2 + 1.5 * Math.sin(state.time * 0.34)
    state.untilFix -= dt
    if (state.untilFix > 0) return
    state.untilFix = 1 / state.rate
    state.ranges = ANCHORS.map(({ x, y }) => {
      const range = Math.hypot(x - state.x, y - state.y, ABOVE) + (random() - 0.5) * 0.12
      return random() < 0.02 ? null : range
    })
    const fix = locate(state.ranges)
    if (fix === undefined) return
    state.fix = { x: clamp(fix.x, -1, 7), y: clamp(fix.y, -1, 5) }
    state.accuracy = 0.06 * state.ranges.filter((each) => each === null).length + 0.06
  },
  stop: () => undefined,
  channels: {
    position: {
      name: 'Position',
      device_class: 'distance',
      unit_of_measurement: 'm',
      min: -2,
      max: 8,
      step: 0.001,
      read: ({ fix }) => ({ ...fix, z: HEIGHT.tag }),
    },
    ranges: {
      name: 'Ranges',
      device_class: 'distance',
      unit_of_measurement: 'm',
      min: 0,
      max: 10,
      step: 0.001,
      read: ({ ranges: [a1 = null, a2 = null, a3 = null, a4 = null] }) => ({ a1, a2, a3, a4 }),
    },
    anchors: {
      name: 'Anchors',
      device_class: 'distance',
      unit_of_measurement: 'm',
      min: 0,
      max: 10,
      step: 0.001,
      read: () =>
        Object.fromEntries(
          ANCHORS.flatMap(({ x, y }, index) => [
            [`a${index + 1}_x`, x],
            [`a${index + 1}_y`, y],
            [`a${index + 1}_z`, HEIGHT.anchors],
          ]),
        ),
    },
    accuracy: {
      name: 'Accuracy',
      device_class: 'distance',
      unit_of_measurement: 'm',
      min: 0,
      max: 1,
      step: 0.01,
      read: ({ accuracy }) => accuracy,
    },
    rate: {
      platform: 'number',
      name: 'Fixes',
      device_class: 'frequency',
      unit_of_measurement: 'Hz',
      min: 1,
      max: 20,
      step: 1,
      ...kept('rate'),
    },
  },
}
