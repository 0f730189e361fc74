import type { DeviceValue } from '@patchbay/contracts/devices'
import { expect, test } from 'vitest'
import { device, leap } from './device.ts'

const listOf = (value: DeviceValue): readonly DeviceValue[] => (Array.isArray(value) ? value : [])

test('[DK-59] temperatures drift slowly, and the probe lies between room and case', () => {
  const thermometer = device('thermometer')
  thermometer.step(300)
  const seen = thermometer.trace(600, () =>
    ['room', 'probe', 'case'].map((channel) => thermometer.number(channel)),
  )
  for (const index of [0, 1, 2]) {
    const one = seen.map((each) => each[index] ?? Number.NaN)
    expect(leap(one)).toBeLessThan(0.6)
    expect(Math.max(...one) - Math.min(...one)).toBeGreaterThan(0.3)
  }
  const means = [0, 1, 2].map(
    (index) => seen.reduce((sum, each) => sum + (each[index] ?? 0), 0) / seen.length,
  )
  expect(means.toSorted((a, b) => a - b)).toEqual(means)
})

test('[DK-59] the alarm is of the warmest', () => {
  const thermometer = device('thermometer')
  thermometer.step(60)
  expect(thermometer.value('alarm')).toBe(false)
  thermometer.tell('alarm_above', 10)
  expect(thermometer.value('alarm')).toBe(true)
})

test('[DK-60] an output does as told, and a jumper brings it to an input', () => {
  const gpio = device('gpio')
  gpio.tell('pin_0')
  gpio.step(0.1)
  expect([gpio.value('pin_0'), gpio.value('pin_6')]).toEqual([true, true])
  gpio.tell('pin_0', false)
  gpio.step(0.1)
  expect([gpio.value('pin_0'), gpio.value('pin_6')]).toEqual([false, false])
})

test('[DK-60] an input refuses until it is an output, and begins low', () => {
  const gpio = device('gpio')
  gpio.step(0.1)
  expect(gpio.value('pin_7')).toBe(true)
  expect(gpio.refusal('pin_7')).toContain('input')
  gpio.tell('direction_7', 'output')
  gpio.step(0.1)
  expect(gpio.value('pin_7')).toBe(false)
  gpio.tell('pin_7')
  gpio.step(0.1)
  expect(gpio.value('pin_7')).toBe(true)
})

test('[DK-60] PWM shows as a voltage that rises slowly, and its pin takes nothing else', () => {
  const gpio = device('gpio')
  gpio.tell('pwm_duty', 50)
  gpio.tell('pwm')
  expect(gpio.refusal('pin_3')).toContain('PWM')
  expect(gpio.refusal('direction_3', 'input')).toContain('PWM')
  expect(leap(gpio.trace(3, () => gpio.number('adc_0')))).toBeLessThan(0.25)
  expect(gpio.number('adc_0')).toBeCloseTo(1.65, 1)
})

test('[DK-60] edges are counted', () => {
  const gpio = device('gpio')
  gpio.step(0.05)
  const before = Number(listOf(gpio.value('edges'))[5])
  gpio.step(10)
  expect(Number(listOf(gpio.value('edges'))[5]) - before).toBe(20)
})

test('[DK-61] a slower clock loads the chip more, a faster one warms it', () => {
  const [slow, fast] = [device('chip'), device('chip')]
  slow.tell('clkdiv', 8)
  fast.tell('ctrl', 7)
  fast.tell('clkdiv', 1)
  for (const chip of [slow, fast]) chip.step(120)
  expect(slow.number('clock')).toBe(25)
  expect(fast.number('clock')).toBe(400)
  expect(slow.number('load')).toBeGreaterThan(fast.number('load') + 30)
  expect(fast.number('temperature')).toBeGreaterThan(slow.number('temperature') + 20)
})

test('[DK-61] registers agree with what they stand for', () => {
  const chip = device('chip')
  chip.tell('clkdiv', 2)
  chip.step(60)
  expect(chip.value('registers')).toMatchObject({ CTRL: 5, CLKDIV: 2, ERRCNT: chip.number('errors') })
  expect(Math.abs(chip.member('registers', 'TEMP') / 16 - chip.number('temperature'))).toBeLessThan(0.4)
  const sum = chip.member('memory', 'used') + chip.member('memory', 'free')
  expect(Math.abs(sum - 512)).toBeLessThanOrEqual(1)
})

test('[DK-61] disabled, the clock stands; reset, everything is as at first', () => {
  const chip = device('chip')
  chip.tell('ctrl', 0)
  chip.step(1)
  expect([chip.number('clock'), chip.member('registers', 'STATUS') & 1]).toEqual([0, 0])
  expect(chip.refusal('clkdiv', 2)).toContain('CTRL')
  chip.tell('reset')
  expect([chip.number('ctrl'), chip.number('clkdiv'), chip.number('uptime')]).toEqual([5, 4, 0])
})

