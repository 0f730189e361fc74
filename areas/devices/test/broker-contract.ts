import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { readCommand } from '@patchbay/device-kit'
import { waitUntil } from '@patchbay/testkit/processes'
import type { MqttClient } from 'mqtt'
import { expect, test } from 'vitest'
import { type Added, codeOf, type DevicesNode, jsonOf } from './start.ts'

interface Read {
  readonly device: { readonly status: string; readonly channels: readonly { readonly name: string }[] }
  readonly values: readonly { readonly channel: string; readonly value: unknown }[]
}

const PATIENT = { timeout: 25_000 }

const ended = (client: MqttClient) =>
  new Promise<void>((resolve) => {
    client.on('error', () => undefined)
    client.once('close', () => resolve())
  })

/** What the tests ask of a node that they share: what each of them adds has a name of its own. */
function asking(node: () => DevicesNode, prefix: string) {
  let added = 0
  const read = ({ device }: Added) =>
    jsonOf<Read>(node().ask('GET', `${device.owner}/${device.repo}/devices/${device.name}`))
  return {
    add: (workspace?: string): Promise<Added> => node().add(`${prefix}-${++added}`, workspace),
    read,
    latest: async (device: Added): Promise<Record<string, unknown>> =>
      Object.fromEntries((await read(device)).values.map(({ channel, value }) => [channel, value])),
  }
}

/** Who may do what at the broker, whatever it is and however devices reach it. */
export function accessContract(node: () => DevicesNode): void {
  const { add, latest } = asking(node, 'guest')
  const refused = /not authorized|bad user|identifier/i

  test('[G-10] a connection needs the username and key of one device', async () => {
    const [one, other] = [await add(), await add()]
    expect((await one.connect()).connected).toBe(true)
    for (const key of ['', 'wrong', other.key, `${one.key} `])
      await expect(one.connect({ key })).rejects.toThrow(refused)
  })

  test('[G-11] a device cannot publish outside its topics: its connection ends, and nobody hears of it', async () => {
    const [one, other] = [await add(), await add()]
    const listener = await other.connect()
    const heard: string[] = []
    listener.on('message', (each) => heard.push(each))
    await listener.subscribeAsync(`${other.topic}/#`)
    const foreign = [
      `${other.topic}/speed`,
      `${other.topic.replace(/\/(?=[^/]*$)/, '.')}/speed`,
      `${one.topic}/speed/set`,
      `${one.topic}/$stop`,
      'pb/eve/x/one/a',
      '$SYS/a',
      'a',
    ]
    for (const topic of foreign) {
      const client = await one.connect()
      const closed = ended(client)
      client.publish(topic, '1')
      await closed
    }
    const speaker = await other.connect()
    await speaker.publishAsync(`${other.topic}/own`, '1', { qos: 1 })
    await expect.poll(() => latest(other), PATIENT).toEqual({ own: 1 })
    expect(heard).toEqual([`${other.topic}/own`])
  })

  test('[G-12] a device cannot subscribe outside its topics', async () => {
    const [one, other] = [await add(), await add()]
    const heard: string[] = []
    const foreign = [
      '#',
      'pb/#',
      'pb/ada/board/+/speed',
      'pb/ada/board/*/speed',
      `${other.topic}/#`,
      other.topic.replaceAll('/', '.'),
      '$SYS/#',
      one.topic,
    ]
    for (const filter of foreign) {
      const client = await one.connect()
      client.on('message', (topic) => heard.push(topic))
      // Some brokers end the connection, others refuse the subscription.
      const closed = ended(client)
      await Promise.race([client.subscribeAsync(filter).catch(() => undefined), closed])
    }
    const speaker = await other.connect()
    await speaker.publishAsync(`${other.topic}/speed`, '1', { qos: 1 })
    await expect.poll(() => latest(other), PATIENT).toEqual({ speed: 1 })
    expect(heard).toEqual([])
  })

  test('[G-13] a device that takes the client id of another one ends nobody', async () => {
    const [one, other] = [await add(), await add()]
    const first = await one.connect({ clientId: `${one.username}-same` })
    await other.connect({ clientId: `${one.username}-same` }).catch(() => undefined)
    await first.publishAsync(`${one.topic}/a`, '1', { qos: 1 })
    await expect.poll(() => latest(one), PATIENT).toEqual({ a: 1 })
    expect(first.connected).toBe(true)
  })

  test('[G-14] a message that is too large ends the connection, and nobody hears of it', async () => {
    const one = await add()
    const client = await one.connect()
    const closed = ended(client)
    client.publish(`${one.topic}/big`, 'x'.repeat(100_000))
    await closed
    const again = await one.connect()
    await again.publishAsync(`${one.topic}/small`, '1', { qos: 1 })
    await expect.poll(() => latest(one), PATIENT).toEqual({ small: 1 })
  })

  test('[G-15] a device that floods is limited, and another is heard meanwhile', async () => {
    const [loud, calm] = [await add(), await add()]
    const page = node().page()
    await page.watch(`${loud.device.name} n`, `${calm.device.name} n`)
    const flood = await loud.connect()
    const other = await calm.connect()
    for (let n = 0; n < 5_000; n += 1) flood.publish(`${loud.topic}/n`, String(n))
    await other.publishAsync(`${calm.topic}/n`, '1', { qos: 1 })
    await waitUntil(
      'the other device is heard',
      () => page.values().some(({ device }) => device === calm.device.name),
      { deadlineMs: 15_000 },
    )
    const heard = page.values().filter(({ device }) => device === loud.device.name)
    expect(Math.max(0, ...heard.map(({ value }) => Number(value)))).toBeLessThan(4_999)
    page.leave()
    await flood.endAsync(true)
  })

  test('[G-2] a replaced key ends the connection at once and opens nothing', async () => {
    const one = await add()
    const client = await one.connect()
    const { key } = await jsonOf<{ key: string }>(
      node().ask('POST', `ada/board/devices/${one.device.name}/key`),
    )
    await waitUntil('the old connection ends', () => !client.connected, { deadlineMs: 15_000 })
    await expect(one.connect()).rejects.toThrow(refused)
    expect((await one.connect({ key })).connected).toBe(true)
  })

  test('[G-3] a removed device is gone with its connection', async () => {
    const one = await add()
    const client = await one.connect()
    expect(await codeOf(node().ask('DELETE', `ada/board/devices/${one.device.name}`))).toBe('204')
    await waitUntil('the connection ends', () => !client.connected, { deadlineMs: 15_000 })
    await expect(one.connect()).rejects.toThrow(refused)
  })
}

