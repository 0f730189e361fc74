import { connectWorkspaces, type Workspace, type Workspaces } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { type Agent, connectAgent, textOf } from '@patchbay/viewer-app/test/agents'
import { createDesk, type Desk } from '@patchbay/viewer-app/test/desk'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { pageHeaders } from '../installation/accounts.ts'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'
import { sendValues, startMotor } from '../workspace-devices/motor.ts'

vi.setConfig({ testTimeout: 120_000 })

let site: Installation
let desk: Desk
let agent: Agent
let workspaces: Workspaces
beforeAll(async () => {
  site = await startInstallation({ PATCHBAY_MQTT_PORT: '0' })
  const scopes = [`panels:${site.owner}/*`, `devices:command:${site.owner}/*`]
  workspaces = connectWorkspaces({ baseUrl: site.url, apiKey: await site.apiKey(...scopes) })
  desk = await createDesk({ env: await site.environment(...scopes) })
  agent = await connectAgent('2.x', 'stdio', desk.reach)
}, 120_000)
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await desk[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function newWorkspace(): Promise<Workspace & { readonly name: string }> {
  const name = site.newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const workspace = workspaces.workspace({ owner, repo })
  await workspace.make()
  return Object.assign(workspace, { name })
}

async function withMotor() {
  const workspace = await newWorkspace()
  return {
    workspace,
    motor: await startMotor(await workspace.devices.add({ name: 'motor' }), workspace.devices),
  }
}

/** What a person in a browser does. */
async function asPerson(method: string, path: string, body?: unknown): Promise<void> {
  const { 'content-type': type = '', ...headers } = pageHeaders(site.session, site.url)
  const answer = await fetch(`${site.url}/api/workspaces/editor/${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
}

deepTest('[VA-70] devices are listed with their status, their channels, and what those take', async () => {
  const { workspace, motor } = await withMotor()
  await using _motor = motor
  await workspace.devices.add({ name: 'probe' })
  const listed = await agent.call('av_list_devices', { workspace: workspace.name })
  expect(listed.structuredContent).toMatchObject({
    workspace: workspace.name,
    isStopped: false,
    devices: [
      {
        device: 'motor',
        status: 'online',
        isArmedForAgents: false,
        channels: expect.arrayContaining([
          expect.objectContaining({
            channel: 'speed',
            kind: 'number',
            takesCommands: true,
            min: -10,
            max: 10,
          }),
          expect.objectContaining({ channel: 'power', isGuarded: true }),
        ]),
      },
      { device: 'probe', status: 'never', channels: [] },
    ],
  })
  expect(textOf(listed)).toContain('motor, online: ')
  expect(textOf(listed)).toContain('power (takes commands, guarded)')
  expect(textOf(listed)).toContain('no instruction')
})

deepTest('[VA-71] the latest values are read with their times, and watched for a while', async () => {
  const workspace = await newWorkspace()
  const { key } = await workspace.devices.add({ name: 'probe' })
  await sendValues(site.url, key, { temperature: 21.5, note: 'a\u202Eb' })
  const given = { workspace: workspace.name, device: 'probe' }
  const read = await agent.call('av_read_device', given)
  expect(read.structuredContent).toMatchObject({
    status: 'online',
    values: expect.arrayContaining([
      { channel: 'temperature', value: 21.5, at: expect.any(String) },
      { channel: 'note', value: 'ab', at: expect.any(String) },
    ]),
  })
  const watching = agent.call('av_watch_device', { ...given, channel: 'temperature', seconds: 4 })
  await sendValues(site.url, key, { temperature: 22 })
  const { structuredContent } = await watching
  const { values, isCut, isGone } = structuredContent as {
    values: { value: number }[]
    isCut: boolean
    isGone: boolean
  }
  expect([values.at(-1)?.value, isCut, isGone]).toEqual([22, false, false])
  const gone = agent.call('av_watch_device', { ...given, seconds: 60 })
  await workspace.devices.remove('probe')
  const outcome = await gone
  // Removed before the watch has begun, it is not there at all.
  expect(textOf(outcome)).toMatch(/was removed|has no such device/)
})

deepTest('[VA-72] a command is sent once with its reason, and its id tells what became of it', async () => {
  const { workspace, motor } = await withMotor()
  await using _motor = motor
  await using browser = await site.open(workspace.name)
  const given = { workspace: workspace.name, device: 'motor', channel: 'speed', timeoutSeconds: 30 }
  const done = await agent.call('av_command_device', { ...given, value: 3, reason: 'spin up' })
  expect(done.structuredContent).toMatchObject({ status: 'done', message: null })
  const { id } = done.structuredContent as { id: string }
  expect(textOf(done)).toContain(id)
  const again = await agent.call('av_command_device', { ...given, value: 3, reason: 'spin up', id })
  expect(again.structuredContent).toMatchObject({ id, status: 'done' })
  expect(motor.commands).toHaveLength(1)
  const refused = await agent.call('av_command_device', { ...given, value: 7, reason: 'more' })
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('It says: too hot')])
  motor.answers = false
  const late = await agent.call('av_command_device', { ...given, value: 4, reason: 'x', timeoutSeconds: 1 })
  expect([late.isError, textOf(late)]).toEqual([true, expect.stringContaining('may have carried it out')])
  await waitUntil(
    'the people who watch read why',
    () =>
      browser.acted.some(({ action, reason }) => action === 'device motor speed 3' && reason === 'spin up'),
    { deadlineMs: 60_000 },
  )
})

test('[VA-73] not armed, armed for agents, invalid, unknown, offline: each says what can be done', async () => {
  const { workspace, motor } = await withMotor()
  const given = { workspace: workspace.name, device: 'motor', reason: 'to try', timeoutSeconds: 30 }
  const refusals: [Record<string, unknown>, string][] = [
    [{ channel: 'power', value: true }, 'nobody has armed the device for agents. Nothing was sent.'],
    [{ channel: 'speed', value: 99 }, 'The channel does not take this value. Nothing was sent.'],
    [{ channel: 'temperature', value: 1 }, 'none that takes commands. Nothing was sent.'],
    [{ channel: 'speed', value: { a: { b: 1 } } }, 'A value is a number'],
    [{ device: 'moter', channel: 'speed', value: 1 }, 'has no such device'],
  ]
  for (const [more, words] of refusals) {
    const refused = await agent.call('av_command_device', { ...given, ...more })
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(words)])
  }
  expect(motor.commands).toEqual([])
  await asPerson('PUT', `${workspace.name}/devices/motor/arming`, { seconds: 60, isForAgents: true })
  const armed = await agent.call('av_command_device', { ...given, channel: 'power', value: true })
  expect(armed.structuredContent).toMatchObject({ status: 'done' })
  await motor[Symbol.asyncDispose]()
  await waitUntil(
    'it is offline',
    async () => (await workspace.devices.get('motor')).device.status === 'offline',
    { deadlineMs: 60_000 },
  )
  const offline = await agent.call('av_command_device', { ...given, channel: 'speed', value: 1 })
  expect(textOf(offline)).toContain('The device is offline, and nothing was sent.')
})

test('[VA-74] all devices are stopped, and take no commands until a person has released them', async () => {
  const { workspace, motor } = await withMotor()
  await using _motor = motor
  const stop = { workspace: workspace.name, reason: 'smoke' }
  for (const _time of [1, 2]) {
    const stopped = await agent.call('av_stop_devices', stop)
    expect(stopped.structuredContent).toEqual({ workspace: workspace.name, devices: 1 })
    expect(textOf(stopped)).toContain('Only a person releases the stop')
  }
  await waitUntil('the motor is told', () => motor.stops.length > 0, { deadlineMs: 60_000 })
  const given = { workspace: workspace.name, device: 'motor', channel: 'speed', value: 1, reason: 'to try' }
  const refused = await agent.call('av_command_device', given)
  expect([refused.isError, textOf(refused)]).toEqual([
    true,
    expect.stringContaining('are stopped, and nothing'),
  ])
  expect(
    (await agent.call('av_list_devices', { workspace: workspace.name })).structuredContent,
  ).toMatchObject({
    isStopped: true,
  })
  await asPerson('DELETE', `${workspace.name}/emergency-stop`)
  expect((await agent.call('av_command_device', given)).structuredContent).toMatchObject({ status: 'done' })
})

deepTest('[VA-73] a key that may only see devices is told which scope it lacks', async () => {
  const { workspace, motor } = await withMotor()
  await using _motor = motor
  await using poor = await createDesk({ env: await site.environment(`devices:read:${site.owner}/*`) })
  await using reader = await connectAgent('2.x', 'stdio', poor.reach)
  const given = { workspace: workspace.name, device: 'motor', channel: 'speed', value: 1, reason: 'to try' }
  expect(textOf(await reader.call('av_command_device', given))).toContain(
    `needs the scope devices:command:${workspace.name}, which`,
  )
  expect((await reader.call('av_list_devices', { workspace: workspace.name })).isError).not.toBe(true)
})
