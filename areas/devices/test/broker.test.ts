import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { type DevicesNode, startDevices } from './start.ts'

async function latest(node: DevicesNode, device: string): Promise<Record<string, unknown>> {
  const answer = await node.ask('GET', `ada/board/devices/${device}`)
  const { values } = (await answer.json()) as { values: { channel: string; value: unknown }[] }
  return Object.fromEntries(values.map(({ channel, value }) => [channel, value]))
}

test('[G-10] a connection needs the username and key of one device', async () => {
  await using node = await startDevices()
  const one = await node.add('one')
  const other = await node.add('other')
  expect((await one.connect()).connected).toBe(true)
  for (const key of ['', 'wrong', other.key, `${one.key} `])
    await expect(one.connect({ key })).rejects.toThrow(/not authorized|bad user/i)
})

test.each([
  'pb/ada/board/other/speed',
  'pb/ada/board/one/speed/set',
  'pb/ada/board/one/$stop',
  'pb/eve/x/one/a',
  '$SYS/a',
  'a',
])('[G-11] a device cannot publish to %s', async (topic) => {
  await using node = await startDevices()
  const one = await node.add('one')
  const other = await node.add('other')
  const listener = await other.connect()
  const heard: string[] = []
  listener.on('message', (each) => heard.push(each))
  await listener.subscribeAsync(`${other.topic}/#`)
  const client = await one.connect()
  const closed = new Promise((resolve) => client.on('close', () => resolve(undefined)))
  client.publish(topic, '1')
  await closed
  expect(heard).toEqual([])
  expect(await latest(node, 'other')).toEqual({})
})

test.each(['#', 'pb/#', 'pb/ada/board/+/speed', 'pb/ada/board/other/#', '$SYS/#', 'pb/ada/board/one'])(
  '[G-12] a device cannot subscribe to %s',
  async (filter) => {
    await using node = await startDevices()
    const one = await node.add('one')
    const other = await node.add('other')
    const client = await one.connect()
    const heard: string[] = []
    client.on('message', (topic) => heard.push(topic))
    await client.subscribeAsync(filter).catch(() => undefined)
    const speaker = await other.connect()
    await speaker.publishAsync(`${other.topic}/speed`, '1', { qos: 1 })
    await waitUntil('the value is heard', async () => (await latest(node, 'other'))['speed'] === 1)
    expect(heard).toEqual([])
  },
)

test('[G-13] the client id of another device ends nobody', async () => {
  await using node = await startDevices()
  const [one, other] = [await node.add('one'), await node.add('other')]
  const first = await one.connect({ clientId: 'same' })
  const second = await other.connect({ clientId: 'same' })
  await second.publishAsync(`${other.topic}/a`, '1', { qos: 1 })
  await first.publishAsync(`${one.topic}/a`, '1', { qos: 1 })
  expect([first.connected, second.connected]).toEqual([true, true])
})

test('[G-14] a packet that is too large closes the connection before it is collected', async () => {
  await using node = await startDevices()
  const socket = connectTcp(node.broker.port ?? 0, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  // A CONNECT that says that it has 100 MB.
  socket.write(Buffer.from([0x10, 0x80, 0xc2, 0xd7, 0x2f, 0, 4]))
  await once(socket, 'close')
  const { connect, topic } = await node.add('one')
  const client = await connect()
  client.on('error', () => undefined)
  const closed = new Promise((resolve) => client.on('close', () => resolve(undefined)))
  client.publish(`${topic}/big`, 'x'.repeat(100_000))
  await closed
  expect(await latest(node, 'one')).toEqual({})
})

test('[G-15] a device that floods is slowed down, and another is heard meanwhile', async () => {
  await using node = await startDevices()
  const [loud, calm] = [await node.add('loud'), await node.add('calm')]
  const page = node.page()
  await page.watch('loud n', 'calm n')
  const flood = await loud.connect()
  const other = await calm.connect()
  for (let n = 0; n < 5_000; n += 1) flood.publish(`${loud.topic}/n`, String(n))
  await other.publishAsync(`${calm.topic}/n`, '1', { qos: 1 })
  await waitUntil('the other device is heard', async () =>
    page.values().some(({ device }) => device === 'calm'),
  )
  const heard = Math.max(
    ...page.values().flatMap(({ device, value }) => (device === 'loud' ? [Number(value)] : [])),
  )
  expect(heard).toBeLessThan(4_999)
})

test.each([
  ['nothing of MQTT', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a publication before the connection', Buffer.from([0x30, 3, 0, 1, 0x61])],
  ['a length that does not end', Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ['a CONNECT that is cut', Buffer.from([0x10, 2, 0, 4])],
])('[G-16] %s closes that connection and nothing else', async (_what, bytes) => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  const socket = connectTcp(node.broker.port ?? 0, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(bytes)
  socket.end()
  await once(socket, 'close')
  await client.publishAsync(`${topic}/a`, '1', { qos: 1 })
  await expect.poll(() => latest(node, 'one')).toEqual({ a: 1 })
})

test('[G-20] [G-21] [G-22] hostile topics and payloads leave everything as it was', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  await client.publishAsync(`${topic}/good`, '1', { qos: 1 })
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
    for (const payload of payloads) await client.publishAsync(`${topic}/${suffix}`, payload, { qos: 1 })
  await client.publishAsync(`${topic}/good`, '2', { qos: 1 })
  await waitUntil('it is heard', async () => (await latest(node, 'one'))['good'] === 2)
  expect(client.connected).toBe(true)
})
