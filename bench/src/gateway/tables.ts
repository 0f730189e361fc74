import type { CallbackRounds } from './callbacks.ts'
import type { FlowRounds } from './flows.ts'
import { HOLDERS, type HolderName, type MemoryRounds, type SocketMemory } from './idle-memory.ts'
import type { SideName } from './side.ts'
import { middle, ratio, type Rounds } from './turns.ts'

export interface Goal {
  readonly text: string
  isReached(value: number): boolean
}

export const atLeast = (goal: number): Goal => ({
  text: `≥ ${goal}`,
  isReached: (value) => value >= goal,
})
export const atMost = (goal: number): Goal => ({ text: `≤ ${goal}`, isReached: (value) => value <= goal })

interface Row<Result> {
  readonly name: string
  readonly pick: (result: Result) => number
  readonly show: (value: number) => string
  readonly goal?: Goal
}

const count = (value: number) => value.toFixed(0)
const milliseconds = (value: number) => `${value.toFixed(1)} ms`
const microseconds = (value: number) => `${value.toFixed(0)} µs`
const kilobytes = (value: number) => `${(value / 1024).toFixed(1)} KiB`
const megabytes = (value: number) => `${(value / 1024 ** 2).toFixed(0)} MiB`

/** Medians of every side, and the gateway's ratio to both forms of the prototype. */
function sidesTable<Result>(rounds: Rounds<SideName, Result>, rows: readonly Row<Result>[]): string {
  const lines = rows.map(({ name, pick, show, goal }) => {
    const value = (side: SideName) => show(middle(rounds, side, pick))
    const against = ratio(rounds, 'gateway', 'script', pick)
    const first = goal === undefined ? against.toFixed(2) : `**${against.toFixed(2)}**`
    const second = ratio(rounds, 'gateway', 'acknowledged', pick).toFixed(2)
    const cells = [name, value('script'), value('acknowledged'), value('gateway'), first, second]
    return `| ${[...cells, verdict(against, goal)].join(' | ')} |`
  })
  return [
    '| | bare, answers after the script | bare, answers after the acknowledgement | gateway | gateway / first | gateway / second | goal for the first |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export function callbackTable(
  rounds: CallbackRounds,
  goals: { readonly rate?: Goal; readonly p99?: Goal },
): string {
  return sidesTable(rounds, [
    { name: 'callbacks per second', pick: (cost) => cost.perSecond, show: count, ...withGoal(goals.rate) },
    { name: 'p50', pick: (cost) => cost.p50Ms, show: milliseconds },
    { name: 'p99', pick: (cost) => cost.p99Ms, show: milliseconds, ...withGoal(goals.p99) },
    { name: 'CPU of the nodes', pick: ({ cpu }) => cpu.nodes, show: microseconds },
    { name: 'CPU of Redis', pick: ({ cpu }) => cpu.redis, show: microseconds },
  ])
}

export function registerTable(rounds: CallbackRounds): string {
  return sidesTable(rounds, [
    { name: 'registers per second', pick: ({ register }) => register.perSecond, show: count },
    { name: 'p99', pick: ({ register }) => register.p99Ms, show: milliseconds },
    { name: 'CPU of the nodes', pick: ({ register }) => register.cpu.nodes, show: microseconds },
    { name: 'CPU of Redis', pick: ({ register }) => register.cpu.redis, show: microseconds },
  ])
}

export function flowTable(rounds: FlowRounds): string {
  return sidesTable(rounds, [
    { name: 'flows per second', pick: (cost) => cost.perSecond, show: count },
    { name: 'CPU of the nodes', pick: ({ cpu }) => cpu.nodes, show: microseconds },
    { name: 'CPU of Redis', pick: ({ cpu }) => cpu.redis, show: microseconds },
  ])
}

export function memoryTable(rounds: MemoryRounds, goal: Goal): string {
  const rows: Row<SocketMemory>[] = [
    { name: 'resident memory of a socket', pick: ({ socket }) => socket.rss, show: kilobytes, goal },
    { name: 'JavaScript heap of a socket', pick: ({ socket }) => socket.heap, show: kilobytes },
    { name: 'the whole process', pick: (memory) => memory.process.rss, show: megabytes },
  ]
  const lines = rows.map(({ name, pick, show, goal: wanted }) => {
    const values = HOLDERS.map((holder) => show(middle(rounds, holder, pick)))
    const against = (holder: HolderName) => ratio(rounds, holder, 'bare ws', pick)
    const worst = Math.max(against('one node'), against('on Redis'))
    const [one, redis] = (['one node', 'on Redis'] as const).map((holder) => against(holder).toFixed(2))
    const last = wanted === undefined ? redis : `**${redis}**`
    return `| ${[name, ...values, one, last, verdict(worst, wanted)].join(' | ')} |`
  })
  return [
    '| | bare `ws` | gateway, one node | gateway on Redis | one node / bare | on Redis / bare | goal |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** What one registration adds to a node, by bus. */
export function registrationMemory(rounds: MemoryRounds): string {
  const added = (holder: HolderName) => kilobytes(middle(rounds, holder, (m) => m.registration.heap))
  return `${added('one node')} of heap on one node, ${added('on Redis')} on Redis`
}

function withGoal(goal: Goal | undefined): { readonly goal?: Goal } {
  return goal === undefined ? {} : { goal }
}

function verdict(value: number, goal: Goal | undefined): string {
  if (goal === undefined) return ''
  return `${goal.text}: ${goal.isReached(value) ? 'reached' : 'not reached'}`
}
