import type { Reading } from '../../instruments/reading.ts'
import { group } from '../instrument-panel/arrange.tsx'
import { commands, instrumentPanel, optional, reads } from '../instrument-panel/declare.ts'
import { actions, bars, derived, lamp, level, number, slider, toggle } from '../instrument-panel/nodes.tsx'
import { plot } from '../instrument-panel/over-time.tsx'
import { heat, map, orientation } from '../instrument-panel/spatial.tsx'
import { words } from './words.ts'

export const imu = instrumentPanel({
  kind: 'imu',
  binds: {
    orientation: reads(/^(quaternion|orientation|attitude)$/),
    acceleration: reads(/^(acceleration|accel|accelerometer)$/, { deviceClass: 'acceleration' }),
    gyro: optional(reads(/^(gyro|gyroscope|angular_velocity)$/)),
    magnetometer: optional(reads(/^(magnetometer|magnetic_field|mag)$/)),
    calibration: optional(reads(/^calibration$/)),
    calibrate: optional(commands(/^calibrate$/, 'button')),
  },
  view: (of) => [
    orientation(of.orientation),
    group(
      words.calibration,
      level(of.calibration, { zones: words.calibrated }),
      actions(words.newCalibration, [of.calibrate]),
    ),
    plot(of.acceleration?.label ?? words.raw, [of.acceleration], { seconds: 20 }),
    plot(of.gyro?.label ?? words.raw, [of.gyro], { seconds: 20 }),
    plot(of.magnetometer?.label ?? words.raw, [of.magnetometer], { seconds: 20 }),
  ],
})

export const timeOfFlight = instrumentPanel({
  kind: 'time-of-flight',
  binds: {
    distances: reads(/^(distances|zones|frame)$/, { units: ['mm', 'cm', 'm'] }),
    nearest: optional(reads(/^nearest$/, { units: ['mm', 'cm', 'm'] })),
    ranging: optional(commands(/^ranging$/, 'switch')),
    rate: optional(commands(/^rate$/, 'number')),
  },
  view: (of) => [
    heat(of.distances),
    group(
      words.frames,
      number(of.nearest),
      derived(of.distances, { label: words.nearestZone, from: nearestZone }),
      toggle(of.ranging),
      slider(of.rate),
    ),
    plot(words.history, [of.nearest], { seconds: 30 }),
  ],
})

export const ultrasonic = instrumentPanel({
  kind: 'ultrasonic',
  binds: {
    distance: reads(/^(distance|range)$/, { units: ['mm', 'cm', 'm'], platform: ['sensor'] }),
    nearBelow: optional(commands(/^(near_below|threshold)$/, 'number', { units: ['mm', 'cm', 'm'] })),
    near: optional(reads(/^near$/, { platform: ['binary_sensor'] })),
  },
  view: (of) => [
    group(words.distance, level(of.distance), lamp(of.near, words.near)),
    slider(of.nearBelow),
    plot(words.history, [of.distance], { seconds: 30, limits: [of.nearBelow] }),
  ],
})

export const ultraWideband = instrumentPanel({
  kind: 'ultra-wideband',
  binds: {
    position: reads(/^position$/, { units: ['m', 'cm', 'mm'], platform: ['sensor'] }),
    anchors: optional(reads(/^anchors$/)),
    ranges: reads(/^ranges$/, { units: ['m', 'cm', 'mm'] }),
    accuracy: optional(reads(/^accuracy$/)),
    rate: optional(commands(/^rate$/, 'number')),
  },
  view: (of) => [
    map(of.position, { label: words.place, anchors: of.anchors, accuracy: of.accuracy }),
    group(words.distance, bars(of.ranges), number(of.accuracy), slider(of.rate)),
    plot(words.overTime, [of.position], { seconds: 60 }),
  ],
})

/** By row and column, from 1, as the heat map counts them. */
function nearestZone(value: Reading['value']): string | undefined {
  if (!Array.isArray(value)) return undefined
  const all = value.map((one: unknown) => (typeof one === 'number' ? one : Infinity))
  const columns = Math.round(Math.sqrt(all.length))
  const place = all.indexOf(Math.min(...all))
  return words.zone(Math.floor(place / columns) + 1, (place % columns) + 1)
}
