import { startRedis } from '@patchbay/testkit/redis'
import { askChild, type RunningNode } from './processes.ts'
import {
  type Column,
  type Goal,
  kilobytes,
  medianOf,
  megabytes,
  named,
  type Rounds,
  type Series,
  series,
} from './report.ts'

/** What one of many open connections costs the process that holds it, and what the process takes with all of them. */
export interface HeldMemory {
  readonly rss: number
  readonly heap: number
  readonly process: number
}

interface Reading {
  readonly rss: number
  readonly heapUsed: number
}

const HOOK = new URL('./memory-hook.ts', import.meta.url)
/** With these, a process answers `readMemory`; the product has no code for its measurement. */
export const MEASURED = ['--expose-gc', '--import', HOOK.href]

/** After a garbage collection. */
export const readMemory = ({ running }: RunningNode) => askChild<Reading>(running.child, 'read')

export interface Holding {
  /** Opened before the first reading: the free pages of a fresh process would make the first ones look cheaper. */
  readonly warmUp: number
  readonly counted: number
  readonly open: (from: number, count: number) => Promise<unknown>
  /** How many are open in the end. */
  readonly held: () => Promise<number>
}

export const warmedUp = (all: number) => {
  const warmUp = Math.round(all * 0.1)
  return { warmUp, counted: all - warmUp }
}

export async function measureHeld(node: RunningNode, holding: Holding): Promise<HeldMemory> {
  const { warmUp, counted, open, held } = holding
  await open(0, warmUp)
  const before = await readMemory(node)
  await open(warmUp, counted)
  const after = await readMemory(node)
  requireHeld(await held(), warmUp + counted)
  return {
    rss: (after.rss - before.rss) / counted,
    heap: (after.heapUsed - before.heapUsed) / counted,
    process: after.rss,
  }
}

/** A server that lost some would look thrifty. */
export function requireHeld(held: number, expected: number): void {
  if (held !== expected) throw new Error(`${held} are open instead of ${expected}`)
}

export const HOLDERS = ['bare', 'one node', 'on Redis'] as const
export type HolderName = (typeof HOLDERS)[number]

/** A Redis for the holder that is told to have one. */
export async function redisOf(holder: HolderName, parts: AsyncDisposableStack): Promise<string | undefined> {
  return holder === 'on Redis' ? parts.use(await startRedis()).url : undefined
}

/** The rows that all measurements of memory have. */
export function memoryRows<Name extends string>(
  rounds: Rounds<Name, HeldMemory>,
  one: string,
  goal?: Goal,
): readonly [resident: Series<Name>, heap: Series<Name>, process: Series<Name>] {
  return [
    series(`resident memory of ${one}`, rounds, ({ rss }) => rss, kilobytes, goal),
    series(`JavaScript heap of ${one}`, rounds, ({ heap }) => heap, kilobytes),
    series('the whole process', rounds, (memory) => memory.process, megabytes),
  ]
}

export const holderColumns = (bare: string, ours: string): readonly Column<Series<HolderName>>[] => [
  ['', named],
  [bare, medianOf('bare')],
  [`${ours}, one node`, medianOf('one node')],
  [`${ours} on Redis`, medianOf('on Redis')],
]
