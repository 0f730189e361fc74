import { setTimeout as sleep } from 'node:timers/promises'
import { sharedNow, startWorker } from '../processes.ts'
import { percentile } from '../report.ts'
import type { DeviceClients } from './device-clients.ts'
import { addressOf, asBrowser, DEVICES_OF_PLACE, type Fleet, startSide } from './fleet.ts'

export interface StopSizes {
  /** Values a second. */
  readonly rate: number
  readonly channels: number
  readonly stops: number
  /** Of the workspace, which publish nothing: their clocks are not held up by their own load. */
  readonly witnesses: number
}

export interface StopTimes {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  /** Until the HTTP request was answered. */
  readonly answerP50Ms: number
  /** Values a second that the node took meanwhile. */
  readonly rate: number
}

const CLIENTS = new URL('./device-clients.ts', import.meta.url)
const PAUSE_MS = 100
const PATIENCE_MS = 5_000
const SETTLE_MS = 2_000
const STORED_WITHIN_MS = 4_000

/** From the request over HTTP to the device, while all others of the workspace publish what they can. */
export async function measureStops(fleet: Fleet, sizes: StopSizes): Promise<StopTimes> {
  await using side = await startSide('server', fleet)
  using parts = new DisposableStack()
  const load = parts.use(startWorker<DeviceClients>(CLIENTS))
  const witnesses = parts.use(startWorker<DeviceClients>(CLIENTS))
  const [place] = fleet.places
  if (place === undefined) throw new Error('no workspace')
  const all = fleet.devices.slice(0, DEVICES_OF_PLACE)
  const { port } = side.node
  await witnesses.ask('connect', { port: side.mqttPort, devices: all.slice(0, sizes.witnesses) })
  await load.ask('connect', { port: side.mqttPort, devices: all.slice(sizes.witnesses) })
  for (const worker of [witnesses, load]) await worker.ask('listen')
  const url = `${addressOf(port, place)}/emergency-stop`
  const headers = asBrowser(port, place)
  const ask = async (method: 'PUT' | 'DELETE') => {
    const answer = await fetch(url, {
      method,
      headers: method === 'PUT' ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(method === 'PUT' && { body: '{}' }),
    })
    if (!answer.ok) throw new Error(`${method} answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  /** Answers when each of them had heard it. */
  const untilHeard = async (isStop: boolean, since: number) => {
    const until = performance.now() + PATIENCE_MS
    for (;;) {
      const heard = await witnesses.ask('heard')
      if (heard.every((each) => each.isStop === isStop && each.at >= since)) return heard.map(({ at }) => at)
      if (performance.now() > until) throw new Error(`a device was not told that stop is ${isStop}`)
      await sleep(5)
    }
  }
  await load.ask('introduce', { channels: sizes.channels })
  await sleep(SETTLE_MS)
  const beganAt = Date.now()
  await load.ask('begin', { rate: sizes.rate, seconds: 3_600, channels: sizes.channels, every: 1 })
  const times: number[] = []
  const answers: number[] = []
  for (let n = 0; n < sizes.stops; n += 1) {
    const askedAt = sharedNow()
    await ask('PUT')
    answers.push(sharedNow() - askedAt)
    times.push(...(await untilHeard(true, askedAt)).map((at) => at - askedAt))
    const releasedAt = sharedNow()
    await ask('DELETE')
    await untilHeard(false, releasedAt)
    await sleep(PAUSE_MS)
  }
  await load.ask('end')
  const seconds = (Date.now() - beganAt) / 1000
  // What the node has read is in the database two seconds later.
  await sleep(STORED_WITHIN_MS)
  const { rows } = await fleet.database.client.query<{ heard: string }>(
    'select coalesce(sum(count), 0) as heard from device_seconds where at >= to_timestamp($1)',
    // Numbers are kept by the second.
    [Math.floor(beganAt / 1000)],
  )
  const rate = Number(rows[0]?.heard) / seconds
  requireRate(sizes.rate, rate)
  return {
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    longestMs: Math.max(...times),
    answerP50Ms: percentile(answers, 0.5),
    rate,
  }
}

/** A load that was not there would make every stop quick. */
export function requireRate(wanted: number, taken: number): void {
  if (!(taken >= 0.9 * wanted)) throw new Error(`${taken.toFixed(0)} values a second instead of ${wanted}`)
}
