import { atLeast, atMost, type Goal } from '../gateway/tables.ts'
import { middle, ratio, type Rounds } from '../gateway/turns.ts'
import { GOALS } from './figures.ts'
import { OPERATIONS, type OperationName } from './operations.ts'
import { HOLDERS, type HolderName, type StreamMemory, type StreamMemoryRounds } from './stream-memory.ts'
import { SIDES, type SideName, type Throughput, type ThroughputResult } from './throughput.ts'
import type { WakeRounds } from './wake.ts'
import type { Wakes } from './wake-clients.ts'

export const OPERATION_TEXTS: Readonly<Record<OperationName, string>> = {
  create: 'create',
  poll: 'poll, with a verifier',
  pollBare: 'poll, bare',
  link: 'link',
}

const milliseconds = (value: number) => `${value.toFixed(1)} ms`
const microseconds = (value: number) => (value === 0 ? '' : `${value.toFixed(0)} µs`)
const kilobytes = (value: number) => `${(value / 1024).toFixed(1)} KiB`
const megabytes = (value: number) => `${(value / 1024 ** 2).toFixed(0)} MiB`
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

const allCpu = ({ cpu }: Throughput) => cpu.client + cpu.postgres + cpu.generator

/** The least and the most of the rounds' ratios: how far a single run may be off. */
function spread<Name extends string, Result>(
  rounds: Rounds<Name, Result>,
  ours: Name,
  theirs: Name,
  pick: (result: Result) => number,
): string {
  const ratios = rounds.map((round) => pick(round[ours]) / pick(round[theirs]))
  return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
}

export function throughputTable(result: ThroughputResult): string {
  const lines = OPERATIONS.map((operation) => {
    const { rounds } = result[operation]
    const rate = ({ perSecond }: Throughput) => perSecond
    const values = (['loop', 'pgbench', 'server'] as const).map((side) =>
      middle(rounds, side, rate).toFixed(0),
    )
    const against = ratio(rounds, 'server', 'loop', rate)
    const byCpu = ratio(rounds, 'loop', 'server', allCpu).toFixed(2)
    const ratios = [`**${against.toFixed(2)}**`, spread(rounds, 'server', 'loop', rate), byCpu]
    return row([
      OPERATION_TEXTS[operation],
      ...values,
      ...ratios,
      verdict(against, atLeast(GOALS.throughput)),
    ])
  })
  return [
    '| per second | `pg` loop | pgbench | server over HTTP | server / loop | in single rounds | by CPU alone | goal |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export function cpuTable(result: ThroughputResult): string {
  const lines = OPERATIONS.map((operation) => {
    const { rounds } = result[operation]
    const of = (side: SideName, part: keyof Throughput['cpu']) =>
      microseconds(middle(rounds, side, ({ cpu }) => cpu[part]))
    const cells = SIDES.toReversed().flatMap((side) => [of(side, 'client'), of(side, 'postgres')])
    return row([
      OPERATION_TEXTS[operation],
      ...cells,
      of('server', 'generator'),
      generatorShare(result, operation),
    ])
  })
  return [
    '| CPU | pgbench | its PostgreSQL | `pg` loop | its PostgreSQL | server | its PostgreSQL | wrk | share of wrk |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

function generatorShare(result: ThroughputResult, operation: OperationName): string {
  const share = middle(result[operation].rounds, 'server', (cost) => cost.cpu.generator / allCpu(cost))
  return `${(share * 100).toFixed(0)} %`
}

export function memoryTable(rounds: StreamMemoryRounds): string {
  interface MemoryRow {
    readonly name: string
    readonly pick: (memory: StreamMemory) => number
    readonly show: (value: number) => string
    readonly goal?: Goal
  }
  const rows: readonly MemoryRow[] = [
    {
      name: 'resident memory of a stream',
      pick: ({ stream }) => stream.rss,
      show: kilobytes,
      goal: atMost(GOALS.memory),
    },
    { name: 'JavaScript heap of a stream', pick: ({ stream }) => stream.heap, show: kilobytes },
    { name: 'the whole process', pick: (memory) => memory.process.rss, show: megabytes },
  ]
  const lines = rows.map(({ name, pick, show, goal }) => {
    const values = HOLDERS.map((holder) => show(middle(rounds, holder, pick)))
    const against = (holder: HolderName) => ratio(rounds, holder, 'bare', pick)
    const ratios = (['one node', 'on Redis'] as const).map((holder) => {
      const text = against(holder).toFixed(2)
      return `${goal === undefined ? text : `**${text}**`} (${spread(rounds, holder, 'bare', pick)})`
    })
    return row([
      name,
      ...values,
      ...ratios,
      verdict(Math.max(against('one node'), against('on Redis')), goal),
    ])
  })
  return [
    '| | bare `node:http` | server, one node | server on Redis | one node / bare | on Redis / bare | goal |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export function wakeTable(rounds: WakeRounds): string {
  const rows: readonly (readonly [string, (wakes: Wakes) => number])[] = [
    ['p50, from the approval sent', ({ p50Ms }) => p50Ms],
    ['p99, from the approval sent', ({ p99Ms }) => p99Ms],
    ['longest', ({ maxMs }) => maxMs],
    ['p50, from the approval answered', ({ afterAnswerP50Ms }) => afterAnswerP50Ms],
    ['p99, from the approval answered', ({ afterAnswerP99Ms }) => afterAnswerP99Ms],
  ]
  const lines = rows.map(([name, pick]) => {
    const cells = (['alone', 'crowded'] as const).flatMap((crowd) => {
      const values = rounds.map((round) => pick(round[crowd]))
      const range = `${Math.min(...values).toFixed(1)} to ${milliseconds(Math.max(...values))}`
      return [milliseconds(middle(rounds, crowd, pick)), range]
    })
    return row([name, ...cells])
  })
  return [
    '| | nobody else waits | in single rounds | many others wait | in single rounds |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

function verdict(value: number, goal: Goal | undefined): string {
  if (goal === undefined) return ''
  return `${goal.text}: ${goal.isReached(value) ? 'reached' : 'not reached'}`
}
