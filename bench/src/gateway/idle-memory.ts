import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { isListening, type MemoryReading } from '../websocket-memory/protocol.ts'
import { openClients } from './rig.ts'
import { listens, startGateway } from './side.ts'
import type { SocketClients } from './socket-clients.ts'
import { inTurns, type Rounds } from './turns.ts'
import { askChild, type Worker } from './worker.ts'

export const HOLDERS = ['bare ws', 'one node', 'on Redis'] as const
export type HolderName = (typeof HOLDERS)[number]

interface Bytes {
  readonly rss: number
  readonly heap: number
}

export interface SocketMemory {
  /** Of the whole process with all sockets open. */
  readonly process: Bytes
  /** Of one idle socket. */
  readonly socket: Bytes
  /** Of one registration on top; 0 for bare `ws`, which has none. */
  readonly registration: Bytes
}

export type MemoryRounds = Rounds<HolderName, SocketMemory>

export interface MemorySizes {
  /** At most 19,000 where a process may open 20,000 files. */
  readonly sockets: number
  readonly rounds: number
}

const BARE_WS = fileURLToPath(new URL('../websocket-memory/bare-ws.ts', import.meta.url))
const MEMORY_HOOK = new URL('./memory-hook.ts', import.meta.url)
const SOCKETS_PER_CLIENT = 9_500
/** A process that has just started has free pages to fill: the first sockets would look cheaper than the rest. */
const WARM_UP_SHARE = 0.1
const NOTHING: Bytes = { rss: 0, heap: 0 }

/** What an idle connection costs, each holder in turns and in a fresh process. */
export function measureIdleMemory({ sockets, rounds }: MemorySizes): Promise<MemoryRounds> {
  return inTurns(HOLDERS, rounds, (name) => measureOne(name, sockets))
}

async function measureOne(name: HolderName, sockets: number): Promise<SocketMemory> {
  await using parts = new AsyncDisposableStack()
  const redis = name === 'on Redis' ? parts.use(await startRedis()) : undefined
  const { running, port } = await (name === 'bare ws' ? startBare() : startNode(redis?.url))
  parts.defer(() => running.kill('SIGKILL'))
  const open = async (count: number) => parts.use(await openClients([port, port], count))
  const warmUp = Math.round(sockets * WARM_UP_SHARE)
  const counted = sockets - warmUp
  await open(warmUp)
  const before = await readMemory(running)
  const clients: { readonly worker: Worker<SocketClients>; readonly count: number }[] = []
  for (let left = counted; left > 0; left -= SOCKETS_PER_CLIENT) {
    const count = Math.min(left, SOCKETS_PER_CLIENT)
    clients.push({ worker: await open(count), count })
  }
  const after = await readMemory(running)
  await requireConnections(name, port, after, sockets)
  const between = (from: MemoryReading, to: MemoryReading): Bytes => ({
    rss: (to.rss - from.rss) / counted,
    heap: (to.heapUsed - from.heapUsed) / counted,
  })
  const costs = { process: { rss: after.rss, heap: after.heapUsed }, socket: between(before, after) }
  if (name === 'bare ws') return { ...costs, registration: NOTHING }
  for (const [batch, { worker, count }] of clients.entries())
    await worker.ask('register', { batch, from: 0, count })
  return { ...costs, registration: between(after, await readMemory(running)) }
}

async function startBare(): Promise<{ running: RunningProcess; port: number }> {
  const running = startProcess(process.execPath, ['--expose-gc', BARE_WS], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const [message]: unknown[] = await once(running.child, 'message', { signal: AbortSignal.timeout(60_000) })
  if (!isListening(message)) throw new Error('another answer than expected')
  return { running, port: message.port }
}

async function startNode(redisUrl: string | undefined): Promise<{ running: RunningProcess; port: number }> {
  const port = await freePort()
  const nodeArguments = ['--expose-gc', '--import', MEMORY_HOOK.href]
  const running = startGateway(port, { nodeArguments, redisUrl })
  await listens(running, port)
  return { running, port }
}

function readMemory({ child }: RunningProcess): Promise<MemoryReading> {
  return askChild<MemoryReading>(child, 'read')
}

/** A server that lost connections would look thrifty. */
async function requireConnections(name: HolderName, port: number, reading: MemoryReading, expected: number) {
  const held =
    name === 'bare ws'
      ? reading.connections
      : ((await (await fetch(`http://127.0.0.1:${port}/status`)).json()) as { sockets: number }).sockets
  if (held !== expected) throw new Error(`${name} holds ${held} connections instead of ${expected}`)
}
