import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Device, DeviceConnection, DeviceValue } from '@patchbay/contracts/devices'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Site, startSite } from '../identity-pages/site.ts'
import { makeAccount, newHandle } from '../installation/accounts.ts'
import { makeWorkspace, type Workspace } from '../workspace-pages/workspace.ts'

const MAIN = new URL('../../../examples/ros-bridge/src/main.ts', import.meta.url).pathname
const PATIENCE = { deadlineMs: 60_000 }
const MAP = {
  device: { name: 'Rover' },
  channels: {
    battery: {
      topic: '/battery',
      type: 'sensor_msgs/msg/BatteryState',
      field: 'voltage',
      unit_of_measurement: 'V',
    },
    pose: { topic: '/odom', type: 'nav_msgs/msg/Odometry', field: 'pose.pose.position' },
    forward: {
      command: true,
      topic: '/cmd_vel',
      type: 'geometry_msgs/msg/Twist',
      field: 'linear.x',
      stop: 0,
      platform: 'number',
      device_class: 'motor',
      min: -0.5,
      max: 0.5,
    },
    turn: {
      command: true,
      topic: '/cmd_vel',
      type: 'geometry_msgs/msg/Twist',
      field: 'angular.z',
      stop: 0,
      platform: 'number',
      device_class: 'motor',
    },
  },
}

interface Operation {
  readonly op: string
  readonly topic: string
  readonly msg?: unknown
}

/**
 * The robot's side. No package of rosbridge can be had here: this one speaks its protocol, as far as the bridge uses it, and
 * is no ROS.
 */
async function startRobot(port: number) {
  const server = new WebSocketServer({ host: '127.0.0.1', port })
  await once(server, 'listening')
  const heard: Operation[] = []
  const sockets = new Set<WebSocket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('message', (bytes) => heard.push(JSON.parse(String(bytes)) as Operation))
  })
  return {
    heard,
    said: (topic: string) =>
      heard.flatMap(({ op, topic: of, msg }) => (op === 'publish' && of === topic ? [msg] : [])),
    subscribed: () => heard.filter(({ op }) => op === 'subscribe').map(({ topic }) => topic),
    send(text: string) {
      for (const socket of sockets) socket.send(text)
    },
    publish(topic: string, msg: unknown) {
      this.send(JSON.stringify({ op: 'publish', topic, msg }))
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let site: Site
let workspace: Workspace
const end = new AsyncDisposableStack()
beforeAll(async () => {
  site = end.use(await startSite({ environment: { PATCHBAY_MQTT_PORT: '0' } }))
  const ada = await makeAccount(site, newHandle(), { name: 'Ada' })
  workspace = await makeWorkspace({ site }, ada, ada.handle, 'bench')
}, 240_000)
afterAll(() => end.disposeAsync())

const read = async () =>
  (await workspace.callAsOwner('GET', ':workspace/devices/rover')) as {
    device: Device
    values: { channel: string; value: DeviceValue }[]
  }
const valueOf = async (channel: string) =>
  (await read()).values.find((each) => each.channel === channel)?.value
const command = (channel: string, value: DeviceValue) =>
  workspace.callAsOwner('POST', ':workspace/devices/rover/commands', { channel, value })

test('[J-121] a robot on ROS is a device: values, commands, the stop, and a robot that comes and goes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-ros-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'map.json')
  await writeFile(path, JSON.stringify(MAP))
  const { key, connection } = (await workspace.callAsOwner('POST', ':workspace/devices', {
    name: 'rover',
  })) as {
    key: string
    connection: DeviceConnection
  }
  const port = await freePort()
  const robot = await startRobot(port)
  const bridge = startProcess(
    process.execPath,
    [
      MAIN,
      '--rosbridge',
      `ws://127.0.0.1:${port}`,
      '--broker',
      `mqtt://${connection.host}:${connection.port}`,
      '--username',
      connection.username,
      '--device',
      connection.topic,
      '--map',
      path,
    ],
    { env: { ...process.env, ROS_BRIDGE_KEY: key } },
  )
  cleanup.defer(() => bridge.kill('SIGKILL'))
  await waitUntil('it subscribes', () => robot.subscribed().length === 2, PATIENCE)
  await waitUntil(
    'it has described itself',
    async () => (await read()).device.channels.length === 4,
    PATIENCE,
  )

  // What is no message, or has no such field, is passed over.
  robot.send('nonsense')
  robot.send('null')
  robot.publish('/battery', { percentage: 1 })
  robot.publish('/battery', { voltage: 12.4 })
  robot.publish('/odom', { pose: { pose: { position: { x: 1, y: 2, z: 0 } } } })
  await expect.poll(() => valueOf('battery'), { timeout: 30_000 }).toBe(12.4)
  await expect.poll(() => valueOf('pose'), { timeout: 30_000 }).toEqual({ x: 1, y: 2, z: 0 })

  await expect(command('forward', 0.2)).rejects.toThrow('device_not_armed')
  await workspace.callAsOwner('PUT', ':workspace/devices/rover/arming', { seconds: 600 })
  expect(await command('forward', 0.2)).toMatchObject({ status: 'done' })
  expect(await command('turn', 0.5)).toMatchObject({ status: 'done' })
  expect(robot.said('/cmd_vel')).toEqual([
    { linear: { x: 0.2 }, angular: { z: 0 } },
    { linear: { x: 0.2 }, angular: { z: 0.5 } },
  ])

  await workspace.callAsOwner('PUT', ':workspace/emergency-stop', {})
  const standstill = { linear: { x: 0 }, angular: { z: 0 } }
  await expect.poll(() => robot.said('/cmd_vel').at(-1), { timeout: 30_000 }).toEqual(standstill)

  await robot[Symbol.asyncDispose]()
  await expect.poll(async () => (await read()).device.status, { timeout: 30_000 }).toBe('offline')
  await using again = await startRobot(port)
  await waitUntil('it subscribes again', () => again.subscribed().length === 2, PATIENCE)
  // It was stopped meanwhile, and may not know.
  expect(again.said('/cmd_vel').at(-1)).toEqual(standstill)
  await expect.poll(async () => (await read()).device.status, { timeout: 30_000 }).toBe('online')
})
