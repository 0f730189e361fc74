import { loadavg } from 'node:os'
import { describeMachine } from '../machine.ts'
import type { PanelFigures } from './figures.ts'
import { panelLimits } from './limits.ts'
import { memoryTable, tripTable } from './tables.ts'

export function panelReport(figures: PanelFigures): string {
  const { trips, memory, sizes } = figures
  const thousands = (value: number) => value.toLocaleString('en-US')
  return `# What panel control costs

Written by \`pnpm bench panels\`, all sides in one run and in turns; medians, and medians of the ratios of neighbouring
rounds. ${describeMachine()} Load average at the end of the run: ${loadavg()[0]?.toFixed(1)}.

![Round trip of an action](panels-round-trip.svg)

## Round trip, one at a time

\`PATCH /api/panels/webview\` with an API key at one node, the workspace open at the other: from the request to its answer, which comes after the
page has acknowledged. Beside it a prototype that passes the request through the same Redis to a page at its other node, which sends it
back, bare and with the two statements that an action cannot do without. ${sizes.trips.rounds} rounds of ${thousands(sizes.trips.actions)} actions each, after a warm-up. An action that is answered without the page
having carried it out, or that it is told twice, is an error.

${tripTable(trips.alone, true)}

## Round trip, ${sizes.trips.crowd} at once

All on one workspace, whose row they change one after the other.

${tripTable(trips.crowded, false)}

## Memory of open workspaces

${thousands(sizes.memory.workspaces)} workspaces with one web view each, open on one node by a socket of its own; ${sizes.memory.rounds} rounds in turns, each in a fresh
process, after a garbage collection. The first tenth is opened before the first reading.

${memoryTable(memory)}

![Memory of an open workspace](panels-memory.svg)

## What limits it

${panelLimits(figures)}

## To repeat

\`pnpm bench panels\` takes about three minutes and needs PostgreSQL, \`redis-server\` and a machine that does nothing else; \`--smoke\` takes seconds
and writes nothing. \`node --cpu-prof --cpu-prof-dir=<folder> bench/src/main.ts panels --smoke\` leaves a profile of every node.
`
}
