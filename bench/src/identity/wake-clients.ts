// Applications that wait at one node while people approve at another. Both in one process, so that one clock is enough.
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../gateway/percentile.ts'
import { serveParent } from '../gateway/worker.ts'
import { openPatchConnection, type PatchConnection } from './patch-connection.ts'
import type { Browser } from './people.ts'
import { openStream, openStreams, requireEvent, type StreamSocket } from './stream-socket.ts'

export interface WakeOrder {
  readonly approveAt: number
  readonly waitAt: number
  readonly browsers: readonly Browser[]
  /** Number of the first intent. */
  readonly from: number
  readonly perSecond: number
  readonly seconds: number
}

export interface Wakes {
  readonly count: number
  /** Milliseconds from the approval being sent to the event being read. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** From the answer to the approval; below zero when the event was first. */
  readonly afterAnswerP50Ms: number
  readonly afterAnswerP99Ms: number
}

export type WakeClients = {
  /** Streams that wait all the time and are woken by nobody. */
  hold(order: { readonly port: number; readonly from: number; readonly count: number }): Promise<void>
  run(order: WakeOrder): Promise<Wakes>
}

/** A stream is open for this long before its approval. */
const AHEAD_MS = 400
const PATIENCE_MS = 10_000
const held: StreamSocket[] = []

interface Wake {
  readonly fromSent: number
  readonly fromAnswer: number
}

async function login(order: WakeOrder, number: number, approving: PatchConnection[]): Promise<Wake> {
  const { waitAt, approveAt, browsers } = order
  const stream = await openStream(waitAt, number)
  const eventAt = stream.ended.then((text) => {
    requireEvent(text)
    return performance.now()
  })
  await sleep(AHEAD_MS)
  const connection = approving.pop() ?? (await openPatchConnection(approveAt))
  const browser = browsers[number % browsers.length]
  if (browser === undefined) throw new Error('nobody approves')
  const sentAt = performance.now()
  const answeredAt = connection.approve(number, browser).then(() => performance.now())
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`no event within ${PATIENCE_MS} ms`)
  })
  const [read, answered] = await Promise.race([Promise.all([eventAt, answeredAt]), late])
  approving.push(connection)
  stream.close()
  return { fromSent: read - sentAt, fromAnswer: read - answered }
}

const commands: WakeClients = {
  async hold({ port, from, count }) {
    for (const stream of held.splice(0)) stream.close()
    held.push(...(await openStreams(port, { from, count })))
  },

  async run(order) {
    const { from, perSecond, seconds } = order
    const approving: PatchConnection[] = []
    const start = performance.now()
    const logins: Promise<Wake>[] = []
    for (let index = 0; index < perSecond * seconds; index += 1) {
      const wait = start + (index * 1000) / perSecond - performance.now()
      if (wait > 0) await sleep(wait)
      logins.push(login(order, from + index, approving))
    }
    const wakes = await Promise.all(logins)
    const times = wakes.map(({ fromSent }) => fromSent)
    const after = wakes.map(({ fromAnswer }) => fromAnswer)
    if (held.some(({ isOpen }) => !isOpen)) throw new Error('a waiting stream was lost')
    return {
      count: wakes.length,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      maxMs: Math.max(...times),
      afterAnswerP50Ms: percentile(after, 0.5),
      afterAnswerP99Ms: percentile(after, 0.99),
    }
  },
}

serveParent(commands)
