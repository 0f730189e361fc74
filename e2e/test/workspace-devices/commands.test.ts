import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { NO_STACK, type Outcome, type User } from '@patchbay/cli/test/user'
import { connectWorkspace, type WorkspaceDevices } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'
import { type Motor, sendValues, startMotor } from './motor.ts'
import { newWorkspace } from './new-workspace.ts'

interface Added {
  readonly key: string
  readonly connection: { host: string; port: number; isTls: boolean; username: string; topic: string } | null
  readonly device: { name: string }
}

const runProgram = promisify(execFile)
// Not by its exit code: mosquitto_pub has no question that it answers with 0.
const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined
/** Debian's, which has Debian's packages. */
const PYTHON = '/usr/bin/python3'
const hasPaho = spawnSync(PYTHON, ['-c', 'import paho.mqtt.publish']).status === 0
const PATIENCE = { deadlineMs: 60_000 }

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

const add = (name: string, device = 'motor-1') => ada.json<Added>('device', 'add', name, device)

async function withMotor(): Promise<{ name: string; devices: WorkspaceDevices; motor: Motor }> {
  const { name, devices } = await newWorkspace(site, ada)
  return { name, devices, motor: await startMotor(await add(name), devices) }
}

/** What the printed words hold from a line that begins so, and so many lines of it. */
function printed({ stdout }: Outcome, beginning: string, lines = 1): string {
  const all = stdout.split('\n')
  const from = all.findIndex((line) => line.startsWith(beginning))
  expect(from).toBeGreaterThan(0)
  return all.slice(from, from + lines).join('\n')
}

test('[CLI-220] a device is added with its key, its connection and what to do next', async () => {
  const { name, devices } = await newWorkspace(site, ada)
  const added = await ada.run('device', 'add', name, 'motor-1', '--title', 'Left motor')
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const { connection, device } = await devices.get('motor-1')
  expect(device.title).toBe('Left motor')
  expect(added.stdout).toMatch(/^Added motor-1 to .*\n {2}pbd_\S{20}\n/)
  expect(added.stdout).toContain(`  Username  ${connection?.username}\n`)
  expect(added.stdout).toContain(`  Topic     pb/${name}/motor-1/<channel>\n`)
  expect(added.stdout).toContain(`"patchbay device watch ${name} motor-1"`)
  expect(await add(name, 'motor-2')).toMatchObject({
    key: expect.stringMatching(/^pbd_/),
    connection: { port: connection?.port },
    snippets: { curl: expect.stringMatching(/^curl /), python: expect.any(String) },
  })
})

const PROGRAMS = [
  ['curl', 'curl ', 1, ['sh', '-c'], isInstalled('curl')],
  ['mosquitto_pub', 'mosquitto_pub ', 1, ['sh', '-c'], isInstalled('mosquitto_pub')],
  ['Python', 'from paho', 3, [PYTHON, '-c'], hasPaho],
] as const

for (const [title, beginning, lines, [program, option], canRun] of PROGRAMS)
  test.skipIf(!canRun)(`[CLI-220] what is printed for ${title} sends a value as it is`, async () => {
    const { name, devices } = await newWorkspace(site, ada)
    const added = await ada.run('device', 'add', name, 'motor-1')
    const { stdout } = await runProgram(program, [option, printed(added, beginning, lines)])
    expect(stdout).toBe('')
    const sent = [{ channel: 'temperature', value: 21.5 }]
    await waitUntil(
      'the value is there',
      async () => (await devices.get('motor-1')).values.length > 0,
      PATIENCE,
    )
    expect((await devices.get('motor-1')).values).toMatchObject(sent)
  })

deepTest('[CLI-220] where the server takes values over HTTP alone, curl is the one', async () => {
  await using plain = await startInstallation()
  await using shell = await plain.shell('panels:ada/*')
  await shell.run('workspace', 'make', 'ada/board')
  const { code, stdout } = await shell.run('device', 'add', 'ada/board', 'motor-1')
  expect(code).toBe(0)
  expect(stdout).toContain('PATCHBAY_MQTT_PORT')
  expect(stdout).toContain('\ncurl ')
  expect(stdout).not.toMatch(/mosquitto|paho/)
})