/** What every broker promises. */
export function brokerContract(node: () => DevicesNode): void {
  accessContract(node)
  const { add, read, latest } = asking(node, 'device')

  test('[G-16] what breaks the protocol ends that connection, and nothing else', async () => {
    const one = await add()
    const client = await one.connect()
    const broken = [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from([0x30, 3, 0, 1, 0x61]),
      Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x10, 2, 0, 4]),
    ]
    for (const bytes of broken) {
      const socket = connectTcp(node().mqttPort, '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(bytes)
      socket.end()
      socket.resume()
      await once(socket, 'close')
    }
    await client.publishAsync(`${one.topic}/a`, '1', { qos: 1 })
    await expect.poll(() => latest(one), PATIENT).toEqual({ a: 1 })
  })

  test('[G-20] [G-21] [G-22] a hundred hostile topics and payloads leave everything as it was', async () => {
    const one = await add()
    const client = await one.connect()
    await client.publishAsync(`${one.topic}/good`, '1', { qos: 1 })
    const payloads = [
      '',
      '{',
      '[]',
      '[[1]]',
      '{"a":{"b":1}}',
      '\0',
      '{"__proto__":1}',
      `"${'x'.repeat(4_000)}"`,
      `[${'1,'.repeat(300)}1]`,
      '1e999',
      '{"ts":1e400}',
    ]
    const topics = [
      '$info',
      '$status',
      '$discovery/sensor/a/config',
      '$discovery/device/a/config',
      '$discovery/x',
      'good/ack',
      '$stop/ack',
      'a/b/c/d/e',
      '__proto__',
      'constructor',
      'n'.repeat(60),
    ]
    for (const suffix of topics)
      for (const payload of payloads) await client.publishAsync(`${one.topic}/${suffix}`, payload, { qos: 1 })
    await client.publishAsync(`${one.topic}/good`, '2', { qos: 1 })
    await expect.poll(async () => (await latest(one))['good'], PATIENT).toBe(2)
    expect(client.connected).toBe(true)
  })

  test('[G-22] a device in a workspace with a dot in its name has topics of its own', async () => {
    await node().make('ada/board.v2')
    const dotted = await add('ada/board.v2')
    const client = await dotted.connect()
    await client.publishAsync(`${dotted.topic}/speed`, '3', { qos: 1 })
    await expect.poll(() => latest(dotted), PATIENT).toEqual({ speed: 3 })
  })

  test('[G-22] a described channel with a dot in its name has its values', async () => {
    const one = await add()
    const client = await one.connect()
    const components = { 'room.temperature': { platform: 'sensor' } }
    await client.publishAsync(`${one.topic}/$info`, JSON.stringify({ components }), { qos: 1 })
    await client.publishAsync(`${one.topic}/room.temperature`, '21', { qos: 1 })
    await expect.poll(() => latest(one), PATIENT).toEqual({ 'room.temperature': 21 })
  })

  test('[G-23] a device is online when it connects, and its will says that it is offline', async () => {
    const one = await add()
    const client = await one.connect({ will: `${one.topic}/$status` })
    await expect.poll(async () => (await read(one)).device.status, PATIENT).toBe('online')
    await client.publishAsync(`${one.topic}/a`, '1', { qos: 1 })
    await expect.poll(() => latest(one), PATIENT).toEqual({ a: 1 })
    client.stream.destroy()
    await expect.poll(async () => (await read(one)).device.status, PATIENT).toBe('offline')
  })

  test('[G-24] values over HTTP are heard as published ones', async () => {
    const one = await add()
    const headers = { 'x-device-key': one.key, 'content-type': 'application/json' }
    const body = '{"speed":3,"mode":"fast","pose":{"x":1}}'
    const page = node().page()
    await page.watch(`${one.device.name} mode`)
    expect(await codeOf(fetch(`${node().url}/api/devices/values`, { method: 'POST', headers, body }))).toBe(
      '204',
    )
    await expect.poll(() => latest(one), PATIENT).toEqual({ speed: 3, mode: 'fast', pose: { x: 1 } })
    await expect.poll(() => page.values().map(({ value }) => value), PATIENT).toContain('fast')
    page.leave()
  })

  test('[G-40] a command reaches the device once, and the answer is what it says', async () => {
    const one = await add()
    const client = await one.connect()
    const commands: unknown[] = []
    client.on('message', (topic, bytes) => {
      const command = readCommand(bytes.toString())
      if (command === undefined) return
      commands.push(command.value)
      client.publish(topic.replace(/set$/, 'ack'), JSON.stringify({ id: command.id, status: 'done' }))
    })
    await client.subscribeAsync(`${one.topic}/+/set`, { qos: 1 })
    const components = { speed: { platform: 'number', command_topic: true, min: 0, max: 10 } }
    await client.publishAsync(`${one.topic}/$info`, JSON.stringify({ components }), { qos: 1 })
    await expect.poll(async () => (await read(one)).device.channels.length, PATIENT).toBe(1)
    const command = { channel: 'speed', value: 3, timeoutMs: 20_000 }
    const path = `ada/board/devices/${one.device.name}/commands`
    expect(await jsonOf(node().ask('POST', path, command))).toMatchObject({ status: 'done' })
    expect(commands).toEqual([3])
  })

  test('[G-50] the stop reaches devices that are there and those that come later', async () => {
    await node().make('ada/stopped')
    const [one, late] = [await add('ada/stopped'), await add('ada/stopped')]
    const hear = async (device: Added) => {
      const heard: string[] = []
      const client = await device.connect()
      client.on('message', (_topic, payload) => heard.push(payload.toString()))
      await client.subscribeAsync(`${device.topic}/$stop`, { qos: 1 })
      return heard
    }
    const heard = await hear(one)
    expect(await jsonOf(node().ask('PUT', 'ada/stopped/emergency-stop', {}))).toMatchObject({ devices: 2 })
    await expect.poll(() => heard.some((text) => text.includes('"stop":true')), PATIENT).toBe(true)
    const heardLater = await hear(late)
    await expect.poll(() => heardLater.some((text) => text.includes('"stop":true')), PATIENT).toBe(true)
    expect(await codeOf(node().ask('DELETE', 'ada/stopped/emergency-stop', undefined, 'ada!'))).toBe('204')
    await expect.poll(() => heard.at(-1)?.includes('"stop":false'), PATIENT).toBe(true)
  })
}
