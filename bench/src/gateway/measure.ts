import {
  type HeldMemory,
  HOLDERS,
  type HolderName,
  MEASURED,
  measureHeld,
  readMemory,
  redisOf,
  warmedUp,
} from '../memory.ts'
import { startScript } from '../processes.ts'
import { inTurns, type Rounds, series, count as shown } from '../report.ts'
import {
  type CpuCost,
  openSockets,
  type Rig,
  SIDES,
  type SideName,
  startClients,
  startGateway,
  withCpuOf,
} from './sides.ts'
import type { Doors } from './state.ts'

export interface CallbackCost {
  /** Until the last answer was there and the last code had arrived, whichever came later. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpu: CpuCost
  /** Every callback needs a fresh registration; they are made before the clock of the callbacks starts. */
  readonly register: { readonly perSecond: number; readonly p99Ms: number; readonly cpu: CpuCost }
}

export type CallbackRounds = Rounds<SideName, CallbackCost>

interface Batch {
  readonly states: number
  readonly doors: Doors
  readonly rate?: number
}

/** Of what the prototype can do. */
const STEADY_SHARE = 0.5
const ROUND_TO = 100

export async function measureCallbacks(
  rig: Rig,
  sizes: {
    readonly states: number
    readonly rounds: number
    readonly crossingRounds: number
    readonly steadyRounds: number
  },
) {
  const { states } = sizes
  const rounds = (count: number, batch: Batch) => inTurns(SIDES, count, (name) => callBack(rig, name, batch))
  // Code that runs for the first time would be counted as callbacks.
  await rounds(1, { states, doors: 'balanced' })
  const balanced = await rounds(sizes.rounds, { states, doors: 'balanced' })
  const crossing = await rounds(sizes.crossingRounds, { states, doors: 'crossing' })
  const saturated = series('rate', balanced, ({ perSecond }) => perSecond, shown).median('script')
  const rate = Math.ceil((saturated * STEADY_SHARE) / ROUND_TO) * ROUND_TO
  const steady = await rounds(sizes.steadyRounds, { states, doors: 'balanced', rate })
  return { balanced, crossing, steady, rate }
}

/** Registers a batch of states and calls every one of them back. */
async function callBack(
  rig: Rig,
  name: SideName,
  { states: count, doors, rate }: Batch,
): Promise<CallbackCost> {
  const side = rig.sides[name]
  const { clients, ports } = side
  const batch = rig.nextBatch()
  const registered = await withCpuOf(side, count, () => clients.ask('register', { batch, from: 0, count }))
  const called = await withCpuOf(side, count, async () => {
    const load = await rig.browsers.ask('call', { ports, batch, count, doors, rate })
    const { lastAt } = await clients.ask('collect', { count })
    return { ...load, seconds: (Math.max(load.endedAt, lastAt) - load.startedAt) / 1000 }
  })
  const { seconds, p50Ms, p99Ms } = called.result
  const { seconds: registering, p99Ms: registerP99Ms } = registered.result
  return {
    perSecond: count / seconds,
    p50Ms,
    p99Ms,
    cpu: called.cpu,
    register: { perSecond: count / registering, p99Ms: registerP99Ms, cpu: registered.cpu },
  }
}

/** Connect, register, callback, close. */
export async function measureFlows(
  rig: Rig,
  { flows: count, rounds }: { readonly flows: number; readonly rounds: number },
) {
  const measure = async (name: SideName) => {
    const side = rig.sides[name]
    const order = { ports: side.ports, batch: rig.nextBatch(), count }
    const { result: seconds, cpu } = await withCpuOf(side, count, () => rig.browsers.ask('flow', order))
    return { perSecond: count / seconds, cpu }
  }
  await inTurns(SIDES, 1, measure)
  return await inTurns(SIDES, rounds, measure)
}

export interface PendingSizes {
  /** Rising: what was registered for one level counts for the next. */
  readonly levels: readonly number[]
  readonly holders: number
  readonly states: number
  readonly rounds: number
}

const PENDING_SIDES = ['gateway', 'script'] as const

/** What a callback costs while so many other registrations wait. */
export async function measurePending(rig: Rig, { levels, holders, states, rounds }: PendingSizes) {
  using parts = new DisposableStack()
  const held = await Promise.all(
    PENDING_SIDES.map(async (name) => {
      const clients = parts.use(startClients())
      await clients.ask('open', { ports: rig.sides[name].ports, sockets: holders })
      return { clients, batch: rig.nextBatch() }
    }),
  )
  const costs: { readonly pending: number; readonly rounds: Rounds<'gateway' | 'script', CallbackCost> }[] =
    []
  let from = 0
  for (const pending of levels) {
    for (const { clients, batch } of held)
      await clients.ask('register', { batch, from, count: pending - from })
    from = pending
    const measure = (name: SideName) => callBack(rig, name, { states, doors: 'balanced' })
    costs.push({ pending, rounds: await inTurns(PENDING_SIDES, rounds, measure) })
  }
  return costs
}

export interface SocketMemory extends HeldMemory {
  /** Heap that one registration on top takes; 0 for bare `ws`, which has none. */
  readonly registration: number
}

const BARE_WS = new URL('../kernel/bare-ws.ts', import.meta.url)

/** What an idle connection costs, each holder in turns and in a fresh process. */
export async function measureIdleMemory({
  sockets,
  rounds,
}: {
  readonly sockets: number
  readonly rounds: number
}) {
  const measure = async (name: HolderName): Promise<SocketMemory> => {
    await using parts = new AsyncDisposableStack()
    const redisUrl = await redisOf(name, parts)
    const node = await (name === 'bare'
      ? startScript(BARE_WS, [], MEASURED)
      : startGateway(redisUrl, MEASURED))
    parts.defer(() => node.running.kill('SIGKILL'))
    const { workers, ...idle } = parts.use(openSockets([node.port, node.port]))
    const memory = await measureHeld(node, { ...warmedUp(sockets), ...idle })
    if (name === 'bare') return { ...memory, registration: 0 }
    const before = await readMemory(node)
    for (const [batch, { clients, sockets: count }] of workers.entries())
      await clients.ask('register', { batch, from: 0, count })
    const after = await readMemory(node)
    return { ...memory, registration: (after.heapUsed - before.heapUsed) / sockets }
  }
  return await inTurns(HOLDERS, rounds, measure)
}
