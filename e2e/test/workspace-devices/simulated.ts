import { randomBytes } from 'node:crypto'
import type { DeviceConnection, DeviceValue } from '@patchbay/contracts/devices'
import { INFO, readCommand, STOP } from '@patchbay/device-kit'
import { createBench, type SimulatedDevice } from '@patchbay/device-kit/simulation'
import mqtt from 'mqtt'
import type { Workspace } from '../workspace-pages/workspace.ts'

/** A device of the simulated bench that is connected to a workspace. */
export interface Simulated extends AsyncDisposable {
  readonly device: SimulatedDevice
  /** What it says now. */
  value(channel: string): DeviceValue | undefined
}

const STEP_MS = 200
/** Nothing that stays as it is may go stale. */
const REPEATED_EVERY = 5

/** Adds one of the bench to a workspace, and has time pass for it. */
export async function connectSimulated(workspace: Workspace, name: string): Promise<Simulated> {
  const device = createBench(7).find((each) => each.name === name)
  if (device === undefined) throw new Error(`the bench has no ${name}`)
  const { key, connection } = (await workspace.callAsOwner('POST', ':workspace/devices', { name })) as {
    key: string
    connection: DeviceConnection
  }
  const { host, port, username, topic } = connection
  const client = await mqtt.connectAsync(`mqtt://${host}:${port}`, {
    username,
    password: key,
    clientId: `c${randomBytes(6).toString('hex')}`,
    reconnectPeriod: 0,
  })
  client.on('message', (each, bytes) => {
    const text = bytes.toString()
    if (each.endsWith(`/${STOP}`)) {
      if ((JSON.parse(text) as { stop: boolean }).stop) device.stop()
      else device.release()
      return
    }
    const command = readCommand(text)
    const channel = each.slice(topic.length + 1, -'/set'.length)
    if (command === undefined) return
    const outcome = device.command(channel, command.value)
    client.publish(`${topic}/${channel}/ack`, JSON.stringify({ id: command.id, ...outcome }))
  })
  await client.subscribeAsync([`${topic}/+/set`, `${topic}/${STOP}`])
  await client.publishAsync(`${topic}/${INFO}`, JSON.stringify(device.info), { qos: 1 })
  const said = new Map<string, string>()
  let steps = 0
  const pass = () => {
    device.step(STEP_MS / 1_000)
    if (steps % REPEATED_EVERY === 0) said.clear()
    steps += 1
    for (const [channel, value] of Object.entries(device.values())) {
      const text = JSON.stringify(value)
      if (said.get(channel) === text) continue
      said.set(channel, text)
      client.publish(`${topic}/${channel}`, text)
    }
  }
  pass()
  const timer = setInterval(pass, STEP_MS)
  return {
    device,
    value: (channel) => device.values()[channel],
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await client.endAsync(true)
    },
  }
}
