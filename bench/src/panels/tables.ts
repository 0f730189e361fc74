import { atMost } from '../gateway/tables.ts'
import { middle, ratio } from '../gateway/turns.ts'
import type { ActionTimes } from './action-load.ts'
import { GOALS } from './figures.ts'
import { SIDES, type TripRounds } from './round-trips.ts'
import { HOLDERS, type SocketMemory, type SocketMemoryRounds } from './socket-memory.ts'

const milliseconds = (value: number) => `${value.toFixed(2)} ms`
const kilobytes = (value: number) => `${(value / 1024).toFixed(1)} KiB`
const megabytes = (value: number) => `${(value / 1024 ** 2).toFixed(0)} MiB`
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

export function tripTable(rounds: TripRounds, hasGoal: boolean): string {
  const rows: readonly (readonly [string, (times: ActionTimes) => number, (value: number) => string])[] = [
    ['p50', ({ p50Ms }) => p50Ms, milliseconds],
    ['p99', ({ p99Ms }) => p99Ms, milliseconds],
    ['actions per second', ({ perSecond }) => perSecond, (value) => value.toFixed(0)],
  ]
  const goal = atMost(GOALS.p50)
  const lines = rows.map(([name, pick, show]) => {
    const against = ratio(rounds, 'server', 'bare', pick)
    const single = rounds.map((round) => pick(round.server) / pick(round.bare))
    const spread = `${Math.min(...single).toFixed(2)} to ${Math.max(...single).toFixed(2)}`
    const verdict =
      hasGoal && name === 'p50' ? `${goal.text}: ${goal.isReached(against) ? 'reached' : 'not reached'}` : ''
    const sides = SIDES.map((side) => show(middle(rounds, side, pick)))
    const againstStatements = ratio(rounds, 'server', 'statements', pick)
    return row([name, ...sides, `**${against.toFixed(2)}**`, spread, verdict, againstStatements.toFixed(2)])
  })
  return [
    '| | bare echo | echo + statements | webview action | action / echo | in single rounds | goal | action / (echo + statements) |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export function memoryTable(rounds: SocketMemoryRounds): string {
  const rows: readonly (readonly [string, (memory: SocketMemory) => number, (value: number) => string])[] = [
    ['resident memory of an open workspace', ({ rss }) => rss, kilobytes],
    ['JavaScript heap of an open workspace', ({ heap }) => heap, kilobytes],
    ['the whole process', (memory) => memory.process, megabytes],
  ]
  const lines = rows.map(([name, pick, show]) =>
    row([name, ...HOLDERS.map((holder) => show(middle(rounds, holder, pick)))]),
  )
  return ['| | bare `ws` | server, one node | server on Redis |', '|---|---|---|---|', ...lines].join('\n')
}
