import { HOLDERS, holderColumns, memoryRows } from '../memory.ts'
import { barPlot, panel } from '../plot.ts'
import {
  atMost,
  type Bench,
  count,
  type Goal,
  medianOf,
  milliseconds,
  missedGoals,
  named,
  ratioOf,
  series,
  spreadOf,
  strongRatio,
  table,
  times,
  verdictOf,
} from '../report.ts'
import {
  measureSocketMemory,
  measureTrips,
  SIDES,
  startRig,
  type TripRounds,
  type TripSizes,
} from './measure.ts'

interface Sizes {
  readonly trips: TripSizes
  readonly memory: { readonly workspaces: number; readonly rounds: number }
}

interface PanelFigures {
  readonly trips: { readonly alone: TripRounds; readonly crowded: TripRounds }
  readonly memory: Awaited<ReturnType<typeof measureSocketMemory>>
}

/** The median of a round trip, against the prototype. */
const GOAL = atMost(2)

const tripRows = (rounds: TripRounds, goal?: Goal) =>
  [
    series('p50', rounds, ({ p50Ms }) => p50Ms, milliseconds(2), goal),
    series('p99', rounds, ({ p99Ms }) => p99Ms, milliseconds(2)),
    series('actions per second', rounds, ({ perSecond }) => perSecond, count),
  ] as const

const tripTable = (rows: ReturnType<typeof tripRows>) =>
  table(rows, [
    ['', named],
    ['bare echo', medianOf('bare')],
    ['echo + statements', medianOf('statements')],
    ['webview action', medianOf('server')],
    ['action / echo', strongRatio('server', 'bare')],
    ['in single rounds', spreadOf('server', 'bare')],
    ['goal', verdictOf('bare', 'server')],
    ['action / (echo + statements)', ratioOf('server', 'statements')],
  ])

/** What panel control costs against a bare echo, side by side in one run. */
export const panels: Bench<Sizes, PanelFigures> = {
  full: { trips: { actions: 2_000, rounds: 7, crowd: 16 }, memory: { workspaces: 2_000, rounds: 3 } },
  smoke: { trips: { actions: 50, rounds: 1, crowd: 4 }, memory: { workspaces: 60, rounds: 1 } },

  async measure(sizes) {
    await using rig = await startRig()
    console.log('Round trips: the prototype and the server in turns …')
    const trips = await measureTrips(rig, sizes.trips)
    console.log('Memory of open workspaces, bare ws and the server in turns …')
    return { trips, memory: await measureSocketMemory(rig, sizes.memory) }
  },

  report({ trips, memory }, sizes) {
    const alone = tripRows(trips.alone, GOAL)
    const [p50, p99] = alone
    const rows = memoryRows(memory, 'an open workspace')
    const [resident, heap] = rows
    return {
      parts: {
        alone: tripTable(alone),
        crowded: tripTable(tripRows(trips.crowded)),
        memory: table(rows, holderColumns('bare `ws`', 'server')),
        missed: missedGoals([['p50 of one action at a time', p50.ratio('server', 'bare'), GOAL]]),
        floor: times(p50.ratio('statements', 'bare')),
        above: times(p50.ratio('server', 'statements')),
      },
      plots: {
        'panels-round-trip.svg': barPlot(
          'A web view action from HTTP to the page on the other node and back',
          ['bare ws echo through Redis', 'the same with bare statements', 'web view action'],
          [
            panel('p50, one at a time', p50, SIDES, ['bare', 'the echo']),
            panel('p99, one at a time', p99, SIDES),
          ],
        ),
        'panels-memory.svg': barPlot(
          `Memory of an open workspace, ${sizes.memory.workspaces} of them on one node`,
          ['bare ws', 'server, one node', 'server on Redis'],
          [panel('Resident', resident, HOLDERS), panel('JavaScript heap', heap, HOLDERS)],
        ),
      },
    }
  },
}
