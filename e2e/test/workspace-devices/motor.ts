import { randomBytes } from 'node:crypto'
import type { AddedDevice, WorkspaceDevices } from '@patchbay/client/workspaces'
import { waitUntil } from '@patchbay/testkit/processes'
import mqtt, { type MqttClient } from 'mqtt'

export interface Command {
  readonly id: string
  readonly value: unknown
}

/** A device that confirms every command: `speed` takes 0 to 10 and refuses 7, `power` is guarded, `temperature` is a value. */
export interface Motor extends AsyncDisposable {
  readonly client: MqttClient
  readonly topic: string
  readonly commands: readonly Command[]
  /** What it was told about stopping. */
  readonly stops: readonly string[]
  answers: boolean
}

type Connected = Pick<AddedDevice, 'key' | 'connection'> & { readonly device: { readonly name: string } }

export async function startMotor(
  { key, connection, device }: Connected,
  devices: Pick<WorkspaceDevices, 'get'>,
): Promise<Motor> {
  if (connection === null) throw new Error('the server takes values over HTTP alone')
  const { host, port, username, topic } = connection
  const client = await mqtt.connectAsync(`mqtt://${host}:${port}`, {
    username,
    password: key,
    clientId: `c${randomBytes(6).toString('hex')}`,
    reconnectPeriod: 0,
  })
  const commands: Command[] = []
  const stops: string[] = []
  const motor: Motor = {
    client,
    topic,
    commands,
    stops,
    answers: true,
    [Symbol.asyncDispose]: () => client.endAsync(true),
  }
  client.on('message', (each, bytes) => {
    if (each.endsWith('/$stop')) stops.push(bytes.toString())
    if (!each.endsWith('/set')) return
    const command = JSON.parse(bytes.toString()) as Command
    commands.push(command)
    const status = command.value === 7 ? { status: 'refused', message: 'too hot' } : { status: 'done' }
    if (motor.answers)
      client.publish(each.replace(/set$/, 'ack'), JSON.stringify({ id: command.id, ...status }))
  })
  await client.subscribeAsync([`${topic}/+/set`, `${topic}/$stop`])
  const components = {
    speed: { platform: 'number', command_topic: true, min: -10, max: 10 },
    power: { platform: 'switch', command_topic: true, guarded: true },
    temperature: {},
  }
  await client.publishAsync(`${topic}/$info`, JSON.stringify({ components }), { qos: 1 })
  await waitUntil('the server knows the motor', async () => {
    const { status, channels } = (await devices.get(device.name)).device
    return status === 'online' && channels.length === 3
  })
  return motor
}

/** As a script without MQTT sends them. */
export async function sendValues(url: string, key: string, values: object): Promise<void> {
  const { status } = await fetch(`${url}/api/devices/values`, {
    method: 'POST',
    headers: { 'x-device-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(values),
  })
  if (status !== 204) throw new Error(`values were answered with ${status}`)
}
