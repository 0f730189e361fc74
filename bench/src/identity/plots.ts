import { barPlot } from '../plot/bars.ts'
import { middle } from '../gateway/turns.ts'
import { GOALS, type IdentityFigures } from './figures.ts'
import { OPERATIONS } from './operations.ts'
import { HOLDERS, type StreamMemory } from './stream-memory.ts'
import { OPERATION_TEXTS } from './tables.ts'

/** File names and pictures. */
export function identityPlots(figures: IdentityFigures): Readonly<Record<string, string>> {
  return {
    'identity-operations.svg': operationsPlot(figures),
    'identity-streams.svg': streamsPlot(figures),
  }
}

function operationsPlot({ throughput }: IdentityFigures): string {
  const panels = OPERATIONS.map((operation) => {
    const { rounds } = throughput[operation]
    const order = ['pgbench', 'loop', 'server'] as const
    const values = order.map((side) => middle(rounds, side, ({ perSecond }) => perSecond))
    return {
      title: `${OPERATION_TEXTS[operation]}, per second`,
      values,
      show: (value: number) => value.toFixed(0),
      goal: { value: (values[1] ?? 0) * GOALS.throughput, text: `goal: ${GOALS.throughput} × the loop` },
    }
  })
  return barPlot('Logins over HTTP', ['pgbench', 'pg loop, same statements', 'server over HTTP'], panels)
}

function streamsPlot({ memory, sizes }: IdentityFigures): string {
  const kilobytes = (value: number) => `${(value / 1024).toFixed(1)} KiB`
  const values = (pick: (memory: StreamMemory) => number) =>
    HOLDERS.map((holder) => middle(memory, holder, pick))
  const resident = values(({ stream }) => stream.rss)
  const goal = { value: (resident[0] ?? 0) * GOALS.memory, text: `goal: ${GOALS.memory} × bare` }
  return barPlot(
    `Memory of an open stream, ${sizes.memory.streams} of them on one node`,
    ['bare node:http', 'server, one node', 'server on Redis'],
    [
      { title: 'Resident', values: resident, show: kilobytes, goal },
      { title: 'JavaScript heap', values: values(({ stream }) => stream.heap), show: kilobytes },
    ],
  )
}
