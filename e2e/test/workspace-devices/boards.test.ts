import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { User } from '@patchbay/cli/test/user'
import type { WorkspaceDevices } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect } from 'vitest'
import { parse } from 'yaml'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'
import { runGuide } from '../workspace-cli/run-guide.ts'
import { newWorkspace } from './new-workspace.ts'

// A name of its own: the check of binaries takes what it is told to leave out for a pattern.
const COMPILER = 'g++'
const hasCompiler = spawnSync(COMPILER, ['--version']).status === 0
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

/** What is printed for a board, from the line after its title up to an empty one before the last. */
async function printedFor(board: string, title: string) {
  const { name, devices } = await newWorkspace(site, ada)
  const { code, stdout } = await ada.run('device', 'add', name, 'probe', '--for', board)
  expect(code).toBe(0)
  const [, after = ''] = stdout.split(`${title}\n`)
  const program = after.slice(0, after.lastIndexOf('\n\nSee what arrives'))
  expect(program).not.toBe('')
  return { name, devices, program }
}

const valueOf = async (devices: WorkspaceDevices, channel: string) =>
  (await devices.get('probe')).values.find((each) => each.channel === channel)?.value

/** The calls that a program makes of the library, which needs a socket that WebAssembly does not have. */
const UMQTT = `
import host
class MQTTClient:
    def __init__(self, client_id, server, port=0, user=None, password=None, keepalive=0, ssl=None):
        self.given = (client_id, server, port, user, password)
    def connect(self, clean_session=True):
        host.connect(*self.given)
    def publish(self, topic, msg, retain=False, qos=0):
        host.publish(topic, msg)
    def disconnect(self):
        host.disconnect()
`

interface MicroPython {
  registerJsModule(name: string, module: object): void
  runPython(code: string): unknown
  readonly FS: { mkdirTree(path: string): void; writeFile(path: string, text: string): void }
}

test('[CLI-235] the MicroPython program sends a value as it is printed', async () => {
  const { devices, program } = await printedFor('micropython', 'MicroPython, with umqtt.simple:')
  const address = import.meta.resolve('@micropython/micropython-webassembly-pyscript/micropython.mjs')
  const { loadMicroPython } = (await import(address)) as {
    readonly loadMicroPython: (options: object) => Promise<MicroPython>
  }
  const python = await loadMicroPython({})
  const calls: (string | number)[][] = []
  python.registerJsModule('host', {
    connect: (...given: (string | number)[]) => void calls.push(['connect', ...given]),
    publish: (topic: string, text: string) => void calls.push(['publish', topic, text]),
    disconnect: () => void calls.push(['disconnect']),
  })
  python.FS.mkdirTree('/lib/umqtt')
  python.FS.writeFile('/lib/umqtt/simple.py', UMQTT)
  python.runPython("import sys\nsys.path.append('/lib')")
  python.runPython(program)
  expect(calls.map(([name]) => name)).toEqual(['connect', 'publish', 'disconnect'])
  const [[, clientId, host, port, username, password] = [], [, topic, text] = []] = calls
  const client = await mqtt.connectAsync(`mqtt://${host}:${port}`, {
    clientId: String(clientId),
    username: String(username),
    password: String(password),
    reconnectPeriod: 0,
  })
  await client.publishAsync(String(topic), String(text), { qos: 1 })
  await waitUntil(
    'the value is there',
    async () => (await valueOf(devices, 'temperature')) === 21.5,
    PATIENCE,
  )
  await client.endAsync(true)
})

/** As much of the libraries as the sketch uses, with the types that they declare. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  'Arduino.h': '#pragma once\n#include <cstdint>\ntypedef bool boolean;\nvoid delay(uint32_t ms);\n',
  'WiFi.h':
    '#pragma once\n#include "Arduino.h"\nstruct Client {};\nstruct WiFiClient : Client {};\ntypedef enum { WL_CONNECTED = 3 } wl_status_t;\nstruct WiFiClass { wl_status_t begin(const char*, const char*); wl_status_t status(); };\nextern WiFiClass WiFi;\n',
  'WiFiClientSecure.h':
    '#pragma once\n#include "WiFi.h"\nstruct WiFiClientSecure : WiFiClient { void setCACert(const char*); };\n',
  'PubSubClient.h':
    '#pragma once\n#include "WiFi.h"\nclass PubSubClient { public: PubSubClient(Client&); PubSubClient& setServer(const char*, uint16_t); boolean connected(); boolean connect(const char*, const char*, const char*); boolean publish(const char*, const char*); boolean loop(); };\n',
}

test.skipIf(!hasCompiler)(
  '[CLI-235] the Arduino sketch compiles, and its packets fit into the smallest that libraries have',
  async () => {
    const { devices, program } = await printedFor('arduino', 'Arduino, with PubSubClient:')
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-sketch-'))
    try {
      for (const [name, code] of Object.entries(DECLARATIONS)) await writeFile(join(folder, name), code)
      await writeFile(join(folder, 'sketch.cpp'), `#include "Arduino.h"\n${program}\n`)
      const args = ['-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-std=c++17', '-I', folder]
      await promisify(execFile)(COMPILER, [...args, join(folder, 'sketch.cpp')])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    const { connection } = await devices.get('probe')
    expect(program).toContain(`client.publish("${connection?.topic}/temperature", "21.5");`)
    const connect = /client\.connect\("(.*?)", "(.*?)", "(.*?)"\)/.exec(program)?.slice(1) ?? []
    expect(connect).toHaveLength(3)
    // CONNECT: a head of 12 bytes, and each text with its length.
    expect(12 + connect.reduce((sum, each) => sum + each.length + 2, 0)).toBeLessThanOrEqual(128)
  },
)

interface EsphomeMqtt {
  readonly broker: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly client_id: string
  readonly topic_prefix: string
  readonly discovery_prefix: string
  readonly log_topic: null
  readonly birth_message: { readonly topic: string; readonly payload: string }
  readonly will_message: { readonly topic: string; readonly payload: string }
}

/** What ESPHome publishes for an entity, in its abbreviations, at the topics that its configuration makes. */
function announce(
  { topic_prefix: prefix, discovery_prefix: discovery }: EsphomeMqtt,
  kind: string,
  id: string,
) {
  const entity = {
    name: id,
    stat_t: `${prefix}/${kind}/${id}/state`,
    ...(kind === 'switch' ? { cmd_t: `${prefix}/${kind}/${id}/command` } : {}),
    ...(kind === 'sensor' ? { dev_cla: 'temperature', unit_of_meas: '°C', stat_cla: 'measurement' } : {}),
    avty_t: `${prefix}/$status`,
    uniq_id: `ESP${kind}${id}`,
    dev: { ids: 'a0b1c2d3e4f5', name: 'probe', sw: '2025.1.0', mdl: 'esp32dev', mf: 'Espressif' },
  }
  return { topic: `${discovery}/${kind}/probe/${id}/config`, text: JSON.stringify(entity), entity }
}

