import type { CommandResult } from '@patchbay/contracts/devices'
import { type Command, readCommand } from '@patchbay/device-kit'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import type { MqttClient } from 'mqtt'
import { expect } from 'vitest'
import { type Added, type ConnectOptions, codeOf, type DevicesNode, jsonOf, startDevices } from './start.ts'

interface Motor {
  readonly client: MqttClient
  readonly heard: { topic: string; payload: string }[]
  readonly commands: Command[]
}

/** A device that confirms every command, unless it is told to be silent. */
async function startMotor(node: DevicesNode, { answers = true, idempotent = false } = {}): Promise<Motor> {
  const { connect, topic } = await node.add('motor')
  const client = await connect()
  const heard: Motor['heard'] = []
  const commands: Command[] = []
  client.on('message', (each, bytes) => {
    const payload = bytes.toString()
    heard.push({ topic: each.slice(topic.length + 1), payload })
    const command = readCommand(payload)
    if (command === undefined || !each.endsWith('/set')) return
    commands.push(command)
    const status = command.value === 7 ? { status: 'refused', message: 'too hot' } : { status: 'done' }
    if (answers) client.publish(each.replace(/set$/, 'ack'), JSON.stringify({ id: command.id, ...status }))
  })
  await client.subscribeAsync([`${topic}/+/set`, `${topic}/$stop`])
  const components = {
    speed: { platform: 'number', command_topic: true, min: 0, max: 10, idempotent },
    power: { platform: 'switch', command_topic: true, guarded: true },
    temperature: {},
  }
  await client.publishAsync(`${topic}/$info`, JSON.stringify({ components }), { qos: 1 })
  await waitUntil('it is known', async () => {
    const { device } = await jsonOf<{ device: { status: string; channels: unknown[] } }>(
      node.ask('GET', 'ada/board/devices/motor'),
    )
    return device.status === 'online' && device.channels.length === 3
  })
  return { client, heard, commands }
}

const command = (node: DevicesNode, body: object, as?: string, at = 'ada/board') =>
  node.ask('POST', `${at}/devices/motor/commands`, body, as)

deepTest('[G-40] a command reaches the device once, and the answer is what it says', async () => {
  await using node = await startDevices()
  const { commands } = await startMotor(node)
  const before = Date.now()
  const result = await jsonOf<CommandResult>(command(node, { channel: 'speed', value: 3, timeoutMs: 20_000 }))
  expect(result).toMatchObject({ status: 'done', message: null })
  expect(commands).toMatchObject([{ id: result.id, value: 3 }])
  expect(commands[0]?.deadline).toBeGreaterThanOrEqual(before + 20_000)
  const refused = await jsonOf<CommandResult>(
    command(node, { channel: 'speed', value: 7, timeoutMs: 20_000 }),
  )
  expect(refused).toMatchObject({ status: 'refused', message: 'too hot' })
})

deepTest('[G-40] a device that does not answer is a timeout', async () => {
  await using node = await startDevices()
  const { commands } = await startMotor(node, { answers: false })
  expect(await jsonOf(command(node, { channel: 'speed', value: 3, timeoutMs: 300 }))).toMatchObject({
    status: 'timeout',
  })
  expect(commands).toHaveLength(1)
})

test('[G-41] the same id is sent once, however often it is asked for', async () => {
  await using node = await startDevices()
  const { commands } = await startMotor(node)
  const body = { channel: 'speed', value: 3, id: 'my-command-1', timeoutMs: 20_000 }
  const results = await Promise.all(
    Array.from({ length: 8 }, () => jsonOf<CommandResult>(command(node, body))),
  )
  expect(results.map(({ status }) => status)).toEqual(Array(8).fill('done'))
  expect(await jsonOf(command(node, body))).toMatchObject({ status: 'done' })
  expect(commands).toHaveLength(1)
  expect(await codeOf(command(node, { ...body, value: 4 }))).toBe('409 command_id_taken')
})

test('[G-42] what cannot be sent is refused with its reason, and nothing is sent', async () => {
  await using node = await startDevices()
  const { commands, client } = await startMotor(node)
  expect(await codeOf(command(node, { channel: 'speed', value: 11 }))).toBe('422 command_invalid')
  expect(await codeOf(command(node, { channel: 'temperature', value: 1 }))).toBe('404 channel_not_found')
  expect(await codeOf(command(node, { channel: 'nope', value: 1 }))).toBe('404 channel_not_found')
  expect(await codeOf(command(node, { channel: 'speed', value: 1 }, 'reader'))).toBe('403 not_permitted')
  await client.endAsync(true)
  await waitUntil(
    'it is offline',
    async () => (await codeOf(command(node, { channel: 'speed', value: 1 }))) === '409 device_offline',
  )
  expect(commands).toEqual([])
})

test('[G-43] what may be repeated is repeated when nobody answers', async () => {
  await using node = await startDevices()
  const { commands } = await startMotor(node, { answers: false, idempotent: true })
  await command(node, { channel: 'speed', value: 3, timeoutMs: 1_000 })
  expect(commands.map(({ value }) => value)).toEqual([3, 3])
  expect(new Set(commands.map(({ id }) => id)).size).toBe(1)
})

