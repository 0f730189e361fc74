import type { Device } from '@patchbay/contracts/devices'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { forgetConnections } from '../src/device.store.ts'
import { codeOf, type DevicesNode, jsonOf, startDevices } from './start.ts'

interface Read {
  readonly device: Device
  readonly values: readonly { channel: string; value: unknown; at: string }[]
}
const read = (node: DevicesNode, name: string) => jsonOf<Read>(node.ask('GET', `ada/board/devices/${name}`))

test('[G-20] the latest value is known at once and stored soon, with the time that the device says', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  await client.publishAsync(`${topic}/speed`, '{"ts":1750000000,"value":12.5}', { qos: 1 })
  const expected = [{ channel: 'speed', value: 12.5, at: '2025-06-15T15:06:40.000Z' }]
  await waitUntil('it is known', async () => (await read(node, 'one')).values.length === 1)
  expect((await read(node, 'one')).values).toEqual(expected)
  await waitUntil('it is stored', async () => {
    const { rows } = await sql<{ value: number }>`select value from device_values`.execute(node.db)
    return rows[0]?.value === 12.5
  })
})

test('[G-21] a device without a description has the channels that it sends, up to 64', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  for (let n = 0; n < 70; n += 1) await client.publishAsync(`${topic}/c${n}`, '1', { qos: 1 })
  await waitUntil('64 are known', async () => (await read(node, 'one')).device.channels.length === 64)
  expect((await read(node, 'one')).values).toHaveLength(64)
})

test('[G-22] `$info` and discovery make the channels what they say', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  const info = {
    device: { name: 'Motor', model: 'M1' },
    components: {
      speed: { platform: 'number', command_topic: true, min: 0, max: 9, unit_of_measurement: 'rpm' },
    },
  }
  await client.publishAsync(`${topic}/$info`, JSON.stringify(info), { qos: 1, retain: true })
  await client.publishAsync(
    `${topic}/$discovery/sensor/room/config`,
    JSON.stringify({ stat_t: `${topic}/sensor/room/state`, dev_cla: 'temperature' }),
    { qos: 1, retain: true },
  )
  await client.publishAsync(`${topic}/sensor/room/state`, '21.5', { qos: 1 })
  await waitUntil('both are known', async () => (await read(node, 'one')).device.channels.length === 2)
  const { device, values } = await read(node, 'one')
  expect(device).toMatchObject({
    title: 'Motor',
    model: 'M1',
    channels: [
      { name: 'speed', unit: 'rpm', takesCommands: true },
      { name: 'room', deviceClass: 'temperature' },
    ],
  })
  expect(values).toMatchObject([{ channel: 'room', value: 21.5 }])
  expect(Object.keys(device.channels[0] ?? {})).not.toContain('stateTopic')
})

test('[G-23][G-140] a device is online while it is connected, and counted in the metrics', async () => {
  await using node = await startDevices()
  const metrics = async () => await (await fetch(`${node.url}/metrics`)).text()
  const { connect } = await node.add('one')
  const client = await connect()
  await expect.poll(async () => (await read(node, 'one')).device.status).toBe('online')
  expect(await metrics()).toContain('patchbay_devices_connected{process="server"} 1')
  await client.endAsync(true)
  await expect.poll(async () => (await read(node, 'one')).device.status).toBe('offline')
  expect(await metrics()).toContain('patchbay_devices_connected{process="server"} 0')
  expect(await metrics()).toMatch(/patchbay_devices_unstored_seconds\{process="server"\} \d/)
})

test('[G-23] its will says that it is offline', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect({ will: `${topic}/$status` })
  await expect.poll(async () => (await read(node, 'one')).device.status).toBe('online')
  client.stream.destroy()
  await expect.poll(async () => (await read(node, 'one')).device.status).toBe('offline')
})

test('[G-23] a node that starts counts nobody as connected', async () => {
  await using first = await startDevices()
  await first.add('one')
  await sql`update devices set is_connected = true, seen_at = now()`.execute(first.db)
  await using second = await startDevices({ databaseUrl: first.databaseUrl })
  await expect.poll(async () => (await read(second, 'one')).device.status).toBe('offline')
})

test('[G-23] a device that connects before that was stored stays connected', async () => {
  await using node = await startDevices()
  const { connect } = await node.add('one')
  await connect()
  await expect.poll(async () => (await read(node, 'one')).device.status).toBe('online')
  // As a slow database would do it: what the node forgets at its start comes after the device.
  await forgetConnections(node.db, new Date(Date.now() - 60_000))
  expect((await read(node, 'one')).device.status).toBe('online')
})

deepTest('[G-23] a device that nothing is heard of for two minutes is offline', async () => {
  let now = Date.now()
  await using node = await startDevices({ clock: { now: () => new Date(now) } })
  const { key } = await node.add('one')
  const headers = { 'x-device-key': key, 'content-type': 'application/json' }
  await fetch(`${node.url}/api/devices/values`, { method: 'POST', headers, body: '{"a":1}' })
  await expect.poll(async () => (await read(node, 'one')).device.status).toBe('online')
  now += 121_000
  await expect.poll(async () => (await read(node, 'one')).device.status).toBe('offline')
})

test('[G-24] values over HTTP are as good as published ones', async () => {
  await using node = await startDevices()
  const { key } = await node.add('one')
  const send = (body: string, device = key) =>
    codeOf(
      fetch(`${node.url}/api/devices/values`, {
        method: 'POST',
        headers: { 'x-device-key': device, 'content-type': 'application/json' },
        body,
      }),
    )
  expect(await send('{"speed":3,"mode":"fast","pose":{"x":1}}')).toBe('204')
  expect((await read(node, 'one')).values.map(({ channel, value }) => [channel, value])).toEqual([
    ['speed', 3],
    ['mode', 'fast'],
    ['pose', { x: 1 }],
  ])
  expect(await send('{"speed":3}', 'pbd_wrong')).toBe('401 credential_invalid')
  expect(await send('{"a/b":3}')).toBe('400 invalid_request')
  expect(await send('{"a":{"b":{}}}')).toBe('400 invalid_request')
  expect(await send('{}')).toBe('400 invalid_request')
})
