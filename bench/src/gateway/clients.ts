// Everybody who uses one side: sockets that register states and count the codes that arrive, and browsers that call back.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection } from '../http.ts'
import { inLanes, serveParent } from '../processes.ts'
import { percentile } from '../report.ts'
import { type ClientSocket, openSocket } from '../websocket.ts'
import { batchOf, codeOf, type Doors, doorOf, homeOf, indexOf, stateOf } from './state.ts'

export type Ports = readonly [number, number]

export interface Calling {
  readonly ports: Ports
  readonly batch: number
  readonly count: number
  readonly doors: Doors
  /** Callbacks per second; without it, every connection sends the next one when the last was answered. */
  readonly rate?: number | undefined
}

export type GatewayClients = {
  open(order: { readonly ports: Ports; readonly sockets: number }): Promise<void>
  /** How many of the sockets are open. */
  held(): Promise<number>
  register(order: {
    readonly batch: number
    readonly from: number
    readonly count: number
  }): Promise<{ readonly seconds: number; readonly p99Ms: number }>
  /** Waits until every code of the batch has come; one that comes twice, or with the wrong text, is an error. */
  collect(order: { readonly count: number; readonly patienceMs?: number }): Promise<{
    /** When the last code came, by the clock that all processes of the machine share. */
    readonly lastAt: number
  }>
  /** Sends the callbacks of a batch, each once. */
  call(order: Calling): Promise<{
    readonly startedAt: number
    readonly endedAt: number
    readonly p50Ms: number
    readonly p99Ms: number
  }>
  /** The whole short-lived flow, again and again: connect, register, callback, close. */
  flow(order: { readonly ports: Ports; readonly batch: number; readonly count: number }): Promise<number>
}

interface Message {
  readonly type: string
  readonly state: string
  readonly code?: string
}

interface Client {
  readonly socket: ClientSocket
  onAnswer: ((message: Message) => void) | undefined
}

const HANDSHAKES_AT_ONCE = 64
const REGISTERS_AT_ONCE = 200
const FLOWS_AT_ONCE = 64
const CONNECTIONS_PER_NODE = 32
const PATIENCE_MS = 30_000
const TICK_MS = 1

const clients: Client[] = []
let open = 0
let batch = -1
let arrived = new Set<number>()
let lastAt = 0
let fault: string | undefined

async function openOne(port: number): Promise<Client> {
  const onText = (text: string) => {
    const message = JSON.parse(text) as Message
    if (message.type === 'callback') note(message)
    else client.onAnswer?.(message)
  }
  const onEnd = () => {
    open -= 1
    fault ??= 'a server closed a socket'
  }
  const client: Client = { socket: await openSocket(port, onText, onEnd), onAnswer: undefined }
  open += 1
  return client
}

function note({ state, code }: Message): void {
  const index = indexOf(state)
  if (batchOf(state) !== batch) fault ??= `a code of another batch arrived: ${state}`
  else if (code !== codeOf(state)) fault ??= `${state} arrived with another code: ${code}`
  else if (arrived.has(index)) fault ??= `the code of ${state} arrived twice`
  arrived.add(index)
  lastAt = performance.timeOrigin + performance.now()
}

function isComplete(count: number): boolean {
  if (fault !== undefined) throw new Error(fault)
  return arrived.size >= count
}

async function registerOne(client: Client, state: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Message>()
  client.onAnswer = resolve
  client.socket.send(JSON.stringify({ type: 'register', state, provider: 'example' }))
  const answer = await promise
  if (answer.type !== 'registered' || answer.state !== state)
    throw new Error(`register was answered ${JSON.stringify(answer)}`)
}

/** An error unless the person is told that the code has arrived. */
async function callBack(connection: Connection, state: string): Promise<void> {
  const query = `code=${encodeURIComponent(codeOf(state))}&state=${state}&scope=openid`
  const headers = { accept: 'text/html', 'user-agent': 'bench' }
  const answer = await connection.ask({ path: `/callback?${query}`, headers }, 303)
  if (!answer.includes('/callback/result/done')) throw new Error(`a callback was answered ${answer}`)
}

