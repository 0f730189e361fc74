import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { NO_STACK, type Running, type User } from '@patchbay/cli/test/user'
import type { WorkspaceDevices } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'
import { newWorkspace } from './new-workspace.ts'

const PATIENCE = { deadlineMs: 90_000 }

let site: Installation
let ada: User
beforeAll(async () => {
  site = await startInstallation({ PATCHBAY_MQTT_PORT: '0' })
  ada = await site.shell('panels:ada/*', 'devices:command:ada/*')
})
afterAll(async () => {
  await ada[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const simulate = (...args: string[]): Running => ada.start('device', 'simulate', ...args)
const isRunning = (running: Running) =>
  waitUntil(
    'the simulation runs',
    () => {
      if (running.child.exitCode !== null) throw new Error(running.stdout() + running.stderr())
      return running.stdout().includes('Ctrl-C ends it.')
    },
    PATIENCE,
  )
const names = async (devices: WorkspaceDevices, status: string) =>
  (await devices.list()).devices.filter((each) => each.status === status).map(({ name }) => name)

deepTest(
  '[CLI-230] the whole bench is there, sends values, does what it is told, and is offline after Ctrl-C',
  async () => {
    const { name, devices } = await newWorkspace(site, ada)
    const running = simulate(name, 'bench')
    await isRunning(running)
    await waitUntil('all are online', async () => (await names(devices, 'online')).length === 21, PATIENCE)
    const value = async (device: string, channel: string) =>
      (await devices.get(device)).values.find((each) => each.channel === channel)?.value
    await waitUntil(
      'the servo has an angle',
      async () => (await value('servo', 'angle')) !== undefined,
      PATIENCE,
    )
    const order = { channel: 'fade', value: 2, timeoutMs: 30_000 }
    expect(await devices.command('lights', order)).toMatchObject({ status: 'done' })
    await waitUntil('it shows', async () => (await value('lights', 'fade')) === 2, PATIENCE)
    expect(running.stdout()).toContain('lights  fade = 2  done\n')
    await devices.stop({ reason: 'enough' })
    await waitUntil('the bench is told', () => running.stdout().includes('Emergency stop:'), PATIENCE)
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
    await waitUntil('all are offline', async () => (await names(devices, 'offline')).length === 21, PATIENCE)
  },
)

deepTest(
  '[CLI-230][CLI-231] some of them by name, for some seconds; a later run takes them again',
  async () => {
    const { name, devices } = await newWorkspace(site, ada)
    const first = await ada.json('device', 'simulate', name, 'motor', 'oven', '--seconds', '1')
    expect(first).toEqual({ simulated: ['motor', 'oven'], added: ['motor', 'oven'], removed: [] })
    const second = await ada.json('device', 'simulate', name, 'motor', '--seconds', '1', '--remove')
    expect(second).toEqual({ simulated: ['motor'], added: [], removed: [] })
    expect((await devices.list()).devices.map((each) => each.name)).toEqual(['motor', 'oven'])
    expect(await ada.run('device', 'simulate', name, 'moter')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean motor?'),
    })
  },
)

test("[CLI-231] a device of somebody's own keeps its key, and nothing is changed", async () => {
  const { name, devices } = await newWorkspace(site, ada)
  await devices.add({ name: 'oven' })
  const refused = await ada.run('device', 'simulate', name)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('has a device "oven" that is not a simulated one. Nothing was changed.')
  expect((await devices.list()).devices.map((each) => each.name)).toEqual(['oven'])
})

deepTest('[CLI-232] --remove takes away what was added, and nothing else', async () => {
  const { name, devices } = await newWorkspace(site, ada)
  await ada.run('device', 'simulate', name, 'motor', '--seconds', '1')
  const running = simulate(name, 'motor', 'servo', '--remove')
  await isRunning(running)
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The simulation has ended. Removed servo.\n'),
  })
  expect((await devices.list()).devices.map((each) => each.name)).toEqual(['motor'])
})

deepTest('[CLI-233] a server that takes values over HTTP alone is told, and nothing stays', async () => {
  await using plain = await startInstallation()
  await using shell = await plain.shell('panels:ada/*', 'devices:read:ada/*')
  await shell.run('workspace', 'make', 'ada/board')
  const refused = await shell.run('device', 'simulate', 'ada/board')
  expect(refused).toMatchObject({ code: 69, stderr: expect.stringContaining('PATCHBAY_MQTT_PORT') })
  expect(refused.stderr).not.toMatch(NO_STACK)
  expect(await shell.json('device', 'list', 'ada/board')).toMatchObject({ devices: [] })
})

test('[CLI-226][CLI-230] a key that may not see devices is told which scope it needs', async () => {
  const { name } = await newWorkspace(site, ada)
  await using blind = await site.shell('panels:ada/*')
  expect(await blind.run('device', 'simulate', name)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`devices:read:${name}`),
  })
})

/** The server, at an address whose host nobody listens on for MQTT. */
async function behindFirewall(): Promise<AsyncDisposable & { readonly url: string }> {
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _host, connection: _connection, ...headers } = request.headers
    const answer = await fetch(site.url + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    })
    // No port of ours is 1.
    const text = (await answer.text()).replace(/"port":\d+/, '"port":1')
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(answer.status === 204 ? undefined : text)
  }
  const server = createServer((request, response) => void forward(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('[CLI-232][CLI-233] a port of MQTT that cannot be reached is told, and nothing stays', async () => {
  const { name, devices } = await newWorkspace(site, ada)
  await using wall = await behindFirewall()
  const refused = await ada.runWith({ PATCHBAY_SERVER_URL: wall.url }, 'device', 'simulate', name)
  expect(refused).toMatchObject({ code: 69, stdout: '' })
  expect(refused.stderr).toContain('localhost:1, which cannot be reached from here: ECONNREFUSED')
  expect((await devices.list()).devices).toEqual([])
})

test('[CLI-234] a connection that is lost is told once, and tried again until it is back', async () => {
  const { name, devices } = await newWorkspace(site, ada)
  const running = simulate(name, 'motor')
  await isRunning(running)
  // A new key ends the connection, and a removed device is not let in again.
  await devices.replaceKey('motor')
  await waitUntil('it is told', () => running.stdout().includes('motor has lost its connection'), PATIENCE)
  running.child.kill('SIGINT')
  const { code, stdout } = await running.ended
  expect(code).toBe(0)
  expect(stdout.match(/lost its connection/g)).toHaveLength(1)
})