test('[DK-61] errors never decrease but by reset', () => {
  const chip = device('chip')
  chip.tell('clkdiv', 16)
  const errors = chip.trace(120, () => chip.number('errors'))
  expect(errors).toEqual(errors.toSorted((a, b) => a - b))
  expect(errors.at(-1)).toBeGreaterThan(0)
  chip.tell('reset')
  expect(chip.number('errors')).toBe(0)
})

test('[DK-62] acceleration, attitude and quaternion are of one orientation', () => {
  const imu = device('imu')
  imu.trace(30, () => {
    const [x, y, z] = ['x', 'y', 'z'].map((axis) => imu.member('acceleration', axis))
    if (x === undefined || y === undefined || z === undefined) throw new Error('no acceleration')
    const [roll, pitch] = ['roll', 'pitch'].map((angle) => imu.member('attitude', angle))
    expect(Math.abs(Math.hypot(x, y, z) - 9.81)).toBeLessThan(0.1)
    expect(Math.abs((Math.atan2(-x, Math.hypot(y, z)) * 180) / Math.PI - (pitch ?? 0))).toBeLessThan(1)
    expect(Math.abs((Math.atan2(y, z) * 180) / Math.PI - (roll ?? 0))).toBeLessThan(3)
    const [w, i, j, k] = ['w', 'x', 'y', 'z'].map((part) => imu.member('quaternion', part))
    if (w === undefined || i === undefined || j === undefined || k === undefined)
      throw new Error('no quaternion')
    expect(Math.hypot(w, i, j, k)).toBeCloseTo(1, 3)
    expect(Math.abs((Math.asin(2 * (w * j - k * i)) * 180) / Math.PI - (pitch ?? 0))).toBeLessThan(0.2)
  })
})

test('[DK-62] turn rates are how the orientation changes', () => {
  const imu = device('imu')
  imu.step(20)
  imu.trace(10, () => {
    const before = quaternionOf(imu)
    imu.step(0.05)
    const after = quaternionOf(imu)
    // What lies between two orientations is half the turn, for small turns.
    const between = multiply(conjugate(before), after)
    const turned = between
      .slice(1)
      .map((part) => (part * Math.sign(between[0] ?? 1) * 2 * 180) / Math.PI / 0.05)
    for (const [index, axis] of ['x', 'y', 'z'].entries())
      expect(Math.abs((turned[index] ?? Number.NaN) - imu.member('gyro', axis))).toBeLessThan(2)
  })
})

const quaternionOf = (imu: ReturnType<typeof device>) =>
  ['w', 'x', 'y', 'z'].map((part) => imu.member('quaternion', part))
const conjugate = ([w = 0, x = 0, y = 0, z = 0]: readonly number[]) => [w, -x, -y, -z]
const multiply = (
  [aw = 0, ax = 0, ay = 0, az = 0]: readonly number[],
  [bw = 0, bx = 0, by = 0, bz = 0]: readonly number[],
) => [
  aw * bw - ax * bx - ay * by - az * bz,
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
]

test('[DK-62] calibration begins anew and ends', () => {
  const imu = device('imu')
  imu.step(20)
  expect(imu.number('calibration')).toBe(3)
  imu.tell('calibrate')
  expect(imu.number('calibration')).toBe(0)
  imu.step(20)
  expect(imu.number('calibration')).toBe(3)
})

test('[DK-63] there are 64 distances, and something is nearer than the wall', () => {
  const sensor = device('time-of-flight')
  const frames = sensor.trace(20, () => listOf(sensor.value('distances')))
  for (const frame of frames) {
    expect(frame).toHaveLength(64)
    expect(Math.min(...frame.map((each) => Number(each ?? 4_000)))).toBeLessThan(900)
  }
  expect(frames.flat()).toContain(null)
  const last = frames.at(-1) ?? []
  expect(sensor.number('nearest')).toBe(Math.min(...last.map((each) => Number(each ?? 4_000))))
})

test('[DK-63] frames come at their rate, and none while it does not range', () => {
  const sensor = device('time-of-flight')
  const countFrames = () => new Set(sensor.trace(10, () => JSON.stringify(sensor.value('distances')))).size
  expect(countFrames()).toBeGreaterThan(80)
  sensor.tell('rate', 2)
  expect(countFrames()).toBeLessThan(25)
  sensor.tell('ranging', false)
  expect(countFrames()).toBe(1)
})

test('[DK-64] the distance moves steadily, and sometimes no echo comes', () => {
  const sensor = device('ultrasonic')
  const seen = sensor.trace(300, () => sensor.value('distance'))
  const silent = seen.filter((each) => each === null).length / seen.length
  expect(silent).toBeGreaterThan(0.005)
  expect(silent).toBeLessThan(0.1)
  const steps = seen.slice(1).flatMap((each, index) => {
    const before = seen[index]
    return typeof each === 'number' && typeof before === 'number' ? [Math.abs(each - before)] : []
  })
  expect(Math.max(...steps)).toBeLessThan(3.5)
  expect(Math.max(...steps)).toBeGreaterThan(0)
})

