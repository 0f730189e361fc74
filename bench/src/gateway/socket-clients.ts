// Holds the sockets of one side, registers states on them, and counts the codes that arrive.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientSocket, openSocket } from './client-socket.ts'
import { percentile } from './percentile.ts'
import { batchOf, codeOf, homeOf, indexOf, stateOf } from './state.ts'
import { serveParent } from './worker.ts'

export interface OpenOrder {
  readonly ports: readonly [number, number]
  readonly sockets: number
}

export interface RegisterOrder {
  readonly batch: number
  readonly from: number
  readonly count: number
}

export interface CollectOrder {
  readonly count: number
  readonly patienceMs?: number
}

export interface Registered {
  readonly seconds: number
  readonly p99Ms: number
}

export interface Collected {
  /** When the last code came, by the clock that all processes of the machine share. */
  readonly lastAt: number
}

export type SocketClients = {
  open(order: OpenOrder): Promise<void>
  register(order: RegisterOrder): Promise<Registered>
  /** Waits until every code of the batch has come; one that comes twice, or with the wrong text, is an error. */
  collect(order: CollectOrder): Promise<Collected>
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
const PATIENCE_MS = 30_000

const clients: Client[] = []
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
    fault ??= 'a server closed a socket'
  }
  const client: Client = { socket: await openSocket(port, onText, onEnd), onAnswer: undefined }
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

async function inParallel(lanes: number, count: number, work: (index: number) => Promise<void>) {
  let next = 0
  const lane = async () => {
    while (next < count) {
      const index = next
      next += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane))
}

async function registerOne(client: Client, state: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Message>()
  client.onAnswer = resolve
  client.socket.send(JSON.stringify({ type: 'register', state, provider: 'example' }))
  const answer = await promise
  if (answer.type !== 'registered' || answer.state !== state)
    throw new Error(`register was answered ${JSON.stringify(answer)}`)
}

const commands: SocketClients = {
  async open({ ports, sockets }) {
    const opened = new Map<number, Client>()
    await inParallel(HANDSHAKES_AT_ONCE, sockets, async (index) => {
      opened.set(index, await openOne(ports[homeOf(index)]))
    })
    for (let index = 0; index < sockets; index += 1) {
      const client = opened.get(index)
      if (client !== undefined) clients.push(client)
    }
  },

  async register(order) {
    batch = order.batch
    arrived = new Set()
    const times: number[] = []
    const end = order.from + order.count
    const start = performance.now()
    // A socket has one register under way, and a state belongs to the socket of its number.
    await inParallel(REGISTERS_AT_ONCE, Math.min(clients.length, order.count), async (offset) => {
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
}

serveParent(commands)