test('[CLI-221] devices are listed with their status, channels and whose they are, and with who stopped them', async () => {
  const { name } = await newWorkspace(site, ada)
  expect((await ada.run('device', 'list', name)).stdout).toBe(
    `${name} has no devices yet.\nAdd one with "patchbay device add ${name} <device>".\n`,
  )
  const { key } = await add(name)
  expect((await ada.run('device', 'list', name)).stdout).toBe('motor-1  never connected\n')
  await sendValues(site.url, key, { speed: 3, temperature: 20 })
  await waitUntil(
    'it is online',
    async () => (await ada.run('device', 'list', name)).stdout === 'motor-1  online  speed, temperature\n',
    PATIENCE,
  )
  const other = await newWorkspace(site, ada)
  const [owner = '', repo = ''] = other.name.split('/')
  const home = connectWorkspace({
    baseUrl: site.url,
    owner,
    repo: name.split('/')[1] ?? '',
    apiKey: await site.apiKey('panels:ada/*'),
  })
  await home.devices.grant('motor-1', { owner, repo })
  expect((await ada.run('device', 'list', other.name)).stdout).toContain(`of ${name}\n`)
  await ada.run('device', 'stop', name, '--reason', 'Smoke')
  expect((await ada.run('device', 'list', name)).stdout).toMatch(/^Stopped by ada since 20.* UTC: Smoke\n/)
  expect(await ada.json('device', 'list', name)).toMatchObject({
    devices: [{ name: 'motor-1' }],
    stop: { reason: 'Smoke' },
  })
})

test('[CLI-222] values are printed as they arrive, until the time is over', async () => {
  const { name } = await newWorkspace(site, ada)
  const { key } = await add(name)
  await sendValues(site.url, key, { speed: 3, note: 'a\u202Eb' })
  const watched = await ada.run('device', 'watch', name, 'motor-1', '--channel', 'note', '--seconds', '1')
  expect(watched).toMatchObject({ code: 0, stderr: 'Waiting for values of motor-1. End it with Ctrl-C.\n' })
  expect(watched.stdout).toMatch(/^20\S+Z {2}note {2}ab\n$/)
  const { stdout } = await ada.run('device', 'watch', name, 'motor-1', '--seconds', '1', '--json')
  const values = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { channel: string })
  expect(values.map(({ channel }) => channel).toSorted()).toEqual(['note', 'speed'])
})

deepTest('[CLI-222] Ctrl-C ends it with 0, and a device that is removed with 1', async () => {
  const { name } = await newWorkspace(site, ada)
  const { key } = await add(name)
  await sendValues(site.url, key, { speed: 3 })
  const [stopped, gone] = [1, 2].map(() => ada.start('device', 'watch', name, 'motor-1'))
  await waitUntil(
    'both print the value',
    () => [stopped, gone].every((each) => each?.stdout().includes('speed  3\n') === true),
    PATIENCE,
  )
  stopped?.child.kill('SIGINT')
  expect(await stopped?.ended).toMatchObject({ code: 0 })
  await ada.run('device', 'remove', name, 'motor-1')
  expect(await gone?.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`motor-1 was removed from ${name}`),
  })
})

test('[CLI-223] a command is sent, and what the device says decides the exit code', async () => {
  const { name, motor } = await withMotor()
  await using _motor = motor
  const send = (...words: string[]) => ada.run('device', 'send', name, 'motor-1', ...words)
  expect(await send('speed', '3.5', '--timeout', '20', '--reason', 'Test run')).toEqual({
    code: 0,
    stdout: 'Done: motor-1 has confirmed the command.\n',
    stderr: '',
  })
  expect((await send('speed', '-2', '--timeout', '20')).code).toBe(0)
  expect(motor.commands.map(({ value }) => value)).toEqual([3.5, -2])
  expect(await send('speed', '7', '--timeout', '20')).toMatchObject({
    code: 1,
    stdout: 'motor-1 refused the command: too hot\n',
  })
  motor.answers = false
  expect(await send('speed', '4', '--timeout', '1', '--json')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('"status": "timeout"'),
  })
  expect(await send('speed', '{"a":{"b":1}}')).toMatchObject({ code: 2, stdout: '' })
})

