import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type RunningProcess, startProcess } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { askChild, startWorker } from '../gateway/worker.ts'
import { isListening, type MemoryReading } from '../websocket-memory/protocol.ts'
import { CHALLENGE } from './intents.ts'
import type { Rig } from './rig.ts'
import { startServer } from './server.ts'
import type { StreamClients } from './stream-clients.ts'

export const HOLDERS = ['bare', 'one node', 'on Redis'] as const
export type HolderName = (typeof HOLDERS)[number]

interface Bytes {
  readonly rss: number
  readonly heap: number
}

export interface StreamMemory {
  /** Of the whole process with all streams open. */
  readonly process: Bytes
  readonly stream: Bytes
}

export type StreamMemoryRounds = Rounds<HolderName, StreamMemory>

export interface StreamMemorySizes {
  readonly streams: number
  readonly rounds: number
}

const BARE = fileURLToPath(new URL('./bare-streams.ts', import.meta.url))
const CLIENTS = new URL('./stream-clients.ts', import.meta.url)
const MEMORY_HOOK = new URL('../gateway/memory-hook.ts', import.meta.url)
const STREAMS_PER_CLIENT = 9_500
const POOL_SIZE = 10
/** A process that has just started has free pages to fill: the first streams would look cheaper than the rest. */
const WARM_UP_SHARE = 0.1

/** What an open stream costs, each holder in turns and in a fresh process. */
export async function measureStreamMemory(
  rig: Rig,
  { streams, rounds }: StreamMemorySizes,
): Promise<StreamMemoryRounds> {
  return await inTurns(HOLDERS, rounds, async (name) => {
    await rig.reset({ from: 1, count: streams }, CHALLENGE)
    return await measureOne(rig, name, streams)
  })
}

async function measureOne(rig: Rig, name: HolderName, streams: number): Promise<StreamMemory> {
  await using parts = new AsyncDisposableStack()
  const redis = name === 'on Redis' ? parts.use(await startRedis()) : undefined
  const { running, port } = await (name === 'bare' ? startBare() : startNode(rig, redis?.url))
  parts.defer(() => running.kill('SIGKILL'))
  const open = async (from: number, count: number) => {
    const clients = parts.use(startWorker<StreamClients>(CLIENTS))
    await clients.ask('open', { port, range: { from, count } })
    return clients
  }
  const warmUp = Math.round(streams * WARM_UP_SHARE)
  const all = [await open(1, warmUp)]
  const before = await readMemory(running)
  for (let from = 1 + warmUp; from <= streams; from += STREAMS_PER_CLIENT)
    all.push(await open(from, Math.min(streams - from + 1, STREAMS_PER_CLIENT)))
  const after = await readMemory(running)
  const held = await Promise.all(all.map((clients) => clients.ask('count', null)))
  requireHeld(
    name,
    held.reduce((sum, each) => sum + each, 0),
    streams,
  )
  const per = (from: number, to: number) => (to - from) / (streams - warmUp)
  return {
    process: { rss: after.rss, heap: after.heapUsed },
    stream: { rss: per(before.rss, after.rss), heap: per(before.heapUsed, after.heapUsed) },
  }
}

/** A server that lost streams would look thrifty. */
export function requireHeld(name: string, held: number, expected: number): void {
  if (held !== expected) throw new Error(`${name} holds ${held} streams instead of ${expected}`)
}

async function startBare(): Promise<{ running: RunningProcess; port: number }> {
  const running = startProcess(process.execPath, ['--expose-gc', BARE], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const [message]: unknown[] = await once(running.child, 'message', { signal: AbortSignal.timeout(60_000) })
  if (!isListening(message)) throw new Error('another answer than expected')
  return { running, port: message.port }
}

async function startNode({ databaseUrl }: Rig, redisUrl: string | undefined) {
  const nodeArguments = ['--expose-gc', '--import', MEMORY_HOOK.href]
  return await startServer({ databaseUrl, redisUrl, poolSize: POOL_SIZE, nodeArguments })
}

function readMemory({ child }: RunningProcess): Promise<MemoryReading> {
  return askChild<MemoryReading>(child, 'read')
}
