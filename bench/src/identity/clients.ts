// Applications that wait at one node while people approve at another. Both in one process, so that one clock is enough.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection } from '../http.ts'
import { serveParent } from '../processes.ts'
import { percentile } from '../report.ts'
import { type IntentRange, numbered } from './intents.ts'
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
  /** Milliseconds from the approval being sent to the event being read. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** From the answer to the approval; below zero when the event was first. */
  readonly afterAnswerP50Ms: number
  readonly afterAnswerP99Ms: number
}

export type StreamClients = {
  /** Opens streams that wait and are woken by nobody, one intent each. */
  open(order: { readonly port: number; readonly range: IntentRange }): Promise<void>
  /** How many are still open. */
  held(): Promise<number>
  close(): Promise<void>
  wake(order: WakeOrder): Promise<Wakes>
}

/** A stream is open for this long before its approval. */
const AHEAD_MS = 400
const PATIENCE_MS = 10_000
const held: StreamSocket[] = []
const openNow = () => held.filter(({ isOpen }) => isOpen).length

async function login({ waitAt, approveAt, browsers }: WakeOrder, number: number, approving: Connection[]) {
  const stream = await openStream(waitAt, number)
  const eventAt = stream.ended.then((text) => {
    requireEvent(text)
    return performance.now()
  })
  await sleep(AHEAD_MS)
  const connection = approving.pop() ?? (await openConnection(approveAt))
  const browser = browsers[number % browsers.length]
  if (browser === undefined) throw new Error('nobody approves')
  const { cookie, csrf } = browser
  const headers = { origin: `http://localhost:${approveAt}`, cookie, 'x-csrf-token': csrf }
  const sentAt = performance.now()
  const approval = { method: 'PATCH', path: `/auth/intents/${numbered(number)}`, headers }
  const answeredAt = connection.ask(approval, 200).then(() => performance.now())
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`no event within ${PATIENCE_MS} ms`)
  })
  const [read, answered] = await Promise.race([Promise.all([eventAt, answeredAt]), late])
  approving.push(connection)
  stream.close()
  return { fromSent: read - sentAt, fromAnswer: read - answered }
}

const commands: StreamClients = {
  async open({ port, range }) {
    held.push(...(await openStreams(port, range)))
  },

  async held() {
    return openNow()
  },

  async close() {
    for (const stream of held.splice(0)) stream.close()
  },

  async wake(order) {
    const { from, perSecond, seconds } = order
    const approving: Connection[] = []
    const start = performance.now()
    const logins: ReturnType<typeof login>[] = []
    for (let index = 0; index < perSecond * seconds; index += 1) {
      const wait = start + (index * 1000) / perSecond - performance.now()
      if (wait > 0) await sleep(wait)
      logins.push(login(order, from + index, approving))
    }
    const wakes = await Promise.all(logins)
    const sent = wakes.map(({ fromSent }) => fromSent)
    const answered = wakes.map(({ fromAnswer }) => fromAnswer)
    if (openNow() !== held.length) throw new Error('a waiting stream was lost')
    return {
      p50Ms: percentile(sent, 0.5),
      p99Ms: percentile(sent, 0.99),
      maxMs: Math.max(...sent),
      afterAnswerP50Ms: percentile(answered, 0.5),
      afterAnswerP99Ms: percentile(answered, 0.99),
    }
  },
}

serveParent(commands)