test('[CLI-223] a device that confirms no commands gets the text, and that is success', async () => {
  const { name, devices } = await newWorkspace(site, ada)
  await using motor = await startMotor(await add(name), devices)
  const { client, topic } = motor
  const heard: string[] = []
  client.removeAllListeners('message')
  client.on('message', (_topic, bytes) => heard.push(bytes.toString()))
  const entity = { name: 'Sign', command_topic: `${topic}/sign/set`, unique_id: 'sign' }
  await client.publishAsync(`${topic}/$discovery/text/sign/config`, JSON.stringify(entity), { qos: 1 })
  await waitUntil(
    'the channel is known',
    async () => (await devices.get('motor-1')).device.channels.some(({ name: each }) => each === 'sign'),
    PATIENCE,
  )
  expect(await ada.run('device', 'send', name, 'motor-1', 'sign', 'Hello there')).toMatchObject({
    code: 0,
    stdout: 'Sent. motor-1 does not confirm commands.\n',
  })
  await waitUntil('it arrives', () => heard.includes('Hello there'), PATIENCE)
})

test('[CLI-224] a device is removed where it was added, and elsewhere one is sent there', async () => {
  const [home, other] = [await newWorkspace(site, ada), await newWorkspace(site, ada)]
  await add(home.name)
  const [owner = '', repo = ''] = other.name.split('/')
  await home.devices.grant('motor-1', { owner, repo })
  expect(await ada.run('device', 'remove', other.name, 'motor-1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`"patchbay device remove ${home.name} motor-1"`),
  })
  expect(await ada.run('device', 'remove', home.name, 'motor-1')).toMatchObject({
    code: 0,
    stdout: `Removed motor-1 from ${home.name}, with its key and its values.\n`,
  })
  expect(await ada.json('device', 'list', other.name)).toMatchObject({ devices: [] })
})

test('[CLI-225] all devices are stopped, and it is said who releases them', async () => {
  const { name, motor } = await withMotor()
  await using _motor = motor
  const stopped = await ada.run('device', 'stop', name, '--reason', 'Smoke')
  expect(stopped).toMatchObject({
    code: 0,
    stdout: `Told 1 device of ${name} to stop.\nNo command is sent until a person releases the stop at ${site.url}/workspaces/${name}\n`,
  })
  await waitUntil('the motor is told', () => motor.stops.length > 0, PATIENCE)
  expect(await ada.run('device', 'send', name, 'motor-1', 'speed', '1')).toMatchObject({
    code: 75,
    stderr: expect.stringContaining('stopped'),
  })
})

test('[CLI-226] what is refused is said in a sentence with what to do', async () => {
  const { name, motor } = await withMotor()
  // One after the other: the command runs inside this process, in the folder of its person.
  const refused: [string[], number, string][] = [
    [['add', name, 'motor-1'], 1, 'Choose another name'],
    [['add', name, 'Motor 1'], 2, 'lower-case letters'],
    [['watch', name, 'moter-1'], 1, 'Did you mean motor-1?'],
    [['watch', name, 'motor-1', '--channel', 'a/b'], 2, 'the name of a channel'],
    [['remove', name, 'none'], 1, `"patchbay device list ${name}"`],
    [['send', name, 'motor-1', 'temperature', '1'], 1, 'It takes commands on speed, power.'],
    [['send', name, 'motor-1', 'speed', '11'], 1, 'does not take this value. Nothing was sent.'],
    [['send', name, 'motor-1', 'power', 'true'], 75, 'A person arms it for agents'],
    [['list', 'ada/nowhere'], 1, 'There is no workspace'],
    [['list', 'nobody'], 2, 'owner and repository'],
  ]
  for (const [args, code, words] of refused) {
    const { stdout, stderr, ...ended } = await ada.run('device', ...args)
    expect(ended).toEqual({ code })
    expect(stdout).toBe('')
    expect(stderr).toContain(words)
    expect(stderr).not.toMatch(NO_STACK)
  }
  expect(motor.commands).toEqual([])
  await motor[Symbol.asyncDispose]()
  await waitUntil(
    'it is offline',
    async () =>
      (await ada.run('device', 'send', name, 'motor-1', 'speed', '1')).stderr.includes(
        'motor-1 is offline. Nothing was sent.',
      ),
    PATIENCE,
  )
})

test('[CLI-226] a key without the scope is told which one it needs', async () => {
  const { name, motor } = await withMotor()
  await using _motor = motor
  await using reader = await site.shell('devices:read:ada/*')
  expect(await reader.run('device', 'send', name, 'motor-1', 'speed', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`needs the scope devices:command:${name}, and`),
  })
  expect(await reader.run('device', 'add', name, 'motor-2')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`workspace:${name} (or panels:${name})`),
  })
  expect((await reader.run('device', 'list', name)).code).toBe(0)
})
