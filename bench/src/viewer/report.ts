import { loadavg } from 'node:os'
import { atMost } from '../gateway/tables.ts'
import { middle, ratio } from '../gateway/turns.ts'
import { describeMachine } from '../machine.ts'
import { type PasteRounds, type PasteSizes, type PasteTimes, SIDES } from './pastes.ts'
import type { Screenshot } from './screenshot.ts'

export const GOALS = { alone: 1.25, longestBlockMs: 50 }

export interface ViewerFigures {
  readonly screenshot: Screenshot
  readonly rounds: PasteRounds
  readonly sizes: PasteSizes
}

const milliseconds = (value: number) => `${value.toFixed(0)} ms`
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function longestBlock(rounds: PasteRounds): number {
  return Math.max(...rounds.map(({ viewer }) => viewer.longestBlockMs))
}

export function viewerReport({ screenshot, rounds, sizes }: ViewerFigures): string {
  const megabytes = (screenshot.bytes / 1e6).toFixed(1)
  const block = longestBlock(rounds)
  const blockGoal = atMost(GOALS.longestBlockMs)
  return `# What a paste costs

Written by \`pnpm bench viewer\`, both sides in one run and in turns; medians of ${sizes.rounds} rounds, and medians of the ratios of
neighbouring rounds. ${describeMachine()} Load average at the end of the run: ${loadavg()[0]?.toFixed(1)}.

![Time of a paste](viewer-paste.svg)

A 4K screenshot of a design tool, drawn the same each time: 3840 x 2160, ${megabytes} MB of PNG. The prototype reads it from the disk and makes both
files of it with sharp, side by side: 1568 px and the original size, at compression level 9. The viewer is the product as a person starts it:
the same picture comes over HTTP, and the answer is sent once both files are saved, on the disk, under their names. Names are not looked for.

| | bare sharp | paste | paste / sharp | in single rounds | goal |
|---|---|---|---|---|---|
${timeRow(rounds, 'one paste', ({ aloneMs }) => aloneMs, GOALS.alone)}
${timeRow(rounds, `${sizes.together} pastes at once`, ({ togetherMs }) => togetherMs)}

While ${sizes.together} pastes come at once, the longest time in which the viewer could answer nobody else was **${block.toFixed(1)} ms** in all rounds
(${blockGoal.text}: ${blockGoal.isReached(block) ? 'reached' : 'not reached'}).

Pictures that come together are worked on one after the other, in a process of their own, so that no picture can make the viewer use more than
512 MiB ([decision 27](../decisions/0027-pictures.md)); bare sharp takes all of them at once.

## To repeat

\`pnpm bench viewer\` takes about a minute and needs a machine that does nothing else; \`--smoke\` takes seconds and writes nothing.
`
}

function timeRow(
  rounds: PasteRounds,
  name: string,
  pick: (times: PasteTimes) => number,
  goal?: number,
): string {
  const against = ratio(rounds, 'viewer', 'bare', pick)
  const single = rounds.map((round) => pick(round.viewer) / pick(round.bare))
  const spread = `${Math.min(...single).toFixed(2)} to ${Math.max(...single).toFixed(2)}`
  const limit = goal === undefined ? undefined : atMost(goal)
  const verdict =
    limit === undefined ? '' : `${limit.text}: ${limit.isReached(against) ? 'reached' : 'not reached'}`
  const sides = SIDES.map((side) => milliseconds(middle(rounds, side, pick)))
  return row([name, ...sides, `**${against.toFixed(2)}**`, spread, verdict])
}
