import { setTimeout as sleep } from 'node:timers/promises'
import { readCommand } from '@patchbay/device-kit'
import { createInProcessHub } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { waitUntil } from '@patchbay/testkit/processes'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RabbitmqBeside, startRabbitmqBeside } from './beside.ts'
import { type Added, type DevicesNode, startDevices } from './start.ts'

let beside: RabbitmqBeside
beforeAll(async () => {
  beside = await startRabbitmqBeside()
}, 120_000)
afterAll(() => beside[Symbol.asyncDispose]())

/** A device as firmware does it: it connects again until it is let in, and counts what it is told. */
function startFirmware({ connect, topic }: Added) {
  const carriedOut = new Map<string, number>()
  const ending = new AbortController()
  let client: MqttClient | undefined
  let n = 0
  const running = (async () => {
    while (!ending.signal.aborted) {
      try {
        client = await connect()
        client.on('error', () => undefined)
        client.on('message', (each, bytes) => {
          const command = readCommand(bytes.toString())
          if (command === undefined) return
          carriedOut.set(command.id, (carriedOut.get(command.id) ?? 0) + 1)
          client?.publish(each.replace(/set$/, 'ack'), JSON.stringify({ id: command.id, status: 'done' }))
        })
        await client.subscribeAsync(`${topic}/+/set`, { qos: 1 })
        const components = {
          speed: { platform: 'number', command_topic: true, min: 0, max: 1_000_000 },
          n: {},
        }
        await client.publishAsync(`${topic}/$info`, JSON.stringify({ components }), { qos: 1 })
        while (!ending.signal.aborted && client.connected) {
          client.publish(`${topic}/n`, String(++n))
          await sleep(10)
        }
      } catch {
        // The broker is away.
      }
      await sleep(200)
    }
  })()
  return {
    carriedOut,
    async stop() {
      ending.abort()
      await client?.endAsync(true)
      await running
    },
  }
}

/** Asks without pause, each command with an id of its own and twice. */
function startCommanding(nodes: readonly DevicesNode[], device: string) {
  const done = new Set<string>()
  const ending = new AbortController()
  let count = 0
  const running = (async () => {
    while (!ending.signal.aborted) {
      const id = `command-${++count}`
      const body = { id, channel: 'speed', value: count, timeoutMs: 1_000 }
      await Promise.all(
        nodes.map(async (node) => {
          const answer = await node.ask('POST', `ada/board/devices/${device}/commands`, body)
          const { status } = (await answer.json()) as { status: unknown }
          if (status === 'done') done.add(id)
        }),
      )
      await sleep(20)
    }
  })()
  return {
    done,
    async stop() {
      ending.abort()
      await running
    },
  }
}

test('[G-63] [G-66] RabbitMQ killed under load: pages know it, everything comes back, and no command is carried out twice', async () => {
  await using opened = new AsyncDisposableStack()
  const hub = createInProcessHub({ clock: systemClock })
  const a = opened.use(await startDevices({ beside, bus: opened.use(hub.connect('a')) }))
  const b = opened.use(
    await startDevices({ beside, bus: opened.use(hub.connect('b')), databaseUrl: a.databaseUrl }),
  )
  const device = await a.add('motor')
  const firmware = startFirmware(device)
  const commanding = startCommanding([a, b], 'motor')
  const pages = [a.page(), b.page()]
  for (const page of pages) await page.watch('motor n')
  const noticedMs: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const before = commanding.done.size
    await waitUntil('commands are carried out', () => commanding.done.size > before + 5, {
      deadlineMs: 60_000,
    })
    await beside.rabbitmq.kill()
    const killedAt = performance.now()
    for (const page of pages)
      await expect
        .poll(() => page.news.findLast(({ type }) => type === 'link'), { timeout: 10_000 })
        .toEqual({ type: 'link', isUp: false })
    noticedMs.push(performance.now() - killedAt)
    await beside.rabbitmq.restart()
    for (const page of pages) {
      await expect
        .poll(() => page.news.findLast(({ type }) => type === 'link'), { timeout: 30_000 })
        .toEqual({ type: 'link', isUp: true })
      const seen = page.values().length
      await waitUntil('values come again', () => page.values().length > seen, { deadlineMs: 30_000 })
    }
  }
  // The best of three: a machine that is busy elsewhere says nothing about the product.
  expect(Math.min(...noticedMs)).toBeLessThan(3_000)
  await commanding.stop()
  await firmware.stop()
  expect([...firmware.carriedOut].filter(([, times]) => times > 1)).toEqual([])
  for (const id of commanding.done) expect(firmware.carriedOut.get(id)).toBe(1)
}, 300_000)

test('[G-67] a node that is killed: the other one keeps what devices say, and its pages miss nothing', async () => {
  await using opened = new AsyncDisposableStack()
  const hub = createInProcessHub({ clock: systemClock })
  const a = opened.use(await startDevices({ beside, bus: opened.use(hub.connect('a')) }))
  const b = opened.use(
    await startDevices({ beside, bus: opened.use(hub.connect('b')), databaseUrl: a.databaseUrl }),
  )
  const device = await b.add('motor')
  const firmware = startFirmware(device)
  const page = b.page()
  await page.watch('motor n')
  await waitUntil('values come', () => page.values().length > 10)
  hub.kill('a')
  await a.broker.close()
  beside.serve(b.url)
  const stored = async () => {
    const answer = await b.ask('GET', 'ada/board/devices/motor')
    return ((await answer.json()) as { device: { status: string; seenAt: string } }).device
  }
  const killedAt = Date.now()
  await waitUntil('the other node keeps it', async () => Date.parse((await stored()).seenAt) > killedAt)
  expect(Date.now() - killedAt).toBeLessThan(3_000)
  expect((await stored()).status).toBe('online')
  const seen = page.values().length
  await waitUntil('values come', () => page.values().length > seen + 10)
  await firmware.stop()
}, 60_000)
