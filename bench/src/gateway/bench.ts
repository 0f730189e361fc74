import { HOLDERS, holderColumns, memoryRows } from '../memory.ts'
import { barPlot, linePlot, panel } from '../plot.ts'
import {
  atLeast,
  atMost,
  type Bench,
  type Column,
  count,
  type Goal,
  goalRatio,
  kilobytes,
  medianOf,
  microseconds,
  milliseconds,
  missedGoals,
  named,
  type Rounds,
  ratioOf,
  type Series,
  series,
  table,
  thousands,
  times,
  verdictOf,
} from '../report.ts'
import {
  type CallbackRounds,
  measureCallbacks,
  measureFlows,
  measureIdleMemory,
  measurePending,
  type PendingSizes,
} from './measure.ts'
import { type CpuCost, type SideName, startRig } from './sides.ts'

interface Sizes {
  readonly sockets: number
  readonly callbacks: Parameters<typeof measureCallbacks>[1]
  readonly flows: Parameters<typeof measureFlows>[1]
  readonly pending: PendingSizes
  /** At most 19,000 where a process may open 20,000 files. */
  readonly memory: Parameters<typeof measureIdleMemory>[0]
}

export interface GatewayFigures {
  readonly callbacks: Awaited<ReturnType<typeof measureCallbacks>>
  readonly flows: Awaited<ReturnType<typeof measureFlows>>
  readonly pending: Awaited<ReturnType<typeof measurePending>>
  readonly memory: Awaited<ReturnType<typeof measureIdleMemory>>
}

const GOALS = { throughput: atLeast(0.85), p99: atMost(1.25), memory: atMost(1.25) }
const SCRIPT = 'bare, answers after the script'
const ACKNOWLEDGED = 'bare, answers after the acknowledgement'
const ORDER = ['script', 'acknowledged', 'gateway'] as const

/** The gateway's ratio to both forms of the prototype. */
const COLUMNS: readonly Column<Series<SideName>>[] = [
  ['', named],
  [SCRIPT, medianOf('script')],
  [ACKNOWLEDGED, medianOf('acknowledged')],
  ['gateway', medianOf('gateway')],
  ['gateway / first', goalRatio('gateway', 'script')],
  ['gateway / second', ratioOf('gateway', 'acknowledged')],
  ['goal for the first', verdictOf('script', 'gateway')],
]

const cpuRows = (rounds: Rounds<SideName, { readonly cpu: CpuCost }>) => [
  series('CPU of the nodes', rounds, ({ cpu }) => cpu.nodes, microseconds),
  series('CPU of Redis', rounds, ({ cpu }) => cpu.redis, microseconds),
]
const rateRow = (rounds: CallbackRounds, goal?: Goal) =>
  series('callbacks per second', rounds, ({ perSecond }) => perSecond, count, goal)
const p99Row = (rounds: CallbackRounds, goal?: Goal) =>
  series('p99', rounds, ({ p99Ms }) => p99Ms, milliseconds(1), goal)

function callbackTable(rounds: CallbackRounds, rate?: Goal, p99?: Goal): string {
  const p50 = series('p50', rounds, ({ p50Ms }) => p50Ms, milliseconds(1))
  return table([rateRow(rounds, rate), p50, p99Row(rounds, p99), ...cpuRows(rounds)], COLUMNS)
}

