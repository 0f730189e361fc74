import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type RunningProcess, startProcess } from '@patchbay/testkit/processes'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { askChild, startWorker } from '../gateway/worker.ts'
import { openBrowsers } from '../identity/people.ts'
import { startServer } from '../identity/server.ts'
import { isListening, type MemoryReading } from '../websocket-memory/protocol.ts'
import type { PageClients } from './page-clients.ts'
import { makePlaces, type Place } from './places.ts'
import type { Rig } from './rig.ts'

export const HOLDERS = ['bare ws', 'one node', 'on Redis'] as const
export type HolderName = (typeof HOLDERS)[number]

export interface SocketMemory {
  readonly process: number
  readonly rss: number
  readonly heap: number
}

export type SocketMemoryRounds = Rounds<HolderName, SocketMemory>

export interface MemorySizes {
  readonly workspaces: number
  readonly rounds: number
}

const BARE_WS = fileURLToPath(new URL('../websocket-memory/bare-ws.ts', import.meta.url))
const MEMORY_HOOK = new URL('../gateway/memory-hook.ts', import.meta.url)
const PAGES = new URL('./page-clients.ts', import.meta.url)
const POOL_SIZE = 10
/** A process that has just started has free pages to fill: the first sockets would look cheaper than the rest. */
const WARM_UP_SHARE = 0.1

/** What an open workspace costs a node: each of another workspace, so that no two share a room. */
export async function measureSocketMemory(
  rig: Rig,
  { workspaces, rounds }: MemorySizes,
): Promise<SocketMemoryRounds> {
  const places = await preparePlaces(rig, workspaces)
  return await inTurns(HOLDERS, rounds, (name) => measureOne(rig, name, places))
}

async function preparePlaces({ databaseUrl }: Rig, count: number): Promise<readonly Place[]> {
  await using server = await startServer({ databaseUrl, poolSize: POOL_SIZE })
  return await makePlaces(server.port, await openBrowsers(server.port), count)
}

async function measureOne(rig: Rig, name: HolderName, places: readonly Place[]): Promise<SocketMemory> {
  await using parts = new AsyncDisposableStack()
  const isBare = name === 'bare ws'
  const { running, port } = await (isBare ? startBare() : startNode(rig, name))
  parts.defer(() => running.kill('SIGKILL'))
  const pages = parts.use(startWorker<PageClients>(PAGES))
  const here = places.map((place) => ({ ...place, origin: `http://localhost:${port}` }))
  const warmUp = Math.round(here.length * WARM_UP_SHARE)
  await pages.ask('open', { port, isBare, places: here.slice(0, warmUp) })
  const before = await readMemory(running)
  await pages.ask('open', { port, isBare, places: here.slice(warmUp) })
  const after = await readMemory(running)
  const { open } = await pages.ask('counts', undefined)
  if (open !== here.length) throw new Error(`${name} holds ${open} workspaces instead of ${here.length}`)
  const per = (from: number, to: number) => (to - from) / (here.length - warmUp)
  return {
    process: after.rss,
    rss: per(before.rss, after.rss),
    heap: per(before.heapUsed, after.heapUsed),
  }
}

async function startBare(): Promise<{ running: RunningProcess; port: number }> {
  const running = startProcess(process.execPath, ['--expose-gc', BARE_WS], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const [message]: unknown[] = await once(running.child, 'message', { signal: AbortSignal.timeout(60_000) })
  if (!isListening(message)) throw new Error('another answer than expected')
  return { running, port: message.port }
}

async function startNode({ databaseUrl, redisUrl }: Rig, name: HolderName) {
  const nodeArguments = ['--expose-gc', '--import', MEMORY_HOOK.href]
  return await startServer({
    databaseUrl,
    redisUrl: name === 'on Redis' ? redisUrl : undefined,
    poolSize: POOL_SIZE,
    nodeArguments,
  })
}

function readMemory({ child }: RunningProcess): Promise<MemoryReading> {
  return askChild<MemoryReading>(child, 'read')
}
