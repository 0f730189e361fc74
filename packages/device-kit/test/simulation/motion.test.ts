import { expect, test } from 'vitest'
import { device, leap } from './device.ts'

function runningMotor() {
  const motor = device('motor')
  motor.tell('target', 2_000)
  motor.step(5)
  return motor
}

test('[DK-48] the speed follows its ramp to the target and stays there', () => {
  const motor = device('motor')
  motor.tell('acceleration', 500)
  motor.tell('target', 2_000)
  const speeds = motor.trace(8, () => motor.number('speed'))
  expect(speeds[19]).toBeGreaterThan(300)
  expect(speeds[19]).toBeLessThan(510)
  expect(speeds[59]).toBeLessThan(1_510)
  expect(leap(speeds)).toBeLessThan(60)
  for (const speed of speeds.slice(100)) expect(Math.abs(speed - 2_000)).toBeLessThan(20)
})

test('[DK-48] turning the other way, it passes through standstill', () => {
  const motor = runningMotor()
  motor.tell('direction', 'reverse')
  const speeds = motor.trace(6, () => motor.number('speed'))
  expect(leap(speeds)).toBeLessThan(100)
  expect(Math.min(...speeds.map(Math.abs))).toBeLessThan(60)
  expect(speeds.at(-1)).toBeLessThan(-1_950)
})

test('[DK-48] a load makes it sag until the controller has noticed, and costs current', () => {
  const motor = runningMotor()
  const before = motor.number('current')
  motor.tell('load', 0.6)
  const speeds = motor.trace(4, () => motor.number('speed'))
  expect(Math.min(...speeds)).toBeLessThan(1_950)
  expect(speeds.at(-1)).toBeGreaterThan(1_980)
  expect(motor.number('current')).toBeGreaterThan(before + 5)
})

test('[DK-48] with less current than the load needs, it stalls', () => {
  const motor = runningMotor()
  motor.tell('load', 0.9)
  motor.tell('current_limit', 5)
  motor.step(10)
  expect(motor.number('speed')).toBe(0)
})

test('[DK-48] the brake stops it within a second, and released, it stays at rest', () => {
  const motor = runningMotor()
  motor.tell('brake')
  motor.step(1)
  expect([motor.number('speed'), motor.value('state')]).toEqual([0, 'braked'])
  motor.tell('brake', false)
  motor.step(2)
  expect([motor.number('speed'), motor.number('target'), motor.value('state')]).toEqual([0, 0, 'stopped'])
})

test('[DK-47] braked, it takes no target but 0', () => {
  const motor = device('motor')
  motor.tell('brake')
  expect(motor.refusal('target', 100)).toContain('brake')
  motor.tell('target', 0)
})

test('[DK-49] the winding warms slowly, and more with more current', () => {
  const [little, much] = [runningMotor(), runningMotor()]
  much.tell('load', 0.6)
  const temperatures = much.trace(100, () => much.number('temperature'))
  little.step(100)
  expect(leap(temperatures)).toBeLessThan(0.5)
  expect(much.number('temperature')).toBeGreaterThan(little.number('temperature') + 20)
})

test('[DK-49] too hot, it stops and refuses until it has cooled', () => {
  const motor = runningMotor()
  motor.tell('current_limit', 20)
  motor.tell('load', 0.9)
  const states = motor.trace(240, () => motor.value('state'))
  expect(states).toContain('overheated')
  expect(motor.number('target')).toBe(0)
  const hot = runningMotor()
  hot.tell('current_limit', 20)
  hot.tell('load', 0.9)
  while (hot.value('state') !== 'overheated') hot.step(1)
  expect(hot.refusal('target', 100)).toContain('hot')
  hot.step(120)
  expect(hot.number('temperature')).toBeLessThan(70)
  hot.tell('target', 100)
})

function controller(gains: Readonly<Record<string, number>>) {
  const made = device('speed-controller')
  for (const [gain, value] of Object.entries(gains)) made.tell(gain, value)
  made.tell('enabled')
  made.tell('target', 3_000)
  return made
}

