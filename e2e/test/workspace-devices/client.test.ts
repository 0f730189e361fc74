import { connectWorkspace, Unanswered, type Workspace } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'
import { sendValues, startMotor } from './motor.ts'

let site: Installation
beforeAll(async () => {
  site = await startInstallation({ PATCHBAY_MQTT_PORT: '0' })
})
afterAll(() => site[Symbol.asyncDispose]())

async function newWorkspace(
  options: { fetch?: typeof fetch; signal?: AbortSignal } = {},
): Promise<Workspace> {
  const [owner = '', repo = ''] = site.newWorkspace().split('/')
  const apiKey = await site.apiKey(`panels:${owner}/*`, `devices:command:${owner}/*`)
  const workspace = connectWorkspace({ baseUrl: site.url, owner, repo, apiKey, ...options })
  await workspace.make()
  return workspace
}

/** A `fetch` whose first answer to such a request is lost on its way. */
function losingAnswerTo(method: string, ending: string): typeof fetch & { sent: number } {
  const losing = Object.assign(
    async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const response = await fetch(input, init)
      if (init?.method !== method || !String(input).endsWith(ending)) return response
      losing.sent += 1
      if (losing.sent > 1) return response
      await response.body?.cancel()
      throw new TypeError('fetch failed')
    },
    { sent: 0 },
  )
  return losing
}

deepTest('[CL-130] a device is added, listed, read, given a new key and removed', async () => {
  const { devices } = await newWorkspace()
  expect(await devices.list()).toEqual({ devices: [], stop: null })
  const { device, key, connection } = await devices.add({ name: 'motor-1', title: 'Motor' })
  expect(device).toMatchObject({ name: 'motor-1', title: 'Motor', status: 'never' })
  expect(connection).toMatchObject({ host: 'localhost', isTls: false })
  await sendValues(site.url, key, { speed: 3 })
  expect((await devices.list()).devices.map(({ name }) => name)).toEqual(['motor-1'])
  expect(await devices.get('motor-1')).toMatchObject({
    device: { name: 'motor-1' },
    connection,
    values: [{ channel: 'speed', value: 3 }],
    grants: [],
  })
  const renewed = await devices.replaceKey('motor-1')
  await expect(sendValues(site.url, key, { speed: 4 })).rejects.toThrow('401')
  await sendValues(site.url, renewed.key, { speed: 5 })
  await devices.remove('motor-1')
  await expect(devices.get('motor-1')).rejects.toMatchObject({ code: 'device_not_found' })
})

test('[CL-130] a device is granted to another workspace and revoked', async () => {
  const [from, to] = [await newWorkspace(), await newWorkspace()]
  await from.devices.add({ name: 'motor-1' })
  await from.devices.grant('motor-1', to)
  expect((await from.devices.get('motor-1')).grants).toEqual([{ owner: to.owner, repo: to.repo }])
  expect((await to.devices.list()).devices).toMatchObject([{ name: 'motor-1', repo: from.repo }])
  await from.devices.revoke('motor-1', to)
  expect((await to.devices.list()).devices).toEqual([])
})

deepTest(
  '[CL-131] values arrive as they are sent, the latest known ones first, until the device is gone',
  async () => {
    const { devices } = await newWorkspace()
    const { key } = await devices.add({ name: 'motor-1' })
    await sendValues(site.url, key, { speed: 1, temperature: 20 })
    const watching = devices.watch('motor-1', { rate: 30 })
    const first = [await watching.next(), await watching.next()].map(({ value }) => value)
    expect(first).toMatchObject(
      expect.arrayContaining([
        { channel: 'speed', value: 1, at: expect.any(String) },
        { channel: 'temperature', value: 20, at: expect.any(String) },
      ]),
    )
    await sendValues(site.url, key, { speed: 2 })
    expect((await watching.next()).value).toMatchObject({ channel: 'speed', value: 2 })
    await devices.remove('motor-1')
    expect(await watching.next()).toEqual({ done: true, value: 'gone' })
  },
)

deepTest('[CL-131] of one channel alone, and for as long as was asked', async () => {
  const { devices } = await newWorkspace()
  const { key } = await devices.add({ name: 'motor-1' })
  await sendValues(site.url, key, { speed: 1, temperature: 20 })
  const watching = devices.watch('motor-1', { channel: 'speed', seconds: 1 })
  expect((await watching.next()).value).toMatchObject({ channel: 'speed', value: 1 })
  expect(await watching.next()).toEqual({ done: true, value: 'over' })
})

test('[CL-131] a device that is not there is refused', async () => {
  const { devices } = await newWorkspace()
  await expect(devices.watch('none').next()).rejects.toMatchObject({ code: 'device_not_found' })
})