test('[G-44] a device that does not confirm gets the bare value', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('motor')
  const client = await connect()
  const heard: string[] = []
  client.on('message', (_topic, payload) => heard.push(payload.toString()))
  await client.subscribeAsync(`${topic}/cmnd/#`)
  const relay = { stat_t: `${topic}/stat`, cmd_t: `${topic}/cmnd/POWER`, pl_on: 'AN' }
  await client.publishAsync(`${topic}/$discovery/switch/relay/config`, JSON.stringify(relay), { qos: 1 })
  await waitUntil(
    'it is sent',
    async () => (await codeOf(command(node, { channel: 'relay', value: true }))) === '200',
  )
  await waitUntil('it arrives', async () => heard.length > 0)
  expect(heard).toEqual(['AN'])
})

test('[G-45] a guarded channel needs a person who has armed the device, for agents as well', async () => {
  await using node = await startDevices()
  await startMotor(node)
  const wish = { channel: 'power', value: true, timeoutMs: 20_000 }
  expect(await codeOf(command(node, wish, 'ada!'))).toBe('409 device_not_armed')
  const arm = (body: object, as = 'ada!') =>
    codeOf(node.ask('PUT', 'ada/board/devices/motor/arming', body, as))
  expect(await arm({ seconds: 60 }, 'ada')).toBe('403 browser_session_required')
  expect(await arm({ seconds: 60 })).toBe('200')
  expect(await codeOf(command(node, wish, 'ada!'))).toBe('200')
  expect(await codeOf(command(node, wish, 'ada'))).toBe('409 device_not_armed')
  expect(await arm({ seconds: 60, isForAgents: true })).toBe('200')
  expect(await codeOf(command(node, wish, 'ada'))).toBe('200')
  expect(await codeOf(node.ask('DELETE', 'ada/board/devices/motor/arming'))).toBe('204')
  expect(await codeOf(command(node, wish, 'ada!'))).toBe('409 device_not_armed')
})

test('[G-121] an agent that is refused because nobody has armed the device is told of once, with its reason', async () => {
  await using node = await startDevices()
  await startMotor(node)
  const wish = { channel: 'power', value: true, reason: 'test the pump' }
  for (const as of ['ada!', 'ada', 'ada', 'bob'])
    expect(await codeOf(command(node, wish, as))).toBe('409 device_not_armed')
  const asks = node.noted.filter(({ action }) => action === 'ask to arm device motor')
  expect(asks.map(({ by, reason }) => [by, reason])).toEqual([
    ['ada', 'test the pump'],
    ['bob', 'test the pump'],
  ])
  await node.ask('PUT', 'ada/board/emergency-stop', {})
  expect(await codeOf(command(node, wish, 'eve'))).toBe('409 devices_stopped')
  expect(node.noted.filter(({ by }) => by === 'eve')).toEqual([])
})

test('[G-45] arming ends by itself', async () => {
  let now = Date.now()
  await using node = await startDevices({ clock: { now: () => new Date(now) } })
  await startMotor(node)
  await node.ask('PUT', 'ada/board/devices/motor/arming', { seconds: 30 }, 'ada!')
  now += 31_000
  expect(await codeOf(command(node, { channel: 'power', value: true }, 'ada!'))).toBe('409 device_not_armed')
})

test('[G-46] who commanded what, and why, is kept', async () => {
  await using node = await startDevices()
  await startMotor(node)
  await command(node, { channel: 'speed', value: 3, reason: 'warm up', timeoutMs: 20_000 })
  expect(node.noted.at(-1)).toEqual({
    at: 'ada/board',
    by: 'ada',
    action: 'device motor speed 3',
    reason: 'warm up',
  })
  const { rows } =
    await sql<object>`select channel, value, actor_handle, reason, status from device_commands`.execute(
      node.db,
    )
  expect(rows).toEqual([
    { channel: 'speed', value: 3, actor_handle: 'ada', reason: 'warm up', status: 'done' },
  ])
})

test('[G-50] the stop reaches devices that are there and those that come later', async () => {
  await using node = await startDevices()
  const { heard } = await startMotor(node)
  const late = await node.add('late')
  expect(await codeOf(node.ask('PUT', 'ada/board/emergency-stop', {}, 'reader'))).toBe('403 not_permitted')
  expect(await jsonOf(node.ask('PUT', 'ada/board/emergency-stop', { reason: 'smoke' }))).toMatchObject({
    devices: 2,
    stop: { reason: 'smoke' },
  })
  await waitUntil('the motor hears of it', async () =>
    heard.some(({ topic, payload }) => topic === '$stop' && payload.includes('"stop":true')),
  )
  const client = await late.connect()
  const told: string[] = []
  client.on('message', (_topic, payload) => told.push(payload.toString()))
  await client.subscribeAsync(`${late.topic}/$stop`)
  await waitUntil('the late one hears of it', async () => told.length > 0)
  expect(told[0]).toContain('"stop":true')
})

