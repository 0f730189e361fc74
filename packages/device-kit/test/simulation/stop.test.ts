import type { DeviceValue } from '@patchbay/contracts/devices'
import { expect, test } from 'vitest'
import { createBench } from '../../src/simulation/index.ts'
import { device } from './device.ts'

interface Busy {
  readonly name: string
  /** What sets it going, with the seconds that it then runs. */
  readonly commands: readonly (readonly [string, DeviceValue, number])[]
  /** How much it moves, heats or powers, when it does. */
  readonly activity: (read: ReturnType<typeof device>) => number
}

const BUSY: readonly Busy[] = [
  { name: 'motor', commands: [['target', 2_000, 4]], activity: (motor) => Math.abs(motor.number('speed')) },
  {
    name: 'speed-controller',
    commands: [
      ['enabled', true, 0],
      ['target', 3_000, 4],
    ],
    activity: (controller) => controller.number('measured') + controller.number('duty'),
  },
  {
    name: 'servo',
    commands: [
      ['torque_enabled', true, 0],
      ['slew_rate', 10, 0],
      ['target', 90, 1],
    ],
    activity: (servo) => Number(servo.value('moving')) + servo.number('torque'),
  },
  { name: 'ptz-camera', commands: [['pan', 170, 1]], activity: (camera) => Number(camera.value('moving')) },
  {
    name: 'drone',
    commands: [
      ['armed', true, 0],
      ['take_off', true, 6],
      ['velocity_x', 0.5, 1],
    ],
    activity: (drone) => drone.member('position', 'z') + Number(drone.value('armed')),
  },
  {
    name: 'line-follower',
    commands: [['start', true, 4]],
    activity: (robot) => Math.abs(robot.member('wheels', 'left')) + Math.abs(robot.member('wheels', 'right')),
  },
  {
    name: 'workcell-power',
    commands: [
      ['outlet_1', true, 0],
      ['outlet_4', true, 3],
    ],
    activity: (power) => power.number('power'),
  },
  {
    name: 'oven',
    commands: [['start', true, 120]],
    activity: (oven) => oven.number('heater') + Math.max(0, oven.number('temperature') - 60),
  },
  {
    name: 'pressure',
    commands: [
      ['valve', 0, 0],
      ['pump', 100, 10],
    ],
    activity: (chamber) => chamber.number('pump') + Math.max(0, chamber.number('pressure') - 110),
  },
  { name: 'charger', commands: [['start', true, 5]], activity: (charger) => charger.number('current') },
  {
    name: 'gpio',
    commands: [
      ['pin_0', true, 0],
      ['pwm', true, 0],
      ['pwm_duty', 80, 3],
    ],
    activity: (gpio) =>
      Number(gpio.value('pin_0')) + gpio.number('pwm_duty') + Number(gpio.number('adc_0') > 0.02),
  },
]

function runStopped({ name, commands, activity }: Busy) {
  const busy = device(name)
  for (const [channel, value, seconds] of commands) {
    busy.tell(channel, value)
    busy.step(seconds)
  }
  expect(activity(busy)).toBeGreaterThan(0)
  busy.stop()
  return busy
}

test.each(BUSY)('[DK-46] stopped, $name comes to rest', (given) => {
  const stopped = runStopped(given)
  stopped.step(180)
  expect(given.activity(stopped)).toBe(0)
})

test.each(BUSY)('[DK-46] released, $name does not start by itself', (given) => {
  const stopped = runStopped(given)
  stopped.step(180)
  stopped.release()
  stopped.step(30)
  expect(given.activity(stopped)).toBe(0)
})

test.each(BUSY)('[DK-46] stopped, $name refuses what it took before, and takes it when released', (given) => {
  const stopped = runStopped(given)
  for (const [channel, value] of given.commands) expect(stopped.refusal(channel, value)).toContain('stopped')
  stopped.step(180)
  stopped.release()
  if (given.name === 'motor') stopped.tell('brake', false)
  for (const [channel, value, seconds] of given.commands) {
    stopped.tell(channel, value)
    stopped.step(seconds)
  }
  expect(given.activity(stopped)).toBeGreaterThan(0)
})

test('[DK-46] every device refuses every command while stopped', () => {
  for (const each of createBench(1)) {
    each.stop()
    for (const channel of Object.keys(each.values()))
      expect(each.command(channel, true).status).toBe('refused')
  }
})

test('[DK-46] the drone lands slowly, and disarms on the ground', () => {
  const drone = device('drone')
  drone.tell('armed')
  drone.tell('take_off')
  drone.step(6)
  drone.stop()
  expect(drone.value('mode')).toBe('landing')
  const speeds = drone.trace(10, () => drone.member('velocity', 'z'))
  expect(Math.min(...speeds)).toBeGreaterThan(-0.5)
  expect(drone.value('mode')).toBe('disarmed')
})

test('[DK-46] lights stay as they are', () => {
  for (const name of ['led', 'lights']) {
    const light = device(name)
    light.step(5)
    const before = light.values()
    light.stop()
    expect(light.values()).toEqual(before)
  }
})

test('[DK-46] a stopped robot does not drive until it is released', () => {
  const robot = device('robot-log')
  robot.stop()
  expect(new Set(robot.trace(120, () => robot.value('state')))).toEqual(new Set(['stopped']))
  robot.release()
  robot.step(0.05)
  expect(robot.value('state')).toBe('idle')
})
