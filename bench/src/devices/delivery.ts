import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf, startWorker, type Worker } from '../processes.ts'
import { inTurns, type Rounds } from '../report.ts'
import type { DeviceClients, PublishOrder } from './device-clients.ts'
import { type Fleet, SIDES, type Side, type SideName, startSide } from './fleet.ts'
import type { Arrived, WatchingPages } from './watching-pages.ts'

export interface DeliverySizes {
  readonly devices: number
  readonly channels: number
  readonly pages: number
  /** Values a second that are tried one after the other: the last ones are more than either side can take. */
  readonly rates: readonly number[]
  readonly seconds: number
  /** Of the latencies. */
  readonly calmSeconds: number
  readonly rounds: number
}

export interface Delivery {
  /** The most values a second that arrived. */
  readonly perSecond: number
  /** Of the process in the middle, at the lowest of the rates. */
  readonly cpuMicroseconds: number
  /** One channel of a page, ten values a second. */
  readonly calm: Arrived
  /** All channels, one value a second each. */
  readonly busy: Arrived
}

const CLIENTS = new URL('./device-clients.ts', import.meta.url)
const PAGES = new URL('./watching-pages.ts', import.meta.url)
const CALM_RATE = 10
/** After it nothing more comes. */
const QUIET_MS = 400
const PATIENCE_MS = 20_000

/** Values from devices to pages through the server and through the bare relay, in turns and in fresh processes. */
export async function measureDelivery(
  fleet: Fleet,
  sizes: DeliverySizes,
): Promise<Rounds<SideName, Delivery>> {
  return await inTurns(SIDES, sizes.rounds, async (name) => {
    await using side = await startSide(name, fleet)
    return await measureSide(fleet, side, sizes)
  })
}

interface Clients {
  readonly load: Worker<DeviceClients>
  readonly pages: Worker<WatchingPages>
}

async function measureSide(fleet: Fleet, side: Side, sizes: DeliverySizes): Promise<Delivery> {
  using parts = new DisposableStack()
  const clients: Clients = { load: parts.use(startWorker(CLIENTS)), pages: parts.use(startWorker(PAGES)) }
  const { load, pages } = clients
  const devices = fleet.devices.slice(0, sizes.devices)
  const { channels } = sizes
  await load.ask('connect', { port: side.mqttPort, devices })
  await load.ask('introduce', { channels })
  const ofPage = sizes.devices / sizes.pages
  for (let page = 0; page < sizes.pages; page += 1) {
    const watched = devices.slice(page * ofPage, (page + 1) * ofPage)
    const place = fleet.places[watched[0]?.place ?? -1]
    if (place === undefined) throw new Error('no such workspace')
    await pages.ask('watch', { side: side.name, port: side.node.port, place, devices: watched, channels })
  }
  const targets = sizes.devices * channels
  const everything = { channels, every: 1 }
  // Code that runs for the first time, and channels that are written down for the first time, would be counted.
  await tryRate(clients, { ...everything, rate: targets, seconds: Math.min(3, sizes.calmSeconds) })
  const calm = await tryRate(clients, {
    channels,
    every: targets / sizes.pages,
    rate: CALM_RATE * sizes.pages,
    seconds: sizes.calmSeconds,
  })
  requireArrived('one channel of a page', calm)
  const busy = await tryRate(clients, { ...everything, rate: targets, seconds: sizes.calmSeconds })
  requireArrived('all channels', busy)
  let perSecond = 0
  let cpuMicroseconds = Number.NaN
  for (const [n, rate] of sizes.rates.entries()) {
    const before = await cpuOf(side.node.pid)
    const tried = await tryRate(clients, { ...everything, rate, seconds: sizes.seconds })
    if (n === 0) cpuMicroseconds = (((await cpuOf(side.node.pid)) - before) / tried.sent) * 1e6
    perSecond = Math.max(perSecond, tried.perSecond)
  }
  return { perSecond, cpuMicroseconds, calm: calm.arrived, busy: busy.arrived }
}

interface Tried {
  readonly sent: number
  readonly arrived: Arrived
  readonly perSecond: number
}

async function tryRate({ load, pages }: Clients, order: PublishOrder): Promise<Tried> {
  await pages.ask('arrived', { forget: true })
  const { sent, beganAt } = await load.ask('publish', order)
  const arrived = await untilQuiet(pages, sent)
  return { sent, arrived, perSecond: arrived.values / ((arrived.lastAt - beganAt) / 1000) }
}

async function untilQuiet(pages: Worker<WatchingPages>, sent: number): Promise<Arrived> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const before = await pages.ask('arrived', { forget: false })
    if (before.values >= sent) return before
    await sleep(QUIET_MS)
    const after = await pages.ask('arrived', { forget: false })
    if (after.values === before.values || performance.now() > until) return after
  }
}

/** A side that leaves some out at a pace that anybody can keep would look fast. */
export function requireArrived(what: string, { sent, arrived }: Pick<Tried, 'sent' | 'arrived'>): void {
  if (arrived.values > sent || arrived.values < 0.9 * sent)
    throw new Error(`${what}: ${arrived.values} of ${sent} values arrived`)
}