test('[DK-50] the controller reaches its target, also under load', () => {
  const made = controller({})
  const speeds = made.trace(10, () => made.number('measured'))
  expect(leap(speeds)).toBeLessThan(400)
  expect(Math.abs(made.number('measured') - 3_000)).toBeLessThan(30)
  const duty = made.number('duty')
  made.tell('load', 60)
  expect(Math.min(...made.trace(10, () => made.number('measured')))).toBeLessThan(2_900)
  expect(Math.abs(made.number('measured') - 3_000)).toBeLessThan(30)
  expect(made.number('duty')).toBeGreaterThan(duty + 20)
})

test('[DK-50] without integral gain an error remains', () => {
  const made = controller({ ki: 0 })
  made.step(20)
  expect(made.number('error')).toBeGreaterThan(500)
})

test('[DK-47] the controller takes a target when enabled, and enabling starts nothing', () => {
  const made = device('speed-controller')
  expect(made.refusal('target', 1_000)).toContain('off')
  made.tell('enabled')
  made.step(5)
  expect(made.number('measured')).toBe(0)
})

test('[DK-51] the servo turns as fast as its slew rate and then holds', () => {
  const servo = device('servo')
  expect(servo.refusal('target', 10)).toContain('Torque')
  servo.tell('torque_enabled')
  servo.tell('slew_rate', 60)
  servo.tell('target', 90)
  const angles = servo.trace(1, () => servo.number('angle'))
  expect(leap(angles)).toBeLessThan(3.2)
  expect(angles.at(-1)).toBeCloseTo(60, 0)
  expect(servo.value('moving')).toBe(true)
  servo.step(1)
  expect(servo.number('angle')).toBeCloseTo(90, 0)
  expect(servo.value('moving')).toBe(false)
})

test('[DK-51] the arm weighs most when it is level', () => {
  const servo = device('servo')
  servo.tell('torque_enabled')
  servo.step(1)
  const level = servo.number('torque')
  servo.tell('target', 85)
  servo.step(3)
  expect(servo.number('torque')).toBeLessThan(level / 3)
})

test('[DK-51] the camera turns as fast as its speed, and a preset moves all axes', () => {
  const camera = device('ptz-camera')
  camera.tell('speed', 40)
  camera.tell('preset', 'oven')
  const pans = camera.trace(1, () => camera.member('position', 'pan'))
  expect(leap(pans)).toBeLessThanOrEqual(2.05)
  expect(camera.member('position', 'pan')).toBeCloseTo(40, 0)
  camera.step(3)
  expect(camera.value('position')).toEqual({ pan: 80, tilt: -10, zoom: 6 })
  camera.tell('pan', 0)
  expect(camera.value('preset')).toBe('custom')
})

function flyingDrone() {
  const drone = device('drone')
  drone.tell('armed')
  drone.tell('take_off')
  drone.step(6)
  return drone
}

test('[DK-52] the drone takes off to its height and hovers', () => {
  const drone = device('drone')
  drone.tell('take_off_height', 1.5)
  drone.tell('armed')
  drone.tell('take_off')
  const heights = drone.trace(8, () => drone.member('position', 'z'))
  expect(leap(heights)).toBeLessThan(0.04)
  for (const height of heights.slice(-40)) expect(Math.abs(height - 1.5)).toBeLessThan(0.15)
  expect(drone.value('mode')).toBe('flying')
})

test.each([
  ['velocity_x', 1, 'x', 2],
  ['velocity_x', -1, 'x', -2],
  ['velocity_y', 1, 'y', 2],
  ['velocity_y', -1, 'y', -2],
  ['velocity_z', 0.5, 'z', 3],
  ['velocity_z', -0.5, 'z', 0],
])('[DK-52] told %s %d, it stops before the wall', (channel, speed, axis, wall) => {
  const drone = flyingDrone()
  drone.tell(channel, speed)
  const places = drone.trace(20, () => drone.member('position', axis))
  const nearest = Math.min(...places.map((place) => Math.abs(wall - place)))
  expect(nearest).toBeGreaterThan(0.05)
  expect(nearest).toBeLessThan(0.25)
  expect(drone.value('at_fence')).toBe(true)
  expect(drone.value('mode')).toBe('flying')
})

