import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import type { MqttClient } from 'mqtt'
import mqttPacket from 'mqtt-packet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { accessContract, brokerContract } from './broker-contract.ts'
import { type Added, type DevicesNode, jsonOf, PAGE_ORIGIN, startDevices } from './start.ts'

describe('over TCP', () => {
  let node: DevicesNode
  beforeAll(async () => {
    node = await startDevices()
  })
  afterAll(() => node[Symbol.asyncDispose]())

  brokerContract(() => node)

  test('[G-13] two devices with the same client id are both connected', async () => {
    const [one, other] = [await node.add('one'), await node.add('other')]
    const first = await one.connect({ clientId: 'same' })
    const second = await other.connect({ clientId: 'same' })
    await second.publishAsync(`${other.topic}/a`, '1', { qos: 1 })
    await first.publishAsync(`${one.topic}/a`, '1', { qos: 1 })
    expect([first.connected, second.connected]).toEqual([true, true])
  })

  test('[G-14] a packet that is too large closes the connection before it is collected', async () => {
    const socket = connectTcp(node.mqttPort, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    // A CONNECT that says that it has 100 MB.
    socket.write(Buffer.from([0x10, 0x80, 0xc2, 0xd7, 0x2f, 0, 4]))
    await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })

  const read = ({ device }: Added) =>
    jsonOf<{ device: { status: string }; values: unknown[] }>(
      node.ask('GET', `ada/board/devices/${device.name}`),
    )
  const latestOf = async (device: Added) => (await read(device)).values

  /** What a device is told that connects now, until it hears itself. */
  async function toldTo({ connect, topic }: Added, options: { clientId?: string; clean?: boolean } = {}) {
    const client = await connect(options)
    const told: string[] = []
    client.on('message', (each) => told.push(each.slice(topic.length + 1)))
    await client.subscribeAsync(`${topic}/#`, { qos: 1 })
    await client.publishAsync(`${topic}/echo`, '1', { qos: 1 })
    await expect.poll(() => told).toContain('echo')
    await client.endAsync()
    return told
  }

  test('[G-130] what a device retains is heard, and given back to nobody', async () => {
    const one = await node.add('retaining')
    const client = await one.connect({ will: `${one.topic}/$status` })
    for (let n = 0; n < 20; n += 1)
      await client.publishAsync(`${one.topic}/c${n}`, String(n), { qos: 1, retain: true })
    await expect.poll(async () => (await latestOf(one)).length).toBe(20)
    client.stream.destroy()
    await expect.poll(async () => (await read(one)).device.status).toBe('offline')
    expect(await toldTo(one)).toEqual(['echo'])
  })

  test('[G-130] a device that was away gets nothing of what came meanwhile', async () => {
    const one = await node.add('away')
    const lasting = { clientId: `${one.username}-lasting`, clean: false }
    await toldTo(one, lasting)
    const other = await one.connect()
    await other.publishAsync(`${one.topic}/missed`, '1', { qos: 1 })
    expect(await toldTo(one, lasting)).toEqual(['echo'])
  })

  test('[G-132] of more than sixteen connections of a device the oldest ends', async () => {
    const [one, other] = [await node.add('many'), await node.add('single')]
    const bystander = await other.connect()
    const clients: MqttClient[] = []
    for (let n = 0; n < 17; n += 1) clients.push(await one.connect())
    await expect
      .poll(() => clients.map(({ connected }) => connected))
      .toEqual([false, ...Array(16).fill(true)])
    expect(bystander.connected).toBe(true)
  })

  test('[G-132] a connection has a hundred subscriptions', async () => {
    const one = await node.add('subscribing')
    const client = await one.connect()
    for (let n = 0; n < 100; n += 1) await client.subscribeAsync(`${one.topic}/c${n}`)
    await expect(client.subscribeAsync(`${one.topic}/more`)).rejects.toThrow(/unspecified error/i)
    expect(client.connected).toBe(true)
  })

  test('[G-136] while a device floods, the values of another reach pages as fast as before', async () => {
    const [loud, calm] = [await node.add('loud'), await node.add('calm')]
    const page = node.page()
    await page.watch('calm at', 'loud n')
    const client = await calm.connect()
    const samples = depth({ common: 15, deep: 300 })
    const medianMs = async () => {
      const waits: number[] = []
      for (let n = 0; n < samples; n += 1) {
        const sentAt = performance.now()
        client.publish(`${calm.topic}/at`, String(sentAt))
        await waitUntil('it comes', () => page.values().some(({ value }) => value === sentAt), {
          intervalMs: 1,
        })
        waits.push(performance.now() - sentAt)
        await sleep(20)
      }
      page.news.length = 0
      return waits.toSorted((a, b) => a - b)[Math.floor(samples / 2)] ?? Number.NaN
    }
    await medianMs()
    const before = await medianMs()
    const flood = await loud.connect()
    const message = Buffer.from('1')
    let sent = 0
    const flooding = setInterval(() => {
      for (let n = 0; n < 100 && flood.stream.writableLength < 1_000_000; n += 1, sent += 1)
        flood.publish(`${loud.topic}/n`, message)
    }, 5)
    const during = await medianMs()
    clearInterval(flooding)
    await flood.endAsync(true)
    expect(sent).toBeGreaterThan(depth({ common: 400, deep: 10_000 }))
    // Beside other tests there is no quiet moment to compare with.
    expect(during / before).toBeLessThan(depth({ common: 10, deep: 2 }))
  })
})

describe('[G-110] over WebSocket', () => {
  let node: DevicesNode
  beforeAll(async () => {
    node = await startDevices({ isOverWebSocket: true })
  })
  afterAll(() => node[Symbol.asyncDispose]())

  accessContract(() => node)

  const dial = (protocol: string[] = ['mqtt'], options: ClientOptions = {}) =>
    new WebSocket(`ws://127.0.0.1:${node.mqttPort}/any/path`, protocol, options)
  /** `open`, or the status of the refusal. */
  const outcomeOf = (socket: WebSocket) =>
    new Promise<number | 'open'>((resolve, reject) => {
      socket.on('open', () => resolve('open'))
      socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
        resolve(statusCode)
        socket.terminate()
      })
      socket.on('error', reject)
    })

  test('[G-111][K-870] pages of other origins and other protocols are refused, and plain requests told so', async () => {
    for (const [origin, outcome] of [
      [PAGE_ORIGIN, 'open'],
      ['https://stranger.example', 403],
      ['null', 403],
    ] as const) {
      const socket = dial(['mqtt'], { headers: { origin } })
      expect([origin, await outcomeOf(socket)]).toEqual([origin, outcome])
      socket.terminate()
    }
    for (const protocols of [[], ['chat'], ['chat', 'mqtt']]) {
      const socket = dial(protocols)
      expect(await outcomeOf(socket)).toBe(protocols.includes('mqtt') ? 'open' : 400)
      expect(socket.protocol).toBe(protocols.includes('mqtt') ? 'mqtt' : '')
      socket.terminate()
    }
    expect((await fetch(`http://127.0.0.1:${node.mqttPort}/`)).status).toBe(426)
  })

  test('[G-112][K-870] what breaks the protocol ends that WebSocket, and nothing else', async () => {
    const one = await node.add('beside')
    const client = await one.connect()
    const connect = mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: '',
      keepalive: 0,
      username: one.username,
      password: Buffer.from(one.key),
    })
    const broken: [string | Buffer, { binary: boolean }][] = [
      [connect.toString('latin1'), { binary: false }],
      [Buffer.alloc(100_000), { binary: true }],
      [Buffer.from([0x10, 0x80, 0xc2, 0xd7, 0x2f, 0, 4]), { binary: true }],
      [Buffer.from('GET / HTTP/1.1\r\n\r\n'), { binary: true }],
      [Buffer.from([0x30, 3, 0, 1, 0x61]), { binary: true }],
    ]
    for (const [message, options] of broken) {
      const socket = dial()
      await once(socket, 'open')
      socket.send(message, options)
      await once(socket, 'close')
    }
    // The same bytes as they should be sent, in two pieces: a packet may be cut anywhere.
    const whole = dial()
    await once(whole, 'open')
    const answered = once(whole, 'message')
    whole.send(connect.subarray(0, 9))
    whole.send(connect.subarray(9))
    expect(Buffer.from((await answered)[0] as Buffer).toString('hex')).toBe('20020000')
    whole.ping('still there')
    expect(String((await once(whole, 'pong'))[0])).toBe('still there')
    whole.terminate()
    await client.publishAsync(`${one.topic}/a`, '1', { qos: 1 })
    expect(client.connected).toBe(true)
  })
})
