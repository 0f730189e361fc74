import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { median } from '../median.ts'
import { isListening, isOpened, isReading, type MemoryReading } from './protocol.ts'

export interface WebSocketMemoryOptions {
  /** Idle connections per server; at most 19,000 where a process may open 20,000 files. */
  readonly sockets: number
  readonly rounds?: number
}

interface IdleCost {
  readonly rssBytes: number
  readonly heapBytes: number
}

export interface WebSocketMemoryResult {
  readonly sockets: number
  readonly rounds: number
  /** Medians, per idle connection. */
  readonly bare: IdleCost
  readonly kernel: IdleCost
  readonly rssRatio: number
  readonly heapRatio: number
}

type ServerName = 'bare' | 'kernel'

const SERVERS: Readonly<Record<ServerName, URL>> = {
  bare: new URL('./bare-ws.ts', import.meta.url),
  kernel: new URL('./kernel-ws.ts', import.meta.url),
}
const IDLE_CLIENTS = new URL('./idle-clients.ts', import.meta.url)

const CLIENTS_PER_PROCESS = 9_000
const WARM_UP = 200
const DEADLINE_MS = 120_000

/** What an idle connection costs through the kernel and on bare `ws`, in turns, each in a fresh process. */
export async function measureWebSocketMemory(
  options: WebSocketMemoryOptions,
): Promise<WebSocketMemoryResult> {
  const { sockets, rounds = 3 } = options
  const costs: Record<ServerName, IdleCost[]> = { bare: [], kernel: [] }
  for (let round = 0; round < rounds; round += 1) {
    const order: ServerName[] = ['bare', 'kernel']
    if (round % 2 === 1) order.reverse()
    for (const name of order) costs[name].push(await measureOne(name, sockets))
  }
  const bare = medians(costs.bare)
  const kernel = medians(costs.kernel)
  return {
    sockets,
    rounds,
    bare,
    kernel,
    rssRatio: kernel.rssBytes / bare.rssBytes,
    heapRatio: kernel.heapBytes / bare.heapBytes,
  }
}

async function measureOne(name: ServerName, sockets: number): Promise<IdleCost> {
  using server = start(SERVERS[name], [])
  const { port } = await next(server.child, isListening)
  using clients = new DisposableStack()
  // Without these, code that runs for the first time would be counted as connections.
  clients.use(await openClients(port, WARM_UP))
  const before = await readMemory(server.child)
  for (let left = sockets; left > 0; left -= CLIENTS_PER_PROCESS) {
    clients.use(await openClients(port, Math.min(left, CLIENTS_PER_PROCESS)))
  }
  const after = await readMemory(server.child)
  const opened = after.connections - before.connections
  if (opened !== sockets) throw new Error(`${name} holds ${opened} connections instead of ${sockets}`)
  return {
    rssBytes: (after.rss - before.rss) / opened,
    heapBytes: (after.heapUsed - before.heapUsed) / opened,
  }
}

async function openClients(port: number, count: number): Promise<Disposable> {
  const clients = start(IDLE_CLIENTS, [String(port), String(count)])
  await next(clients.child, isOpened)
  return clients
}

async function readMemory(server: ChildProcess): Promise<MemoryReading> {
  server.send('read')
  return await next(server, isReading)
}

function start(file: URL, args: readonly string[]): Disposable & { readonly child: ChildProcess } {
  const child = fork(file, args, { execArgv: ['--expose-gc'] })
  return { child, [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

/** The next message; fails when the process ends or stays silent. */
async function next<M>(child: ChildProcess, isExpected: (message: unknown) => message is M): Promise<M> {
  const [message] = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) }),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`ended with ${code} before it answered`))),
  ])
  if (!isExpected(message)) throw new Error('another answer than expected')
  return message
}

function medians(costs: readonly IdleCost[]): IdleCost {
  return { rssBytes: median(costs.map((c) => c.rssBytes)), heapBytes: median(costs.map((c) => c.heapBytes)) }
}