async function connectAsEsphome(yaml: string) {
  const { mqtt: given } = parse(yaml) as { mqtt: EsphomeMqtt }
  const client = await mqtt.connectAsync(`mqtt://${given.broker}:${given.port}`, {
    clientId: given.client_id,
    username: given.username,
    password: given.password,
    reconnectPeriod: 0,
    will: {
      topic: given.will_message.topic,
      payload: Buffer.from(given.will_message.payload),
      qos: 0,
      retain: true,
    },
  })
  const { topic, payload } = given.birth_message
  await client.publishAsync(topic, payload, { qos: 1, retain: true })
  return { given, client }
}

test('[CLI-235] with the ESPHome configuration its entities become channels, and take commands', async () => {
  const { devices, program } = await printedFor('esphome', 'ESPHome, into the configuration of the board:')
  const { given, client } = await connectAsEsphome(program)
  expect(given.log_topic).toBeNull()
  const [sensor, relay] = [announce(given, 'sensor', 'temperature'), announce(given, 'switch', 'relay')]
  for (const { topic, text } of [sensor, relay])
    await client.publishAsync(topic, text, { qos: 1, retain: true })
  await client.publishAsync(sensor.entity.stat_t, '21.5', { qos: 1 })
  await client.publishAsync(relay.entity.stat_t, 'OFF', { qos: 1 })
  await waitUntil('both are channels', async () => (await devices.get('probe')).values.length === 2, PATIENCE)
  const { device } = await devices.get('probe')
  expect(device).toMatchObject({ status: 'online', manufacturer: 'Espressif', model: 'esp32dev' })
  const channelOf = (platform: string) => device.channels.find((each) => each.platform === platform)
  expect(channelOf('sensor')).toMatchObject({ deviceClass: 'temperature', unit: '°C', takesCommands: false })
  const heard: string[] = []
  client.on('message', (_topic, bytes) => heard.push(bytes.toString()))
  await client.subscribeAsync(relay.entity.cmd_t ?? '')
  const channel = channelOf('switch')?.name ?? ''
  expect(await devices.command('probe', { channel, value: true })).toMatchObject({ status: 'sent' })
  await waitUntil('the relay is told', () => heard.includes('ON'), PATIENCE)
  client.stream.destroy()
  await waitUntil(
    'its will says that it is offline',
    async () => (await devices.get('probe')).device.status === 'offline',
    PATIENCE,
  )
})

test('[CLI-235] the guide has what is printed, and its configuration parses', async () => {
  const { program } = await printedFor('esphome', 'ESPHome, into the configuration of the board:')
  const guide = await readFile(new URL('../../../docs/guides/connect-esphome.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(1)
  const keys = (text: string) => Object.keys((parse(text) as { mqtt?: object }).mqtt ?? {})
  // What it prints, it prints for `patchbay dev`; names and keys are others.
  expect(blocks.map(keys).find((each) => each.length > 0)).toEqual(keys(program))
})

deepTest('[CLI-221][CLI-235] the commands of the guide run as they are', { timeout: 120_000 }, async () => {
  const scopes = ['panels:ada/*', 'devices:command:ada/*']
  await using user = await site.shell(...scopes)
  const { blocks, stdout } = await runGuide('connect-esphome.md', site, user, scopes)
  expect(blocks).toBe(2)
  expect(stdout).toContain('discovery_prefix: "pb/ada/bench/greenhouse/$discovery"')
  expect(stdout).toContain('greenhouse  never connected')
})

test('[CLI-236] a device gets a new key with the same programs, and the old one ends', async () => {
  const { name, devices } = await newWorkspace(site, ada)
  const { key } = await devices.add({ name: 'probe' })
  const { code, stdout } = await ada.run('device', 'key', name, 'probe', '--for', 'esphome')
  expect(code).toBe(0)
  const { client, given } = await connectAsEsphome(
    stdout.slice(stdout.indexOf('mqtt:'), stdout.lastIndexOf('\n\nSee what arrives')),
  )
  expect(stdout).toContain(`  ${given.password}\n`)
  await client.endAsync(true)
  await expect(
    mqtt.connectAsync(`mqtt://${given.broker}:${given.port}`, {
      username: given.username,
      password: key,
      reconnectPeriod: 0,
    }),
  ).rejects.toThrow(/not authorized/i)
  expect(await ada.run('device', 'key', name, 'prob')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean probe?'),
  })
})
