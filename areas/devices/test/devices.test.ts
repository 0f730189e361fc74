import type { Device } from '@patchbay/contracts/devices'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { codeOf, jsonOf, startDevices } from './start.ts'

interface Listed {
  readonly items: readonly Device[]
  readonly nextCursor: string | null
}

test('[G-1] a device is added, listed, and read', async () => {
  await using node = await startDevices()
  const { device, key } = await node.add('motor-1')
  expect(device).toMatchObject({
    name: 'motor-1',
    owner: 'ada',
    repo: 'board',
    status: 'never',
    channels: [],
  })
  const { items } = await jsonOf<Listed>(node.ask('GET', 'ada/board/devices'))
  expect(items.map(({ name }) => name)).toEqual(['motor-1'])
  const read = await jsonOf<object>(node.ask('GET', 'ada/board/devices/motor-1'))
  expect(read).toMatchObject({ connection: { topic: 'pb/ada/board/motor-1' }, values: [], grants: [] })
  expect(JSON.stringify(read)).not.toContain(key)
})

test('[G-1] a name is taken once, and lists come in pages', async () => {
  await using node = await startDevices()
  for (const name of ['a', 'b', 'c']) await node.add(name)
  expect(await codeOf(node.ask('POST', 'ada/board/devices', { name: 'b' }))).toBe('409 device_exists')
  expect(await codeOf(node.ask('POST', 'ada/board/devices', { name: 'No good' }))).toBe('400 invalid_request')
  expect(await codeOf(node.ask('POST', 'ada/board/devices', { name: 'd' }, 'reader'))).toBe(
    '403 not_permitted',
  )
  const first = await jsonOf<Listed>(node.ask('GET', 'ada/board/devices?limit=2'))
  expect([first.items.map(({ name }) => name), first.nextCursor]).toEqual([['a', 'b'], 'b'])
  const second = await jsonOf<Listed>(node.ask('GET', 'ada/board/devices?limit=2&cursor=b'))
  expect([second.items.map(({ name }) => name), second.nextCursor]).toEqual([['c'], null])
})

test('[G-1] a workspace has 200 devices at most', async () => {
  await using node = await startDevices()
  await sql`insert into devices (username, key_hash, owner, repo, name, title, channels, actor_kind, actor_name, actor_handle, created_at)
    select n::text, n::text, 'ada', 'board', 'd' || n, 'd', '[]', 'browser', 'a', 'a', now() from generate_series(1, 200) n`.execute(
    node.db,
  )
  await sql`insert into device_places (owner, repo, name, device_id, is_home)
    select owner, repo, name, id, true from devices`.execute(node.db)
  expect(await codeOf(node.ask('POST', 'ada/board/devices', { name: 'one-more' }))).toBe('409 limit_reached')
})

test('[G-2] the key is short, stored as a hash, and replaced with everything that used it', async () => {
  await using node = await startDevices()
  const { key, connect } = await node.add('motor-1')
  expect(key.length).toBeLessThanOrEqual(24)
  const { rows } = await sql<{ row: object }>`select row_to_json(devices) as row from devices`.execute(
    node.db,
  )
  expect(JSON.stringify(rows)).not.toContain(key)
  const client = await connect()
  const { key: next } = await jsonOf<{ key: string }>(node.ask('POST', 'ada/board/devices/motor-1/key'))
  await waitUntil('the old connection ends', async () => !client.connected)
  await expect(connect()).rejects.toThrow(/not authorized|bad user/i)
  expect((await connect({ key: next })).connected).toBe(true)
})

test('[G-3] a removed device is gone with its connection and its key', async () => {
  await using node = await startDevices()
  const { key, connect, topic } = await node.add('motor-1')
  const client = await connect()
  await client.publishAsync(`${topic}/speed`, '3')
  expect(await codeOf(node.ask('DELETE', 'ada/board/devices/motor-1'))).toBe('204')
  await waitUntil('the connection ends', async () => !client.connected)
  await expect(connect()).rejects.toThrow(/not authorized|bad user/i)
  expect(await codeOf(node.ask('GET', 'ada/board/devices/motor-1'))).toBe('404 device_not_found')
  const values = {
    method: 'POST',
    headers: { 'x-device-key': key, 'content-type': 'application/json' },
    body: '{"a":1}',
  }
  expect(await codeOf(fetch(`${node.url}/api/devices/values`, values))).toBe('401 credential_invalid')
})

test('[G-4] a granted device is in the other workspace, and is changed where it was added', async () => {
  await using node = await startDevices()
  await node.add('motor-1')
  expect(await codeOf(node.ask('PUT', 'ada/board/devices/motor-1/grants/ada/other'))).toBe('204')
  const { items } = await jsonOf<Listed>(node.ask('GET', 'ada/other/devices'))
  expect(items.map(({ name, repo }) => [name, repo])).toEqual([['motor-1', 'board']])
  expect(await codeOf(node.ask('DELETE', 'ada/other/devices/motor-1'))).toBe('403 not_permitted')
  expect(await codeOf(node.ask('POST', 'ada/other/devices/motor-1/key'))).toBe('403 not_permitted')
  expect(await jsonOf(node.ask('GET', 'ada/board/devices/motor-1'))).toMatchObject({
    grants: [{ owner: 'ada', repo: 'other' }],
  })
  expect(await codeOf(node.ask('DELETE', 'ada/board/devices/motor-1/grants/ada/other'))).toBe('204')
  expect((await jsonOf<Listed>(node.ask('GET', 'ada/other/devices'))).items).toEqual([])
})

test('[G-4] a name that is taken there cannot be granted', async () => {
  await using node = await startDevices()
  await node.add('motor-1')
  await node.add('motor-1', 'ada/other')
  expect(await codeOf(node.ask('PUT', 'ada/board/devices/motor-1/grants/ada/other'))).toBe(
    '409 device_exists',
  )
})

test('[G-5] a device goes with its workspace', async () => {
  await using node = await startDevices()
  const { connect } = await node.add('motor-1')
  await sql`delete from workspaces where repo = 'board'`.execute(node.db)
  await expect(connect()).rejects.toThrow(/not authorized|bad user/i)
})

test('[G-6] changes are in the trail', async () => {
  await using node = await startDevices()
  await node.add('motor-1')
  await node.ask('PUT', 'ada/board/devices/motor-1/grants/ada/other')
  await node.ask('POST', 'ada/board/devices/motor-1/key')
  await node.ask('DELETE', 'ada/board/devices/motor-1')
  expect(node.noted.map(({ at, action }) => [at, action])).toEqual([
    ['ada/board', 'add device motor-1'],
    ['ada/other', 'add device motor-1 of ada/board'],
    ['ada/board', 'grant device motor-1 to ada/other'],
    ['ada/board', 'replace key of device motor-1'],
    ['ada/board', 'remove device motor-1'],
  ])
})