/** What the gateway costs against a bare prototype, side by side in one run. */
export const gateway: Bench<Sizes, GatewayFigures> = {
  full: {
    sockets: 2_000,
    callbacks: { states: 20_000, rounds: 11, crossingRounds: 7, steadyRounds: 7 },
    flows: { flows: 4_000, rounds: 5 },
    pending: { levels: [1_000, 20_000, 100_000], holders: 6_400, states: 10_000, rounds: 5 },
    memory: { sockets: 19_000, rounds: 5 },
  },
  smoke: {
    sockets: 200,
    callbacks: { states: 600, rounds: 1, crossingRounds: 1, steadyRounds: 1 },
    flows: { flows: 128, rounds: 1 },
    pending: { levels: [100, 1_000], holders: 100, states: 400, rounds: 1 },
    memory: { sockets: 1_000, rounds: 1 },
  },

  async measure(sizes) {
    const loaded = await measureNodes(sizes)
    console.log('Memory of idle sockets, bare ws and the gateway in turns …')
    return { ...loaded, memory: await measureIdleMemory(sizes.memory) }
  },

  report({ callbacks, flows, pending, memory }, sizes) {
    const { balanced, crossing, steady, rate } = callbacks
    const registers = balanced.map(({ script, acknowledged, gateway: ours }) => ({
      script: script.register,
      acknowledged: acknowledged.register,
      gateway: ours.register,
    }))
    const rates = rateRow(balanced, GOALS.throughput)
    const [saturated, unhurried] = [balanced, steady].map((rounds) => p99Row(rounds, GOALS.p99))
    const rows = memoryRows(memory, 'a socket', GOALS.memory)
    const [resident, heap] = rows
    const [cpu] = cpuRows(balanced)
    if (saturated === undefined || unhurried === undefined || cpu === undefined) throw new Error('no rounds')
    const added = series('registration', memory, ({ registration }) => registration, kilobytes)
    const costs = pending.map(({ pending: waiting, rounds }) => ({
      waiting,
      cost: series('CPU', rounds, (each) => each.cpu.nodes + each.cpu.redis, microseconds),
    }))
    const first = ['script', 'the first'] as const
    return {
      parts: {
        balanced: callbackTable(balanced, GOALS.throughput, GOALS.p99),
        crossing: callbackTable(crossing),
        'steady-rate': thousands(rate),
        steady: callbackTable(steady, undefined, GOALS.p99),
        registers: table(
          [
            series('registers per second', registers, ({ perSecond }) => perSecond, count),
            series('p99', registers, ({ p99Ms }) => p99Ms, milliseconds(1)),
            ...cpuRows(registers),
          ],
          COLUMNS,
        ),
        flows: table(
          [series('flows per second', flows, ({ perSecond }) => perSecond, count), ...cpuRows(flows)],
          COLUMNS,
        ),
        memory: table(rows, [
          ...holderColumns('bare `ws`', 'gateway'),
          ['one node / bare', ratioOf('one node', 'bare')],
          ['on Redis / bare', goalRatio('on Redis', 'bare')],
          ['goal', verdictOf('bare', 'one node', 'on Redis')],
        ]),
        registration: `${medianOf('one node')(added)} of heap on one node, ${medianOf('on Redis')(added)} on Redis`,
        pending: table(costs, [
          ['pending', ({ waiting }) => thousands(waiting)],
          [SCRIPT, ({ cost }) => medianOf('script')(cost)],
          ['gateway', ({ cost }) => medianOf('gateway')(cost)],
        ]),
        missed: missedGoals([
          ['callbacks per second', rates.ratio('gateway', 'script'), GOALS.throughput],
          ['p99 at saturation', saturated.ratio('gateway', 'script'), GOALS.p99],
          ['p99 at a steady rate', unhurried.ratio('gateway', 'script'), GOALS.p99],
          ['memory of a socket', resident.ratio('on Redis', 'bare'), GOALS.memory],
        ]),
        'second-of-first': times(rates.ratio('acknowledged', 'script')),
        'gateway-of-second': times(rates.ratio('gateway', 'acknowledged')),
        'cpu-first': medianOf('script')(cpu),
        'cpu-second': medianOf('acknowledged')(cpu),
        'cpu-gateway': medianOf('gateway')(cpu),
      },
      plots: {
        'gateway-callbacks.svg': barPlot(
          'Callbacks through two nodes',
          [SCRIPT, ACKNOWLEDGED, 'gateway'],
          [
            panel('Callbacks per second, as a balancer spreads them', rates, ORDER, first),
            panel('Callbacks per second, all of them crossing nodes', rateRow(crossing), ORDER),
            panel('p99 at saturation', saturated, ORDER, first),
            panel(`p99 at ${rate} callbacks per second`, unhurried, ORDER, first),
          ],
        ),
        'gateway-memory.svg': barPlot(
          `Memory of an idle socket, ${sizes.memory.sockets} of them on one node`,
          ['bare ws', 'gateway, one node', 'gateway on Redis'],
          [panel('Resident', resident, HOLDERS, ['bare', 'bare']), panel('JavaScript heap', heap, HOLDERS)],
        ),
        'gateway-pending.svg': linePlot({
          title: 'What a callback costs while others wait',
          xTitle: 'pending registrations',
          yTitle: 'µs CPU of both nodes and Redis',
          lines: [
            {
              name: SCRIPT,
              color: 0,
              points: costs.map(({ waiting, cost }) => [waiting, cost.median('script')]),
            },
            {
              name: 'gateway',
              color: 2,
              points: costs.map(({ waiting, cost }) => [waiting, cost.median('gateway')]),
            },
          ],
        }),
      },
    }
  },
}

async function measureNodes(sizes: Sizes): Promise<Omit<GatewayFigures, 'memory'>> {
  await using rig = await startRig(sizes.sockets)
  console.log('Callbacks: two nodes and a Redis each, the prototype and the gateway in turns …')
  const callbacks = await measureCallbacks(rig, sizes.callbacks)
  console.log('Flows: connect, register, callback, close …')
  const flows = await measureFlows(rig, sizes.flows)
  console.log('Callbacks while other registrations are pending …')
  return { callbacks, flows, pending: await measurePending(rig, sizes.pending) }
}