test('[DK-52] it leans into where it speeds up, and turns at its yaw rate', () => {
  const drone = flyingDrone()
  drone.tell('velocity_x', 1)
  drone.step(0.15)
  expect(drone.member('attitude', 'pitch')).toBeGreaterThan(4)
  const before = drone.member('attitude', 'yaw')
  drone.tell('yaw_rate', 45)
  drone.step(2)
  expect(drone.member('attitude', 'yaw') - before).toBeCloseTo(90, 0)
})

test('[DK-52] it returns to the middle and lands there', () => {
  const drone = flyingDrone()
  drone.tell('velocity_x', 0.8)
  drone.step(2)
  drone.tell('return_home')
  drone.step(20)
  expect(drone.value('mode')).toBe('disarmed')
  expect(Math.hypot(drone.member('position', 'x'), drone.member('position', 'y'))).toBeLessThan(0.3)
})

test('[DK-52] on a low battery it lands by itself, and takes off again when charged', () => {
  const drone = flyingDrone()
  drone.step(420)
  expect([drone.value('mode'), drone.value('failsafe')]).toEqual(['disarmed', 'battery_low'])
  drone.step(200)
  drone.tell('armed')
  expect(drone.value('failsafe')).toBe('none')
})

test('[DK-47] the drone refuses what its mode does not allow', () => {
  const drone = device('drone')
  expect(drone.refusal('take_off')).toContain('Arm')
  expect(drone.refusal('velocity_x', 0.5)).toContain('Take off')
  drone.tell('armed')
  drone.tell('take_off')
  drone.step(6)
  expect(drone.refusal('take_off')).toContain('already')
  expect(drone.refusal('armed', false)).toContain('Land')
})

test.each([
  [0.05, 5],
  [0.25, 2],
  [0.25, 8],
  [0.4, 2],
  [0.4, 5],
  [0.4, 8],
])('[DK-53] at %d m/s with gain %d the robot stays on its line', (speed, gain) => {
  const robot = device('line-follower')
  robot.tell('speed', speed)
  robot.tell('gain', gain)
  robot.tell('start')
  const seen = robot.trace(60, () => [robot.value('off_line'), Math.abs(robot.number('position')) < 0.8])
  expect(seen.filter(([isLost, isNear]) => isLost === true || isNear === false)).toEqual([])
  // Once around is 6.9 m; it slows down in curves.
  expect(robot.number('laps')).toBeGreaterThanOrEqual(Math.floor((speed * 60 * 0.8) / 6.9))
})

test('[DK-53] the sensor above the line is the darkest, and the wheels differ in a curve', () => {
  const robot = device('line-follower')
  robot.tell('start')
  robot.step(2)
  const reflectance = robot.value('reflectance')
  if (!Array.isArray(reflectance)) throw new Error('no list')
  expect(reflectance).toHaveLength(5)
  const darkest = reflectance.indexOf(Math.min(...reflectance.map(Number)))
  expect(Math.abs((darkest - 2) / 2 - robot.number('position'))).toBeLessThan(0.4)
  expect(robot.member('wheels', 'right')).toBeGreaterThan(robot.member('wheels', 'left'))
})

test('[DK-53] it starts and stops gently, and is put back when it stands', () => {
  const robot = device('line-follower')
  robot.tell('start')
  expect(robot.refusal('start')).toContain('running')
  expect(leap(robot.trace(3, () => robot.member('wheels', 'left')))).toBeLessThan(0.06)
  expect(robot.refusal('put_back')).toContain('running')
  robot.tell('stop')
  robot.step(2)
  expect(robot.value('wheels')).toEqual({ left: 0, right: 0 })
  robot.tell('put_back')
  expect(robot.member('pose', 'x')).toBeCloseTo(1.15, 2)
})
