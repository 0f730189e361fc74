// Pages that show values, in a process of their own: they ask for channels, and note when each value comes.
import { randomUUID } from 'node:crypto'
import { DEVICES_CHANNEL, type DevicesNews } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import { type BrowserMessage, WORKSPACE_SOCKET_PATH, type WorkspaceMessage } from '@patchbay/contracts/panels'
import { WebSocket } from 'ws'
import { serveParent, sharedNow } from '../processes.ts'
import { percentile } from '../report.ts'
import type { FleetDevice, FleetPlace, SideName } from './fleet.ts'

export interface WatchOrder {
  readonly side: SideName
  readonly port: number
  readonly place: FleetPlace
  readonly devices: readonly FleetDevice[]
  readonly channels: number
}

export interface Arrived {
  readonly values: number
  readonly messages: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly lastAt: number
}

export type WatchingPages = {
  watch(order: WatchOrder): Promise<void>
  /** Since the last time that it was asked to forget. */
  arrived(order: { readonly forget: boolean }): Promise<Arrived>
}

let latencies: number[] = []
let messages = 0
let lastAt = 0

function note(values: readonly unknown[]): void {
  const now = sharedNow()
  messages += 1
  lastAt = now
  // What introduced a channel was no time.
  for (const value of values) if (Number(value) > 0) latencies.push(now - Number(value))
}

async function watchBare({ port, devices, channels }: WatchOrder): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false })
  const watched = Promise.withResolvers<void>()
  const topics = devices.flatMap(({ topic }) =>
    Array.from({ length: channels }, (_each, n) => `${topic}/c${n}`),
  )
  socket.once('open', () => socket.send(JSON.stringify(topics)))
  socket.once('error', watched.reject)
  socket.on('message', (data: Buffer) => {
    const { value } = JSON.parse(data.toString()) as { value?: unknown }
    if (value === undefined) watched.resolve()
    else note([value])
  })
  await watched.promise
}

async function watch(order: WatchOrder): Promise<void> {
  if (order.side === 'relay') return await watchBare(order)
  const { port, place, devices, channels } = order
  const { owner, repo, cookie } = place
  const headers = { cookie, origin: `http://localhost:${port}` }
  const socket = new WebSocket(`ws://127.0.0.1:${port}${WORKSPACE_SOCKET_PATH}`, {
    perMessageDeflate: false,
    headers,
  })
  const watched = Promise.withResolvers<void>()
  const send = (message: BrowserMessage) => socket.send(JSON.stringify(message))
  socket.once('error', watched.reject)
  socket.once('close', (code) => watched.reject(new Error(`closed with ${code}`)))
  socket.once('open', () => {
    const attention = { isVisible: true, isFocused: true, isSharing: false }
    send({ type: 'open', owner, repo, browserId: randomUUID(), ...attention })
  })
  const wished = devices.flatMap(({ name }) =>
    Array.from({ length: channels }, (_each, n) => ({
      device: name,
      channel: `c${n}`,
      rate: DEVICE_LIMITS.rate,
    })),
  )
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as WorkspaceMessage
    if (message.type === 'opened')
      send({ type: 'channel', channel: DEVICES_CHANNEL, message: { type: 'watch', channels: wished } })
    if (message.type !== 'channel' || message.channel !== DEVICES_CHANNEL) return
    const news = message.message as DevicesNews
    if (news.type === 'stop') watched.resolve()
    if (news.type === 'values') note(news.values.map(({ value }) => value))
  })
  await watched.promise
}

serveParent({
  watch,
  async arrived({ forget }) {
    const arrived = {
      values: latencies.length,
      messages,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      lastAt,
    }
    if (forget) {
      latencies = []
      messages = 0
    }
    return arrived
  },
} satisfies WatchingPages)