/** Answers what it is told of stops from its subscription on, in order. */
async function hearStops({ connect, topic }: Added, options: ConnectOptions = {}) {
  const client = await connect(options)
  const told: unknown[] = []
  client.on('message', (each, payload) => {
    told.push(each.endsWith('/echo') ? 'echo' : (JSON.parse(payload.toString()) as { stop: boolean }).stop)
  })
  await client.subscribeAsync([`${topic}/$stop`, `${topic}/echo`], { qos: 1 })
  return { told, echo: () => client.publishAsync(`${topic}/echo`, '1', { qos: 1 }) }
}

test('[G-131] a stop outlives the node: whoever connects to the next one hears of it', async () => {
  await using first = await startDevices()
  const device = await first.add('one')
  await first.ask('PUT', 'ada/board/emergency-stop', {})
  await first.devices.stop()
  await using second = await startDevices({ databaseUrl: first.databaseUrl })
  const { told } = await hearStops(device, { port: second.mqttPort })
  await expect.poll(() => told).toContain(true)
})

test('[G-131] a device with the name of a removed one that was stopped is not stopped', async () => {
  await using node = await startDevices()
  const removed = await node.add('one')
  await removed.connect()
  await node.ask('PUT', 'ada/board/emergency-stop', {})
  await node.ask('DELETE', 'ada/board/devices/one')
  await node.ask('DELETE', 'ada/board/emergency-stop', undefined, 'ada!')
  const { told, echo } = await hearStops(await node.add('one'))
  await echo()
  await expect.poll(() => told).toContain('echo')
  expect(told).toEqual(['echo'])
})

test('[G-120] what another workspace has stopped as well stays stopped, and hears of the last release alone', async () => {
  await using node = await startDevices()
  const device = await node.add('one')
  await node.ask('PUT', 'ada/board/devices/one/grants/ada/other')
  const { told } = await hearStops(device)
  for (const at of ['ada/board', 'ada/other']) await node.ask('PUT', `${at}/emergency-stop`, {})
  await expect.poll(() => told).toEqual([true, true])
  await node.ask('DELETE', 'ada/board/emergency-stop', undefined, 'ada!')
  await node.ask('DELETE', 'ada/other/emergency-stop', undefined, 'ada!')
  await expect.poll(() => told.includes(false)).toBe(true)
  expect(told).toEqual([true, true, false])
})

test('[G-51] while the stop holds no command is sent and nothing is armed, wherever the device is', async () => {
  await using node = await startDevices()
  const { commands } = await startMotor(node)
  await node.ask('PUT', 'ada/board/devices/motor/grants/ada/other')
  await node.ask('PUT', 'ada/board/devices/motor/arming', { seconds: 60 }, 'ada!')
  await node.ask('PUT', 'ada/other/emergency-stop', {})
  for (const at of ['ada/board', 'ada/other']) {
    expect(await codeOf(command(node, { channel: 'speed', value: 1 }, 'ada!', at))).toBe(
      '409 devices_stopped',
    )
    expect(await codeOf(node.ask('PUT', `${at}/devices/motor/arming`, { seconds: 60 }, 'ada!'))).toBe(
      '409 devices_stopped',
    )
  }
  expect(commands).toEqual([])
})

test('[G-52] only a person releases the stop, and nothing is armed afterwards', async () => {
  await using node = await startDevices()
  const { heard } = await startMotor(node)
  const page = node.page()
  await page.watch()
  await node.ask('PUT', 'ada/board/devices/motor/arming', { seconds: 60 }, 'ada!')
  await node.ask('PUT', 'ada/board/emergency-stop', {})
  await waitUntil('the page is told', async () =>
    page.news.some((each) => each.type === 'stop' && each.stop !== null),
  )
  expect(await codeOf(node.ask('DELETE', 'ada/board/emergency-stop'))).toBe('403 browser_session_required')
  expect(await codeOf(node.ask('DELETE', 'ada/board/emergency-stop', undefined, 'ada!'))).toBe('204')
  await waitUntil('the motor hears of it', async () =>
    heard.some(({ payload }) => payload.includes('"stop":false')),
  )
  expect(await codeOf(command(node, { channel: 'power', value: true }, 'ada!'))).toBe('409 device_not_armed')
  expect(await codeOf(command(node, { channel: 'speed', value: 1, timeoutMs: 20_000 }))).toBe('200')
})

test('[G-120] a device hears of the release when two workspaces release it at once', async () => {
  await using node = await startDevices()
  const device = await node.add('one')
  await node.ask('PUT', 'ada/board/devices/one/grants/ada/other')
  const { told } = await hearStops(device)
  const both = ['ada/board', 'ada/other']
  for (let round = 1; round <= 5; round += 1) {
    for (const at of both) await node.ask('PUT', `${at}/emergency-stop`, {})
    await Promise.all(both.map((at) => node.ask('DELETE', `${at}/emergency-stop`, undefined, 'ada!')))
    await expect.poll(() => told.at(-1), { timeout: 10_000 }).toBe(false)
  }
})
