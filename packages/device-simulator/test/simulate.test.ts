import { createServer } from 'node:net'
import { readInfo } from '@patchbay/device-kit'
import { createBench } from '@patchbay/device-kit/simulation'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { type SimulationEvent, startSimulation } from '../src/index.ts'
import { listen, startBench, TOPIC } from './broker.ts'

const PATIENCE = { deadlineMs: 60_000 }

test('[DK-70] a device says what it is and that it is online, retained, and at its end that it is offline', async () => {
  await using bench = await startBench()
  await waitUntil('it has said so', () => bench.on('$status').includes('online'), PATIENCE)
  const info = bench.said.find(({ topic }) => topic === `${TOPIC}/$info`)
  expect(info?.isRetained).toBe(true)
  expect(readInfo(info?.text ?? '')?.channels.map(({ name }) => name)).toContain('speed')
  await bench.run.close()
  expect(bench.said.filter(({ topic }) => topic.endsWith('$status'))).toMatchObject([
    { text: 'online', isRetained: true },
    { text: 'offline', isRetained: true },
  ])
})

test('[DK-70] a connection that breaks says that the device is offline', async () => {
  await using bench = await startBench()
  await waitUntil('it is online', () => bench.on('$status').includes('online'), PATIENCE)
  for (const socket of bench.sockets) socket.destroy()
  await waitUntil('its will is heard', () => bench.on('$status').includes('offline'), PATIENCE)
  expect(bench.on('$status').slice(0, 2)).toEqual(['online', 'offline'])
})

test('[DK-71] values come as they change, no more often than five times a second, and others before they expire', async () => {
  await using bench = await startBench({ name: 'time-of-flight' })
  await bench.online()
  const isThere = () => Object.keys(bench.device.values()).every((channel) => bench.on(channel).length > 0)
  await waitUntil('each channel has a value', isThere, PATIENCE)
  const begun = performance.now()
  const [before, settings] = [bench.on('distances').length, bench.on('rate').length]
  await waitUntil('some have come again', () => bench.on('distances').length > before + 10, PATIENCE)
  const seconds = (performance.now() - begun) / 1_000
  expect(bench.on('distances').length - before).toBeLessThanOrEqual(seconds * 5 + 2)
  // Nobody has told it anything: its rate is what it was, and is said again twice a minute.
  expect(bench.on('rate').length - settings).toBeLessThanOrEqual(seconds / 30 + 1)
})

test('[DK-72] a command is carried out, acknowledged, and shows', async () => {
  await using bench = await startBench()
  await bench.online()
  await waitUntil(
    'it hears commands',
    async () => {
      await bench.command('target', `try-${bench.events.length}-${Math.random()}`, 1_000)
      return bench.on('target/ack').length > 0
    },
    PATIENCE,
  )
  await bench.command('target', 'command-1', 2_000)
  const acks = () => bench.on('target/ack').map((text) => JSON.parse(text) as { id: string; status: string })
  await waitUntil('it has said so', () => acks().some(({ id }) => id === 'command-1'), PATIENCE)
  expect(acks().find(({ id }) => id === 'command-1')).toEqual({ id: 'command-1', status: 'done' })
  await waitUntil('its target is the new one', () => bench.on('target').includes('2000'), PATIENCE)
  await waitUntil('it turns', () => bench.on('speed').some((text) => Number(text) > 100), PATIENCE)
  await bench.command('target', 'command-2', 1e9)
  await waitUntil('it refuses', () => acks().some(({ id }) => id === 'command-2'), PATIENCE)
  expect(acks().find(({ id }) => id === 'command-2')).toMatchObject({
    status: 'refused',
    message: expect.stringContaining('at most'),
  })
})

/** The charger takes `start` once: a second one is refused by its physics. */
test('[DK-72] the same id is answered again and not carried out again', async () => {
  await using bench = await startBench({ name: 'charger' })
  await bench.online()
  await waitUntil(
    'it hears commands',
    async () => {
      await bench.command('stop', `try-${Math.random()}`, true)
      return bench.on('stop/ack').length > 0
    },
    PATIENCE,
  )
  await bench.command('start', 'command-1', true)
  await bench.command('start', 'command-1', true)
  await waitUntil('both are answered', () => bench.on('start/ack').length === 2, PATIENCE)
  expect(new Set(bench.on('start/ack')).size).toBe(1)
  const told = bench.events.filter((event) => event.type === 'command' && event.channel === 'start')
  expect(told).toHaveLength(1)
})

