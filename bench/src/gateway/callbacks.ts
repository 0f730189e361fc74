import { type CpuCost, measureCpu } from './cpu-time.ts'
import type { Rig } from './rig.ts'
import { type SideName, SIDES } from './side.ts'
import type { Doors } from './state.ts'
import { inTurns, middle, type Rounds } from './turns.ts'

interface RegisterCost {
  readonly perSecond: number
  readonly p99Ms: number
  readonly cpu: CpuCost
}

export interface CallbackCost {
  /** Until the last answer was there and the last code had arrived, whichever came later. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpu: CpuCost
  /** Every callback needs a fresh registration; they are made before the clock of the callbacks starts. */
  readonly register: RegisterCost
}

export type CallbackRounds = Rounds<SideName, CallbackCost>

export interface CallbackResult {
  readonly balanced: CallbackRounds
  readonly crossing: CallbackRounds
  readonly steady: CallbackRounds
  /** Callbacks per second of `steady`. */
  readonly rate: number
}

export interface CallbackSizes {
  readonly states: number
  readonly rounds: number
  readonly crossingRounds: number
  readonly steadyRounds: number
}

interface Batch {
  readonly states: number
  readonly doors: Doors
  readonly rate?: number
}

/** Of what the prototype can do. */
const STEADY_SHARE = 0.5
const ROUND_TO = 100

export async function measureCallbacks(rig: Rig, sizes: CallbackSizes): Promise<CallbackResult> {
  const { states } = sizes
  const rounds = (count: number, batch: Batch) => inTurns(SIDES, count, (name) => callBack(rig, name, batch))
  // Code that runs for the first time would be counted as callbacks.
  await rounds(1, { states, doors: 'balanced' })
  const balanced = await rounds(sizes.rounds, { states, doors: 'balanced' })
  const crossing = await rounds(sizes.crossingRounds, { states, doors: 'crossing' })
  const saturated = middle(balanced, 'script', (cost) => cost.perSecond)
  const rate = Math.ceil((saturated * STEADY_SHARE) / ROUND_TO) * ROUND_TO
  const steady = await rounds(sizes.steadyRounds, { states, doors: 'balanced', rate })
  return { balanced, crossing, steady, rate }
}

/** Registers a batch of states and calls every one of them back. */
export async function callBack(
  rig: Rig,
  name: SideName,
  { states: count, doors, rate }: Batch,
): Promise<CallbackCost> {
  const { clients, ports, pids } = rig.sides[name]
  const batch = rig.nextBatch()
  const registered = await measureCpu(pids, count, () => clients.ask('register', { batch, from: 0, count }))
  const called = await measureCpu(pids, count, async () => {
    const load = await rig.load.ask('run', { ports, batch, count, doors, rate })
    const { lastAt } = await clients.ask('collect', { count })
    return { ...load, seconds: (Math.max(load.endedAt, lastAt) - load.startedAt) / 1000 }
  })
  const { seconds, p50Ms, p99Ms } = called.result
  return {
    perSecond: count / seconds,
    p50Ms,
    p99Ms,
    cpu: called.cpu,
    register: {
      perSecond: count / registered.result.seconds,
      p99Ms: registered.result.p99Ms,
      cpu: registered.cpu,
    },
  }
}
