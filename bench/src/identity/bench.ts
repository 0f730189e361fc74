import { HOLDERS, type HolderName, holderColumns, memoryRows } from '../memory.ts'
import { barPlot, panel } from '../plot.ts'
import {
  atLeast,
  atMost,
  type Bench,
  count,
  goalRatio,
  medianOf,
  microseconds,
  milliseconds,
  missedGoals,
  named,
  type Rounds,
  ratioOf,
  type Series,
  series,
  spread,
  spreadOf,
  strongRatio,
  table,
  verdictOf,
} from '../report.ts'
import type { Wakes } from './clients.ts'
import { OPERATIONS } from './operations.ts'
import { startRig } from './rig.ts'
import { measureStreamMemory, measureWake, type WakeSizes } from './streams.ts'
import {
  measureThroughput,
  type SideName,
  type Throughput,
  type ThroughputResult,
  type ThroughputSizes,
} from './throughput.ts'

interface Sizes {
  readonly throughput: ThroughputSizes
  readonly memory: { readonly streams: number; readonly rounds: number }
  readonly wake: WakeSizes
}

export interface IdentityFigures {
  readonly throughput: ThroughputResult
  readonly memory: Awaited<ReturnType<typeof measureStreamMemory>>
  readonly wake: Rounds<'alone' | 'crowded', Wakes>
}

const GOALS = { throughput: atLeast(0.6), memory: atMost(1.5) }
const TEXTS = { create: 'create', poll: 'poll, with a verifier', pollBare: 'poll, bare', link: 'link' }

const allCpu = ({ cpu }: Throughput) => cpu.client + cpu.postgres + cpu.generator
const cpuOf = (rounds: Rounds<SideName, Throughput>, part: keyof Throughput['cpu']) =>
  series(part, rounds, ({ cpu }) => cpu[part], microseconds)

/** Medians of single rounds, and the least and the most of them. */
const waking = (crowd: 'alone' | 'crowded', heading: string) =>
  [
    [heading, medianOf(crowd)],
    ['in single rounds', (row: Series<'alone' | 'crowded'>) => spread(row.values(crowd), row.show)],
  ] as const

const withSpread = (holder: HolderName) => (row: Series<HolderName>) =>
  `${goalRatio(holder, 'bare')(row)} (${spreadOf(holder, 'bare')(row)})`

/** What logins cost against bare engines, side by side in one run. */
export const identity: Bench<Sizes, IdentityFigures> = {
  full: {
    throughput: { seconds: 2, warmUpSeconds: 2, rounds: 5 },
    memory: { streams: 10_000, rounds: 3 },
    wake: { perSecond: 50, seconds: 7, rounds: 3, waiting: 1_000 },
  },
  smoke: {
    throughput: { seconds: 0.3, warmUpSeconds: 0, rounds: 1 },
    memory: { streams: 300, rounds: 1 },
    wake: { perSecond: 20, seconds: 1, rounds: 1, waiting: 50 },
  },

  async measure(sizes) {
    await using rig = await startRig()
    console.log('Operations: the server over HTTP, a loop of the same statements, and pgbench in turns …')
    const throughput = await measureThroughput(rig, sizes.throughput)
    console.log('Memory of open streams, bare node:http and the server in turns …')
    const memory = await measureStreamMemory(rig, sizes.memory)
    console.log('Wake-ups across two nodes …')
    return { throughput, memory, wake: await measureWake(rig, sizes.wake) }
  },

  report({ throughput, memory, wake }, sizes) {
    const operations = OPERATIONS.map((operation) => {
      const rounds = throughput[operation]
      const share = series('wrk', rounds, (cost) => cost.cpu.generator / allCpu(cost), String)
      return {
        ...series(TEXTS[operation], rounds, ({ perSecond }) => perSecond, count, GOALS.throughput),
        all: series('CPU', rounds, allCpu, microseconds),
        own: cpuOf(rounds, 'client'),
        postgres: cpuOf(rounds, 'postgres'),
        wrk: cpuOf(rounds, 'generator'),
        share: `${(share.median('server') * 100).toFixed(0)} %`,
      }
    })
    type Operation = (typeof operations)[number]
    const cpuColumns = (side: SideName, heading: string) =>
      [
        [heading, ({ own }: Operation) => medianOf(side)(own)],
        ['its PostgreSQL', ({ postgres }: Operation) => medianOf(side)(postgres)],
      ] as const
    const rows = memoryRows(memory, 'a stream', GOALS.memory)
    const [resident, heap] = rows
    const wakes = (name: string, pick: (each: Wakes) => number) => series(name, wake, pick, milliseconds(1))
    return {
      parts: {
        operations: table(operations, [
          ['per second', named],
          ['`pg` loop', medianOf('loop')],
          ['pgbench', medianOf('pgbench')],
          ['server over HTTP', medianOf('server')],
          ['server / loop', strongRatio('server', 'loop')],
          ['in single rounds', spreadOf('server', 'loop')],
          ['by CPU alone', ({ all }) => ratioOf('loop', 'server')(all)],
          ['goal', verdictOf('loop', 'server')],
        ]),
        cpu: table(operations, [
          ['CPU', named],
          ...cpuColumns('pgbench', 'pgbench'),
          ...cpuColumns('loop', '`pg` loop'),
          ...cpuColumns('server', 'server'),
          ['wrk', ({ wrk }) => medianOf('server')(wrk)],
          ['share of wrk', ({ share }) => share],
        ]),
        memory: table(rows, [
          ...holderColumns('bare `node:http`', 'server'),
          ['one node / bare', withSpread('one node')],
          ['on Redis / bare', withSpread('on Redis')],
          ['goal', verdictOf('bare', 'one node', 'on Redis')],
        ]),
        wake: table(
          [
            wakes('p50, from the approval sent', ({ p50Ms }) => p50Ms),
            wakes('p99, from the approval sent', ({ p99Ms }) => p99Ms),
            wakes('longest', ({ maxMs }) => maxMs),
            wakes('p50, from the approval answered', ({ afterAnswerP50Ms }) => afterAnswerP50Ms),
            wakes('p99, from the approval answered', ({ afterAnswerP99Ms }) => afterAnswerP99Ms),
          ],
          [['', named], ...waking('alone', 'nobody else waits'), ...waking('crowded', 'many others wait')],
        ),
        missed: missedGoals([
          ...operations.map(({ name, ratio }) => [name, ratio('server', 'loop'), GOALS.throughput] as const),
          ...(['one node', 'on Redis'] as const).map(
            (holder) =>
              [`memory of a stream ${holder}`, resident.ratio(holder, 'bare'), GOALS.memory] as const,
          ),
        ]),
        'own-cpu': operations
          .map(({ name, own }) => `${medianOf('server')(own)} for ${medianOf('loop')(own)} (${name})`)
          .join(', '),
      },
      plots: {
        'identity-operations.svg': barPlot(
          'Logins over HTTP',
          ['pgbench', 'pg loop, same statements', 'server over HTTP'],
          operations.map((each) =>
            panel(`${each.name}, per second`, each, ['pgbench', 'loop', 'server'], ['loop', 'the loop']),
          ),
        ),
        'identity-streams.svg': barPlot(
          `Memory of an open stream, ${sizes.memory.streams} of them on one node`,
          ['bare node:http', 'server, one node', 'server on Redis'],
          [panel('Resident', resident, HOLDERS, ['bare', 'bare']), panel('JavaScript heap', heap, HOLDERS)],
        ),
      },
    }
  },
}