async function flowOnce(port: number, door: Connection, state: string): Promise<void> {
  const waiting: ((message: Message) => void)[] = []
  const next = () => new Promise<Message>((resolve) => waiting.push(resolve))
  const onText = (text: string) => waiting.shift()?.(JSON.parse(text) as Message)
  const client: Client = { socket: await openSocket(port, onText, () => {}), onAnswer: undefined }
  const registered = next().then((message) => client.onAnswer?.(message))
  await Promise.all([registerOne(client, state), registered])
  const [message] = await Promise.all([next(), callBack(door, state)])
  if (message.code !== codeOf(state)) throw new Error(`another code arrived: ${JSON.stringify(message)}`)
  await client.socket.close()
}

const commands: GatewayClients = {
  async open({ ports, sockets }) {
    const from = clients.length
    await inLanes(HANDSHAKES_AT_ONCE, sockets, async (index) => {
      clients[from + index] = await openOne(ports[homeOf(index)])
    })
  },

  async held() {
    return open
  },

  async register(order) {
    batch = order.batch
    arrived = new Set()
    const times: number[] = []
    const end = order.from + order.count
    const start = performance.now()
    // A socket has one register under way, and a state belongs to the socket of its number.
    await inLanes(REGISTERS_AT_ONCE, Math.min(clients.length, order.count), async (offset) => {
      for (let index = order.from + offset; index < end; index += clients.length) {
        const client = clients[index % clients.length]
        if (client === undefined) throw new Error('no sockets are open')
        const sent = performance.now()
        await registerOne(client, stateOf(order.batch, index))
        times.push(performance.now() - sent)
      }
    })
    return { seconds: (performance.now() - start) / 1000, p99Ms: percentile(times, 0.99) }
  },

  async collect({ count, patienceMs = PATIENCE_MS }) {
    const deadline = performance.now() + patienceMs
    while (!isComplete(count)) {
      if (performance.now() > deadline) throw new Error(`${arrived.size} codes of ${count} arrived`)
      await sleep(2)
    }
    return { lastAt }
  },

  async call({ ports, batch: called, count, doors, rate }) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queues: readonly { readonly index: number; readonly since: number }[][] = [[], []]
    const next = [0, 0]
    const open32 = (port: number) =>
      Promise.all(Array.from({ length: CONNECTIONS_PER_NODE }, () => openConnection(port)))
    const free = await Promise.all(ports.map(open32))
    const all = free.flat()
    const times: number[] = []
    /** Puts free connections of a node to work on what is due there. */
    const work = (door: 0 | 1) => {
      for (;;) {
        const due = queues[door]?.[next[door] ?? 0]
        const connection = due === undefined ? undefined : free[door]?.pop()
        if (due === undefined || connection === undefined) return
        next[door] = (next[door] ?? 0) + 1
        const since = rate === undefined ? performance.now() : due.since
        callBack(connection, stateOf(called, due.index)).then(() => {
          times.push(performance.now() - since)
          free[door]?.push(connection)
          if (times.length === count) resolve()
          else work(door)
        }, reject)
      }
    }
    const start = performance.now()
    let enqueued = 0
    /** Whoever waits for a free connection waits from the moment the callback was due. */
    const tick = () => {
      const until = rate === undefined ? count : Math.ceil(((performance.now() - start) / 1000) * rate)
      for (; enqueued < Math.min(count, until); enqueued += 1)
        queues[doorOf(enqueued, doors)]?.push({ index: enqueued, since: performance.now() })
      work(0)
      work(1)
      if (enqueued < count) setTimeout(tick, TICK_MS)
    }
    tick()
    await promise
    const end = performance.now()
    for (const connection of all) connection.close()
    return {
      startedAt: performance.timeOrigin + start,
      endedAt: performance.timeOrigin + end,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
    }
  },

  async flow({ ports, batch: called, count }) {
    const start = performance.now()
    const doors = await Promise.all(
      Array.from({ length: FLOWS_AT_ONCE }, () => Promise.all(ports.map((port) => openConnection(port)))),
    )
    await inLanes(FLOWS_AT_ONCE, count, async (index, lane) => {
      const door = doors[lane]?.[doorOf(index, 'balanced')]
      if (door === undefined) throw new Error('no connection is open')
      await flowOnce(ports[homeOf(index)], door, stateOf(called, index))
    })
    for (const door of doors.flat()) door.close()
    return (performance.now() - start) / 1000
  },
}

serveParent(commands)
