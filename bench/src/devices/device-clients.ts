// Devices in a process of their own: they connect, publish at a rate, and hear that they are stopped.
import { setTimeout as sleep } from 'node:timers/promises'
import { type MqttSocket, openMqtt } from '../mqtt.ts'
import { inLanes, serveParent, sharedNow } from '../processes.ts'
import type { FleetDevice } from './fleet.ts'

export interface PublishOrder {
  /** Values a second, of all channels together. */
  readonly rate: number
  readonly seconds: number
  /** Of each device. */
  readonly channels: number
  /** Every so many-th channel alone. */
  readonly every: number
}

export interface Published {
  readonly sent: number
  readonly beganAt: number
}

export type DeviceClients = {
  connect(order: { readonly port: number; readonly devices: readonly FleetDevice[] }): Promise<void>
  /** One value of every channel, so that the server knows them. */
  introduce(order: { readonly channels: number }): Promise<number>
  publish(order: PublishOrder): Promise<Published>
  /** The same until the end, without an answer. */
  begin(order: PublishOrder): Promise<void>
  end(): Promise<Published>
  listen(): Promise<void>
  /** When each device heard the last thing that it was told, and what. */
  heard(): Promise<readonly { readonly at: number; readonly isStop: boolean }[]>
  open(): Promise<number>
}

interface Connected {
  readonly device: FleetDevice
  readonly socket: MqttSocket
  heard: { at: number; isStop: boolean }
}

const TOGETHER = 50
const TICK_MS = 5
const connected: Connected[] = []
let running: Promise<Published> | undefined
let ending = new AbortController()

async function connectOne(port: number, device: FleetDevice): Promise<void> {
  const { username, password } = device
  const made: { heard: Connected['heard'] } = { heard: { at: 0, isStop: false } }
  const onMessage = (_topic: string, payload: string) => {
    const { stop } = JSON.parse(payload) as { stop?: boolean }
    if (stop !== undefined) made.heard = { at: sharedNow(), isStop: stop }
  }
  const onEnd = () => {
    const index = connected.findIndex((each) => each.device === device)
    if (index !== -1) connected.splice(index, 1)
  }
  const socket = await openMqtt({ port, clientId: username, username, password }, onMessage, onEnd)
  connected.push(Object.assign(made, { device, socket }))
}

/** The value is when it was sent: whoever gets it knows how long it took. */
async function publish({ rate, seconds, channels, every }: PublishOrder): Promise<Published> {
  const targets = connected
    .flatMap(({ device, socket }) =>
      Array.from({ length: channels }, (_each, n) => ({ socket, topic: `${device.topic}/c${n}` })),
    )
    .filter((_each, n) => n % every === 0)
  const beganAt = sharedNow()
  let sent = 0
  while (!ending.signal.aborted) {
    const elapsed = (sharedNow() - beganAt) / 1000
    const due = Math.min(elapsed, seconds) * rate
    for (; sent < due; sent += 1) {
      const target = targets[sent % targets.length]
      target?.socket.publish(target.topic, sharedNow().toFixed(3))
    }
    if (elapsed >= seconds) break
    await sleep(TICK_MS)
  }
  return { sent, beganAt }
}

serveParent({
  async connect({ port, devices }) {
    await inLanes(TOGETHER, devices.length, async (n) => {
      const device = devices[n]
      if (device !== undefined) await connectOne(port, device)
    })
  },
  async introduce({ channels }) {
    let sent = 0
    for (let n = 0; n < channels; n += 1) {
      for (const { device, socket } of connected) {
        socket.publish(`${device.topic}/c${n}`, '0')
        sent += 1
      }
      await sleep(TICK_MS)
    }
    return sent
  },
  publish,
  async begin(order) {
    running = publish(order)
  },
  async end() {
    ending.abort()
    const published = await running
    ending = new AbortController()
    if (published === undefined) throw new Error('nothing was begun')
    return published
  },
  async listen() {
    await Promise.all(connected.map(({ device, socket }) => socket.subscribe(`${device.topic}/$stop`)))
  },
  async heard() {
    return connected.map(({ heard }) => heard)
  },
  async open() {
    return connected.length
  },
} satisfies DeviceClients)
