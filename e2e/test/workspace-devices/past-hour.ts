import { randomBytes } from 'node:crypto'
import type { DeviceConnection } from '@patchbay/contracts/devices'
import { type PastValue, recordPast } from '@patchbay/devices/test/record'
import { waitUntil } from '@patchbay/testkit/processes'
import mqtt from 'mqtt'
import type { Workspace } from '../workspace-pages/workspace.ts'

const SECONDS = 3_600
const MODES = ['idle', 'ramp', 'run'] as const
/** What the motor says in the present: no moment of the past has it. */
export const LIVE_SPEED = 424_242
const LIVE_MS = 300

/** A motor that has run for an hour, and runs still. */
export interface PastHour extends AsyncDisposable {
  /** When it began; a whole second. */
  readonly from: number
  readonly to: number
  readonly sent: readonly PastValue[]
  /** What it was told, to stop included, since the present began. */
  readonly told: readonly string[]
}

/** What it said: its speed is the second, its mode that of the minute, and every minute there is a line. */
function sayings(from: number): PastValue[] {
  return Array.from({ length: SECONDS }, (_, second) => second).flatMap((second) => {
    const at = from + second * 1_000
    const minute = Math.floor(second / 60)
    return [
      { channel: 'speed', value: second, at },
      { channel: 'pose', value: { x: second / 100, y: 1 - second / 100 }, at },
      ...(second % 10 === 0 ? [{ channel: 'mode', value: modeAt(second), at }] : []),
      ...(second % 60 === 0
        ? [{ channel: 'line', value: { seq: minute, message: `Minute ${minute}` }, at }]
        : []),
    ]
  })
}

export const modeAt = (second: number) => MODES[Math.floor(second / 60) % MODES.length] ?? 'idle'

const COMPONENTS = {
  target: {
    platform: 'number',
    command_topic: true,
    min: 0,
    max: 100,
    name: 'Target',
    unit_of_measurement: 'rpm',
  },
  speed: { name: 'Speed', unit_of_measurement: 'rpm' },
  mode: { name: 'Mode' },
  line: { name: 'Line' },
  pose: { name: 'Pose' },
}

/** Adds the motor, whose past hour lies more than five minutes back. */
export async function addPastHour(
  databaseUrl: string,
  workspace: Workspace,
  { isRecorded = true } = {},
): Promise<PastHour> {
  const [, , owner = '', repo = ''] = workspace.path.split('/')
  if (isRecorded) await workspace.callAsOwner('PUT', ':workspace/device-recorder')
  const { key, connection } = (await workspace.callAsOwner('POST', ':workspace/devices', {
    name: 'motor',
  })) as {
    key: string
    connection: DeviceConnection
  }
  const from = Math.floor(Date.now() / 1_000 - SECONDS - 600) * 1_000
  const sent = sayings(from)
  await recordPast({ databaseUrl, workspace: { owner, repo }, device: 'motor', values: sent })
  const { host, port, username, topic } = connection
  const client = await mqtt.connectAsync(`mqtt://${host}:${port}`, {
    username,
    password: key,
    clientId: `c${randomBytes(6).toString('hex')}`,
    reconnectPeriod: 0,
  })
  const told: string[] = []
  client.on('message', (each, bytes) => void told.push(`${each.slice(topic.length + 1)} ${bytes.toString()}`))
  await client.subscribeAsync([`${topic}/+/set`, `${topic}/$stop`])
  await client.publishAsync(`${topic}/$info`, JSON.stringify({ components: COMPONENTS }), { qos: 1 })
  await waitUntil('the server knows the motor', async () => {
    const { device } = (await workspace.callAsOwner('GET', ':workspace/devices/motor')) as {
      device: { status: string; channels: unknown[] }
    }
    return device.status === 'online' && device.channels.length === Object.keys(COMPONENTS).length
  })
  const timer = setInterval(() => client.publish(`${topic}/speed`, String(LIVE_SPEED)), LIVE_MS)
  return {
    from,
    to: from + SECONDS * 1_000,
    sent,
    told,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await client.endAsync(true)
    },
  }
}