test('[CL-131] a connection that breaks is told', async () => {
  const cut = new AbortController()
  const { devices } = await newWorkspace({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('/values') || response.body === null) return response
      const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
      response.body.pipeTo(writable, { signal: cut.signal }).catch(() => undefined)
      return new Response(readable, response)
    },
  })
  const { key } = await devices.add({ name: 'motor-1' })
  await sendValues(site.url, key, { speed: 1 })
  const watching = devices.watch('motor-1')
  await watching.next()
  cut.abort(new TypeError('terminated'))
  await expect(watching.next()).rejects.toBeInstanceOf(Unanswered)
})

test.each([
  ['of the call', 'call'],
  ['of the connection', 'connection'],
] as const)('[CL-132] the signal %s ends a watch with its reason', async (_whose, where) => {
  const controller = new AbortController()
  const { signal } = controller
  const { devices } = await newWorkspace(where === 'connection' ? { signal } : {})
  const { key } = await devices.add({ name: 'motor-1' })
  await sendValues(site.url, key, { speed: 1 })
  const watching = devices.watch('motor-1', where === 'call' ? { signal } : {})
  await watching.next()
  const next = watching.next()
  controller.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
  expect(await watching.next()).toEqual({ done: true, value: undefined })
})

test('[CL-132] a watch that is left closes its connection', async () => {
  const closed = Promise.withResolvers<string>()
  const { devices } = await newWorkspace({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('/values') || response.body === null) return response
      const { body } = response
      const reader = body.getReader()
      const told = new ReadableStream<Uint8Array<ArrayBuffer>>({
        async pull(controller) {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        },
        async cancel() {
          await reader.cancel()
          closed.resolve('closed')
        },
      })
      return new Response(told, response)
    },
  })
  const { key } = await devices.add({ name: 'motor-1' })
  await sendValues(site.url, key, { speed: 1 })
  for await (const { channel } of devices.watch('motor-1')) {
    expect(channel).toBe('speed')
    break
  }
  expect(await closed.promise).toBe('closed')
})

test('[CL-134] a command reaches the device, and its answer is what the device says', async () => {
  const { devices } = await newWorkspace()
  await using motor = await startMotor(await devices.add({ name: 'motor-1' }), devices)
  const order = { channel: 'speed', timeoutMs: 20_000 }
  const done = await devices.command('motor-1', { ...order, value: 3, reason: 'to try' })
  expect(done).toMatchObject({ status: 'done', message: null })
  expect(motor.commands).toMatchObject([{ id: done.id, value: 3 }])
  expect(await devices.command('motor-1', { ...order, value: 7 })).toMatchObject({
    status: 'refused',
    message: 'too hot',
  })
  await expect(devices.command('motor-1', { ...order, value: 11 })).rejects.toMatchObject({
    code: 'command_invalid',
  })
  motor.answers = false
  expect(await devices.command('motor-1', { channel: 'speed', value: 4, timeoutMs: 100 })).toMatchObject({
    status: 'timeout',
  })
})

test('[CL-134] a command whose answer got lost is asked for again and reaches the device once', async () => {
  const losing = losingAnswerTo('POST', '/commands')
  const { devices } = await newWorkspace({ fetch: losing })
  await using motor = await startMotor(await devices.add({ name: 'motor-1' }), devices)
  const result = await devices.command('motor-1', { channel: 'speed', value: 3, timeoutMs: 20_000 })
  expect(result).toMatchObject({ status: 'done', id: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(losing.sent).toBe(2)
  expect(motor.commands).toMatchObject([{ id: result.id, value: 3 }])
})

test('[CL-134] a command with a name of the caller is that one', async () => {
  const { devices } = await newWorkspace()
  await using motor = await startMotor(await devices.add({ name: 'motor-1' }), devices)
  const order = { channel: 'speed', value: 3, id: 'first-run', timeoutMs: 20_000 }
  await devices.command('motor-1', order)
  expect(await devices.command('motor-1', order)).toMatchObject({ id: 'first-run', status: 'done' })
  expect(motor.commands).toHaveLength(1)
})

test('[CL-135] all devices are stopped, also when the answer got lost, and take no commands', async () => {
  const losing = losingAnswerTo('PUT', '/emergency-stop')
  const { devices } = await newWorkspace({ fetch: losing })
  await using motor = await startMotor(await devices.add({ name: 'motor-1' }), devices)
  expect(await devices.stop({ reason: 'smoke' })).toMatchObject({ stop: { reason: 'smoke' }, devices: 1 })
  expect(losing.sent).toBe(2)
  await waitUntil('the motor is told', async () => motor.stops.length > 0)
  expect((await devices.list()).stop).toMatchObject({ reason: 'smoke' })
  await expect(devices.command('motor-1', { channel: 'speed', value: 1 })).rejects.toMatchObject({
    code: 'devices_stopped',
  })
})