test('[DK-64] near is what is nearer than the limit', () => {
  const sensor = device('ultrasonic')
  sensor.tell('near_below', 400)
  expect(sensor.value('near')).toBe(true)
  sensor.tell('near_below', 2)
  expect(sensor.value('near')).toBe(false)
})

test('[DK-65] the position is what the ranges say', () => {
  const tag = device('ultra-wideband')
  const places = tag.trace(60, () => {
    const [x, y, z] = ['x', 'y', 'z'].map((axis) => tag.member('position', axis))
    const ranges = Object.entries(Object.assign({}, tag.value('ranges')))
    const heard = ranges.filter(([, range]) => range !== null)
    // Two do not tell where it is.
    for (const [anchor, range] of heard.length < 3 ? [] : heard) {
      const [ax, ay, az] = ['x', 'y', 'z'].map((axis) => tag.member('anchors', `${anchor}_${axis}`))
      const distance = Math.hypot((ax ?? 0) - (x ?? 0), (ay ?? 0) - (y ?? 0), (az ?? 0) - (z ?? 0))
      expect(Math.abs(distance - Number(range))).toBeLessThan(0.3)
    }
    return x ?? 0
  })
  expect(leap(places)).toBeLessThan(0.5)
  expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(3)
})

test('[DK-65] an anchor that is not heard makes it less accurate', () => {
  const tag = device('ultra-wideband')
  const seen = tag.trace(60, () => ({
    missing: Object.values(Object.assign({}, tag.value('ranges'))).filter((range) => range === null).length,
    accuracy: tag.number('accuracy'),
  }))
  const accuracies = (missing: number) =>
    seen.filter((each) => each.missing === missing).map(({ accuracy }) => accuracy)
  expect(accuracies(1).length).toBeGreaterThan(0)
  expect(Math.min(...accuracies(1))).toBeGreaterThan(Math.max(...accuracies(0)))
})

test('[DK-66] carbon dioxide rises while the room is occupied and falls while it is not', () => {
  const room = device('environment')
  const seen = room.trace(900, () => ({
    isOccupied: room.value('occupied'),
    carbonDioxide: room.number('carbon_dioxide'),
  }))
  const second = 20
  const changes = seen.slice(10 * second).flatMap(({ isOccupied, carbonDioxide }, index) => {
    const span = seen.slice(index, index + 10 * second)
    return span.every((each) => each.isOccupied === isOccupied)
      ? [{ isOccupied, change: carbonDioxide - (seen[index]?.carbonDioxide ?? 0) }]
      : []
  })
  const mean = (isOccupied: boolean) => {
    const own = changes.filter((each) => each.isOccupied === isOccupied).map(({ change }) => change)
    return own.reduce((sum, each) => sum + each, 0) / own.length
  }
  expect(mean(true)).toBeGreaterThan(1)
  expect(mean(false)).toBeLessThan(-1)
})

test('[DK-66] the air quality is of the worse of both', () => {
  const room = device('environment')
  room.trace(60, () => {
    const worse = Math.max((room.number('carbon_dioxide') - 420) / 10, room.number('particles') * 4)
    expect(Math.abs(room.number('air_quality') - worse)).toBeLessThan(3)
  })
})

test('[DK-67] lines have a level, a source and a message, and a number of their own', () => {
  const robot = device('robot-log')
  const lines = new Map(robot.trace(120, () => [robot.member('log', 'seq'), robot.value('log')] as const))
  expect(lines.size).toBeGreaterThan(40)
  expect([...lines.keys()]).toEqual([...lines.keys()].toSorted((a, b) => a - b))
  for (const line of lines.values())
    expect(line).toEqual({
      level: expect.stringMatching(/^(debug|info|warn|error)$/),
      source: expect.any(String),
      message: expect.any(String),
      seq: expect.any(Number),
    })
})

test('[DK-67] nothing below the least level is told', () => {
  const robot = device('robot-log')
  robot.tell('level', 'warn')
  const first = robot.member('log', 'seq')
  const lines = robot.trace(300, () => Object.assign({ level: '', seq: 0 }, robot.value('log')))
  const told = lines.filter(({ seq }) => seq > first)
  expect(told.length).toBeGreaterThan(0)
  expect(told.every(({ level }) => level === 'warn' || level === 'error')).toBe(true)
})

test('[DK-67] the battery empties while it drives, and it charges in time', () => {
  const robot = device('robot-log')
  robot.tell('dock')
  expect(robot.refusal('dock')).toContain('already')
  const seen = robot.trace(1_800, () => [robot.value('state'), robot.number('battery')] as const)
  expect(new Set(seen.map(([state]) => state))).toEqual(new Set(['charging', 'idle', 'driving']))
  expect(Math.min(...seen.map(([, battery]) => battery))).toBeGreaterThan(15)
})
