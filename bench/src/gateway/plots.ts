import { barPlot } from '../plot/bars.ts'
import { linePlot } from '../plot/lines.ts'
import type { CallbackCost, CallbackRounds } from './callbacks.ts'
import { type GatewayFigures, GOALS } from './figures.ts'
import { HOLDERS, type SocketMemory } from './idle-memory.ts'
import { middle } from './turns.ts'

const SCRIPT = 'bare, answers after the script'
const ORDER = ['script', 'acknowledged', 'gateway'] as const
const NAMES = [SCRIPT, 'bare, answers after the acknowledgement', 'gateway']

/** File names and pictures. */
export function gatewayPlots(figures: GatewayFigures): Readonly<Record<string, string>> {
  return {
    'gateway-callbacks.svg': callbackPlot(figures),
    'gateway-memory.svg': memoryPlot(figures),
    'gateway-pending.svg': pendingPlot(figures),
  }
}

function callbackPlot({ callbacks }: GatewayFigures): string {
  const { balanced, crossing, steady, rate } = callbacks
  const panel = (
    title: string,
    rounds: CallbackRounds,
    pick: (cost: CallbackCost) => number,
    show: (value: number) => string,
    goal?: number,
  ) => {
    const values = ORDER.map((name) => middle(rounds, name, pick))
    const value = (values[0] ?? 0) * (goal ?? 0)
    const marked = goal === undefined ? {} : { goal: { value, text: `goal: ${goal} × the first` } }
    return { title, values, show, ...marked }
  }
  const count = (value: number) => value.toFixed(0)
  const milliseconds = (value: number) => `${value.toFixed(1)} ms`
  const perSecond = (cost: CallbackCost) => cost.perSecond
  const p99 = (cost: CallbackCost) => cost.p99Ms
  return barPlot('Callbacks through two nodes', NAMES, [
    panel('Callbacks per second, as a balancer spreads them', balanced, perSecond, count, GOALS.throughput),
    panel('Callbacks per second, all of them crossing nodes', crossing, perSecond, count),
    panel('p99 at saturation', balanced, p99, milliseconds, GOALS.p99),
    panel(`p99 at ${rate} callbacks per second`, steady, p99, milliseconds, GOALS.p99),
  ])
}

function memoryPlot({ memory, sizes }: GatewayFigures): string {
  const kilobytes = (value: number) => `${(value / 1024).toFixed(1)} KiB`
  const values = (pick: (memory: SocketMemory) => number) =>
    HOLDERS.map((holder) => middle(memory, holder, pick))
  const resident = values(({ socket }) => socket.rss)
  const goal = { value: (resident[0] ?? 0) * GOALS.memory, text: `goal: ${GOALS.memory} × bare` }
  return barPlot(
    `Memory of an idle socket, ${sizes.memory.sockets} of them on one node`,
    ['bare ws', 'gateway, one node', 'gateway on Redis'],
    [
      { title: 'Resident', values: resident, show: kilobytes, goal },
      { title: 'JavaScript heap', values: values(({ socket }) => socket.heap), show: kilobytes },
    ],
  )
}

function pendingPlot({ pending }: GatewayFigures): string {
  return linePlot({
    title: 'What a callback costs while others wait',
    xTitle: 'pending registrations',
    yTitle: 'µs CPU of both nodes and Redis',
    series: [
      { name: SCRIPT, colour: 0, points: pending.map((cost) => [cost.pending, cost.script]) },
      { name: 'gateway', colour: 2, points: pending.map((cost) => [cost.pending, cost.gateway]) },
    ],
  })
}
