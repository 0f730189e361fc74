import { Buffer } from 'node:buffer'
import type { DeviceValue } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import { array, assert, double, integer, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { type ChannelBinding, readInfo, readPayload } from '../../src/index.ts'
import { createBench, type SimulatedDevice } from '../../src/simulation/index.ts'
import { device } from './device.ts'

const NAMES = [
  'motor',
  'led',
  'servo',
  'drone',
  'speed-controller',
  'lights',
  'workcell-power',
  'gpio',
  'imu',
  'time-of-flight',
  'ultrasonic',
  'line-follower',
  'thermometer',
  'chip',
  'oven',
  'pressure',
  'ultra-wideband',
  'environment',
  'robot-log',
  'charger',
  'ptz-camera',
]

const channelsOf = ({ info }: SimulatedDevice): readonly ChannelBinding[] =>
  readInfo(JSON.stringify(info))?.channels ?? []
const componentsOf = ({ info }: SimulatedDevice): [string, Record<string, unknown>][] =>
  Object.entries((info as { components: Record<string, Record<string, unknown>> }).components)

const LIGHT: Readonly<Record<string, readonly [number, number]>> = {
  brightness: [0, 255],
  r: [0, 255],
  g: [0, 255],
  b: [0, 255],
  color_temp: [2_200, 6_500],
}
/** Where there may be nothing to measure. */
const SOMETIMES_NULL = [
  'oven/target',
  'ultrasonic/distance',
  'time-of-flight/distances',
  'ultra-wideband/ranges',
]

/** What is wrong with the values of a device, in words. */
function faults(simulated: SimulatedDevice, channels: readonly ChannelBinding[]): string[] {
  const values = simulated.values()
  return channels.flatMap((channel) => {
    const value = values[channel.name]
    const where = `${simulated.name}/${channel.name}`
    if (channel.platform === 'button') return value === undefined ? [] : [`${where} has a value`]
    if (value === undefined) return [`${where} has no value`]
    const entries =
      typeof value === 'object' && value !== null ? Object.entries(value) : [['', value] as const]
    return entries.flatMap(([member, each]) => {
      const fault = faultOf(channel, member, each)
      const isExpected = each === null && SOMETIMES_NULL.includes(where)
      return fault === undefined || isExpected ? [] : [`${where} ${member}: ${String(each)} ${fault}`]
    })
  })
}

/** What is wrong during so many steps, looked at after every few of them and at the end. */
function faultsDuring(
  simulated: SimulatedDevice,
  channels: readonly ChannelBinding[],
  steps: number,
  every: number,
): string[] {
  const found: string[] = []
  for (let index = 1; index <= steps; index += 1) {
    simulated.step(0.05)
    if (index % every === 0 || index === steps) found.push(...faults(simulated, channels))
  }
  return found
}

function faultOf({ platform, min, max, options }: ChannelBinding, member: string, value: unknown) {
  if (platform === 'light') {
    const [low = 0, high = 0] = LIGHT[member] ?? []
    const isRight =
      member === 'on' ? typeof value === 'boolean' : Number(value) >= low && Number(value) <= high
    return isRight ? undefined : 'is no light'
  }
  if (platform === 'switch' || platform === 'binary_sensor')
    return typeof value === 'boolean' ? undefined : 'is no truth value'
  if (options !== null) return options.includes(String(value)) ? undefined : 'is no option'
  if (typeof value === 'string') return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'is no finite number'
  return value >= (min ?? value) && value <= (max ?? value) ? undefined : 'is out of range'
}

/** A value that the channel takes, by a number from 0 to 1. */
function validValue({ platform, min, max, options }: ChannelBinding, part: number): DeviceValue {
  if (platform === 'number') return (min ?? 0) + part * ((max ?? 1) - (min ?? 0))
  if (platform === 'switch') return part < 0.7
  if (platform === 'select') return options?.[Math.floor(part * options.length * 0.999)] ?? ''
  return platform === 'light' ? { on: part < 0.8, brightness: part * 255 } : true
}

/** A value just outside of what it takes. `undefined`: a button takes anything. */
function invalidValues({ platform, min, max }: ChannelBinding): DeviceValue[] {
  if (platform === 'number')
    return [(min ?? 0) - 1, (max ?? 0) + 1, 'fast', null, true, [1], Number.NaN, Number.POSITIVE_INFINITY]
  if (platform === 'switch') return ['ON', 1, null, {}]
  if (platform === 'select') return ['no such option', 1, true]
  if (platform === 'light')
    return [
      1,
      'on',
      [true],
      { brightness: 256 },
      { brightness: -1 },
      { brightness: null },
      { glow: 1 },
      { on: 1 },
    ]
  return []
}

test('[DK-40] a bench has 21 devices', () => {
  expect(createBench(1).map(({ name }) => name)).toEqual(NAMES)
})

test.each(NAMES)('[DK-40] `$info` of %s is read completely', (name) => {
  const simulated = device(name)
  const channels = channelsOf(simulated)
  expect(channels.map((each) => each.name)).toEqual(componentsOf(simulated).map(([channel]) => channel))
  for (const [channel, component] of componentsOf(simulated))
    expect(channels.find((each) => each.name === channel)).toMatchObject({
      title: component['name'],
      platform: component['platform'],
      deviceClass: component['device_class'] ?? null,
      unit: component['unit_of_measurement'] ?? null,
      min: component['min'] ?? null,
      max: component['max'] ?? null,
      step: component['step'] ?? null,
      options: component['options'] ?? null,
      staleAfterMs: Number(component['expire_after']) * 1_000,
      takesCommands: component['command_topic'] === `${channel}/set`,
      isGuarded: component['guarded'] ?? false,
      isIdempotent: component['idempotent'] ?? false,
    })
  expect(Buffer.byteLength(JSON.stringify(simulated.info))).toBeLessThan(DEVICE_LIMITS.infoBytes)
  expect(readInfo(JSON.stringify(simulated.info))?.title).not.toBeNull()
})

test.each(NAMES)('[DK-40] every number that %s takes has a range and a step', (name) => {
  for (const { min, max, step } of channelsOf(device(name)).filter(({ platform }) => platform === 'number')) {
    expect(min).toBeLessThan(max ?? Number.NaN)
    expect(step).toBeGreaterThan(0)
  }
})

test('[DK-41] the same seed gives the same values, another seed gives others', () => {
  const run = (seed: number) => {
    const bench = createBench(seed)
    return Array.from({ length: 100 }, () =>
      bench.map((each) => {
        each.step(0.1)
        return each.values()
      }),
    )
  }
  const first = run(7)
  expect(run(7)).toEqual(first)
  expect(run(8)).not.toEqual(first)
})

test('[DK-41] reading values changes nothing', () => {
  const [often, once] = [createBench(3), createBench(3)]
  for (let index = 0; index < 50; index += 1)
    for (const each of often) {
      each.step(0.1)
      expect(each.values()).toEqual(each.values())
    }
  for (const each of once) each.step(5)
  expect(often.map((each) => each.values())).toEqual(once.map((each) => each.values()))
})

test('[DK-41] what a device is told changes no other', () => {
  const [told, left] = [createBench(4), createBench(4)]
  told[0]?.command('target', 1_000)
  for (const each of [...told, ...left]) each.step(2)
  expect(told.slice(1).map((each) => each.values())).toEqual(left.slice(1).map((each) => each.values()))
  expect(told[0]?.values()).not.toEqual(left[0]?.values())
})

test('[DK-42] a long step is the same as the short ones that it is made of', () => {
  const [long, short] = [createBench(5), createBench(5)]
  for (const each of long) each.step(10)
  for (const each of short) for (let index = 0; index < 200; index += 1) each.step(0.05)
  expect(long.map((each) => each.values())).toEqual(short.map((each) => each.values()))
})

test.each([0, -1, Number.NaN])('[DK-42] a step of %d seconds changes nothing', (seconds) => {
  for (const each of createBench(6)) {
    const before = each.values()
    each.step(seconds)
    expect(each.values()).toEqual(before)
  }
})

test('[DK-42] a step without end is one of an hour', () => {
  const [endless, hour] = [device('oven'), device('oven')]
  endless.step(Number.POSITIVE_INFINITY)
  hour.step(3_600)
  expect(endless.values()).toEqual(hour.values())
})

test('[DK-43] each value is a flat payload under 1 KB', () => {
  for (const each of createBench(9)) {
    each.step(5)
    for (const value of Object.values(each.values())) {
      const bytes = Buffer.from(JSON.stringify(value))
      expect(bytes.byteLength).toBeLessThan(1_024)
      expect(readPayload(bytes)).toEqual({ value })
    }
  }
})

test('[DK-43] 10,000 steps of a bench that nobody touches stay in range', () => {
  for (const each of createBench(10)) {
    const channels = channelsOf(each)
    expect(faultsDuring(each, channels, 10_000, 5)).toEqual([])
  }
})

test('[DK-43] 10,000 steps stay in range, whatever the bench is told', () => {
  const command = record({
    at: nat(9_999),
    device: nat(NAMES.length - 1),
    channel: nat(63),
    part: double({ min: 0, max: 1, noNaN: true }),
    action: nat(19),
  })
  assert(
    property(integer(), array(command, { minLength: 400, maxLength: 600 }), (seed, commands) => {
      for (const [index, each] of createBench(seed).entries()) {
        const channels = channelsOf(each)
        const own = commands.filter((given) => given.device === index).toSorted((a, b) => a.at - b.at)
        let now = 0
        for (const { at, channel, part, action } of [
          ...own,
          { at: 10_000, channel: 0, part: 0, action: 1 },
        ]) {
          expect(faultsDuring(each, channels, at - now, 20)).toEqual([])
          now = at
          const target = channels[channel % channels.length]
          if (action === 0) each.stop()
          else if (target !== undefined) {
            if (action < 4) each.release()
            each.command(target.name, validValue(target, part))
          }
          expect(faults(each, channels)).toEqual([])
        }
      }
    }),
    // Each run takes a second: making the example smaller would take minutes, and the seed tells it again.
    { numRuns: 4, endOnFailure: true },
  )
})

test.each(NAMES)('[DK-44] %s refuses with words what is outside of what it takes', (name) => {
  const simulated = device(name)
  simulated.step(1)
  const before = simulated.values()
  const refused = (channel: string, value: DeviceValue) => {
    const outcome = simulated.command(channel, value)
    expect(outcome.status, `${channel} ${JSON.stringify(value)}`).toBe('refused')
    expect(outcome.message?.length).toBeGreaterThan(10)
  }
  refused('nothing', 1)
  for (const channel of channelsOf(simulated)) {
    if (!channel.takesCommands) refused(channel.name, 1)
    else for (const value of invalidValues(channel)) refused(channel.name, value)
  }
  expect(simulated.values()).toEqual(before)
})

const guardOf = (name: string) =>
  Object.fromEntries(
    channelsOf(device(name))
      .filter(({ takesCommands }) => takesCommands)
      .map((channel) => [channel.name, channel]),
  )

test.each([
  ['motor', ['target', 'direction']],
  ['servo', ['torque_enabled', 'target']],
  ['speed-controller', ['enabled', 'target']],
  ['drone', ['armed', 'take_off', 'return_home', 'velocity_x', 'velocity_y', 'velocity_z', 'yaw_rate']],
  ['line-follower', ['start', 'speed']],
  ['workcell-power', ['outlet_1', 'outlet_2', 'outlet_3', 'outlet_4', 'limit', 'reset']],
  ['oven', ['start']],
  ['pressure', ['pump', 'valve']],
  ['charger', ['start', 'charge_current']],
  ['robot-log', ['dock']],
])('[DK-45] %s guards %j and no other', (name, guarded) => {
  const channels = Object.values(guardOf(name))
  expect(
    channels
      .filter(({ isGuarded }) => isGuarded)
      .map((each) => each.name)
      .toSorted(),
  ).toEqual(guarded.toSorted())
})

test.each([
  ['motor', 'brake'],
  ['drone', 'land'],
  ['line-follower', 'stop'],
  ['workcell-power', 'all_off'],
  ['oven', 'abort'],
  ['charger', 'stop'],
])('[DK-45] %s is made safe by %s without a guard, and again if need be', (name, channel) => {
  expect(guardOf(name)[channel]).toMatchObject({ isGuarded: false, isIdempotent: true })
})