test('[DK-72] a command that comes after its deadline is refused', async () => {
  await using bench = await startBench({ offsetMs: 3_600_000 })
  await bench.online()
  await waitUntil(
    'it is answered',
    async () => {
      await bench.command('target', `late-${Math.random()}`, 1_000)
      return bench.on('target/ack').length > 0
    },
    PATIENCE,
  )
  expect(JSON.parse(bench.on('target/ack')[0] ?? '')).toMatchObject({ status: 'refused' })
  expect(bench.device.values()['target']).toBe(0)
})

test('[DK-73] a stop is obeyed and acknowledged, also one that was there before and one that cannot be read', async () => {
  await using bench = await startBench({ name: 'lights' })
  await bench.tell('$stop', JSON.stringify({ id: 'stop-1', stop: true }), true)
  await waitUntil('it is acknowledged', () => bench.on('$stop/ack').length > 0, PATIENCE)
  expect(JSON.parse(bench.on('$stop/ack')[0] ?? '')).toEqual({ id: 'stop-1', status: 'done' })
  expect(bench.device.command('fade', 1).status).toBe('refused')
  await bench.tell('$stop', JSON.stringify({ id: 'stop-2', stop: false }), true)
  await waitUntil('it is released', () => bench.events.at(-1)?.type === 'stop', PATIENCE)
  await waitUntil('it takes commands', () => bench.device.command('fade', 1).status === 'done', PATIENCE)
  await bench.tell('$stop', 'halt!')
  await waitUntil('it stops', () => bench.device.command('fade', 1).status === 'refused', PATIENCE)
})

test('[DK-74] a lost connection is tried again until there is one, and everything is said again', async () => {
  await using bench = await startBench()
  await waitUntil('it is online', () => bench.on('$info').length > 0, PATIENCE)
  await bench.restart()
  await waitUntil('it has said everything again', () => bench.on('$info').length > 1, PATIENCE)
  expect(bench.events.map(({ type }) => type)).toEqual(['online', 'offline', 'online'])
})

deepTest('[DK-74] a device that is not known says so, and goes on trying with growing pauses', async () => {
  await using bench = await startBench({ key: 'wrong' })
  const refusals = () =>
    bench.events.filter((event) => event.type === 'offline' && event.failure.kind === 'refused').length
  await waitUntil('it was refused three times', () => refusals() >= 3, PATIENCE)
  expect(bench.events.some(({ type }) => type === 'online')).toBe(false)
})

/** CONNACK, then what is no packet; a packet that says that it has 100 MB, with some of it; and nothing at all. */
const HOSTILE = {
  'bytes that are no MQTT': [0x20, 2, 0, 0, 0xf0, 0xff, 0xff, 0xff, 0xff, 0xff],
  'a packet that is too large': [
    0x20,
    2,
    0,
    0,
    0x30,
    0x80,
    0xc2,
    0xd7,
    0x2f,
    ...Array<number>(200_000).fill(65),
  ],
  'an answer to nothing': [0x90, 3, 0, 9, 128],
}
test.each(Object.entries(HOSTILE))(
  '[DK-75] %s cost the connection, and nothing else',
  async (_title, bytes) => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(Buffer.from(bytes)))
    })
    const port = await listen(server)
    const events: SimulationEvent[] = []
    const [device] = createBench(1)
    if (device === undefined) throw new Error('an empty bench')
    const run = startSimulation({
      device,
      connection: { host: '127.0.0.1', port, isTls: false, username: 'd1', topic: TOPIC },
      key: 'k',
      surroundings: { now: Date.now, random: () => 0.1 },
      onEvent: (event) => void events.push(event),
    })
    await waitUntil('it has tried again', () => connections >= 2, PATIENCE)
    expect(events.some(({ type }) => type === 'offline')).toBe(true)
    await run.close()
    server.close()
  },
)
