import mqtt from 'mqtt'
import { expect, test } from 'vitest'
import type { Simulation } from '../src/index.ts'
import { codeOf, jsonOf, startDevices } from './start.ts'

type Started = Parameters<Simulation['start']>[0]

/** Two devices, and what was to be started. */
function twoDevices(): Simulation & { readonly started: Started[] } {
  const started: Started[] = []
  const of = (name: string) => ({ name, title: `${name} (simulated)`, manufacturer: 'Patchbay', model: name })
  return { devices: ['motor', 'oven'].map(of), started, start: (devices) => void started.push(devices) }
}

const BENCH = 'ada/board/simulated-bench'
const list = (node: Awaited<ReturnType<typeof startDevices>>) =>
  jsonOf<{ items: { name: string }[]; canSimulate?: boolean }>(node.ask('GET', 'ada/board/devices'))

test('[G-53] a server that is not for development has no such route, and does not offer it', async () => {
  await using node = await startDevices()
  expect((await node.ask('PUT', BENCH)).status).toBe(404)
  expect(await list(node)).toEqual({ items: [], nextCursor: null, stop: null })
})

test('[G-53] the devices are added, and taken again with new keys; those of before open nothing', async () => {
  const simulation = twoDevices()
  await using node = await startDevices({ simulation })
  expect((await list(node)).canSimulate).toBe(true)
  expect(await jsonOf(node.ask('PUT', BENCH))).toEqual({ devices: 2 })
  expect(await jsonOf(node.ask('PUT', BENCH))).toEqual({ devices: 2 })
  expect((await list(node)).items.map(({ name }) => name)).toEqual(['motor', 'oven'])
  expect(node.noted.map(({ action }) => action)).toEqual(['add simulated bench', 'add simulated bench'])
  const connect = ({ connection: { host, port, username }, key }: Started[number]) =>
    mqtt.connectAsync(`mqtt://${host}:${port}`, { username, password: key, reconnectPeriod: 0 })
  const [[old] = [], [now] = []] = simulation.started
  if (old === undefined || now === undefined) throw new Error('nothing was started')
  await expect(connect(old)).rejects.toThrow(/not authorized/i)
  const client = await connect(now)
  expect(client.connected).toBe(true)
  await client.endAsync(true)
})

test('[G-53] a device of the same name that is not a simulated one is refused, and nothing is changed', async () => {
  const simulation = twoDevices()
  await using node = await startDevices({ simulation })
  const { connect } = await node.add('oven')
  expect(await codeOf(node.ask('PUT', BENCH))).toBe('409 device_exists')
  expect(simulation.started).toEqual([])
  expect((await list(node)).items.map(({ name }) => name)).toEqual(['oven'])
  expect((await connect()).connected).toBe(true)
})

test('[G-53] who may only read adds none', async () => {
  await using node = await startDevices({ simulation: twoDevices() })
  expect(await codeOf(node.ask('PUT', BENCH, undefined, 'reader'))).toBe('403 not_permitted')
})
