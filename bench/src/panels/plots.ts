import { middle } from '../gateway/turns.ts'
import { barPlot } from '../plot/bars.ts'
import { GOALS, type PanelFigures } from './figures.ts'
import { HOLDERS } from './socket-memory.ts'
import { SIDES } from './round-trips.ts'

/** File names and pictures. */
export function panelPlots(figures: PanelFigures): Readonly<Record<string, string>> {
  return { 'panels-round-trip.svg': tripPlot(figures), 'panels-memory.svg': memoryPlot(figures) }
}

function tripPlot({ trips }: PanelFigures): string {
  const milliseconds = (value: number) => `${value.toFixed(2)} ms`
  const alone = SIDES.map((side) => middle(trips.alone, side, ({ p50Ms }) => p50Ms))
  const goal = { value: (alone[0] ?? 0) * GOALS.p50, text: `goal: ${GOALS.p50} × the echo` }
  return barPlot(
    'A web view action from HTTP to the page on the other node and back',
    ['bare ws echo through Redis', 'the same with bare statements', 'web view action'],
    [
      { title: 'p50, one at a time', values: alone, show: milliseconds, goal },
      {
        title: 'p99, one at a time',
        values: SIDES.map((side) => middle(trips.alone, side, ({ p99Ms }) => p99Ms)),
        show: milliseconds,
      },
    ],
  )
}

function memoryPlot({ memory, sizes }: PanelFigures): string {
  const kilobytes = (value: number) => `${(value / 1024).toFixed(1)} KiB`
  return barPlot(
    `Memory of an open workspace, ${sizes.memory.workspaces} of them on one node`,
    ['bare ws', 'server, one node', 'server on Redis'],
    [
      {
        title: 'Resident',
        values: HOLDERS.map((name) => middle(memory, name, ({ rss }) => rss)),
        show: kilobytes,
      },
      {
        title: 'JavaScript heap',
        values: HOLDERS.map((name) => middle(memory, name, ({ heap }) => heap)),
        show: kilobytes,
      },
    ],
  )
}
