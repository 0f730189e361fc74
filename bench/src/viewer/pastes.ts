import { readFile } from 'node:fs/promises'
import { LIMITS, type Paste } from '@patchbay/contracts'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { askChild, startWorker } from '../gateway/worker.ts'
import { median } from '../median.ts'
import type { BareSharp } from './bare-sharp.ts'
import type { LoopReading } from './loop-hook.ts'
import type { Screenshot } from './screenshot.ts'
import { type RunningViewer, startViewer } from './viewer.ts'

export const SIDES = ['bare', 'viewer'] as const
export type SideName = (typeof SIDES)[number]

export interface PasteTimes {
  /** Of a paste by itself. */
  readonly aloneMs: number
  /** Until the last of those that came together was saved. */
  readonly togetherMs: number
  /** Of the viewer's event loop, while they came together. Not measured for the prototype, which serves nobody. */
  readonly longestBlockMs: number
}

export interface PasteSizes {
  readonly rounds: number
  readonly alone: number
  readonly together: number
}

export type PasteRounds = Rounds<SideName, PasteTimes>

const BARE = new URL('./bare-sharp.ts', import.meta.url)

/** Both sides are started once: what is measured is a paste, not a start. */
export async function measurePastes(screenshot: Screenshot, sizes: PasteSizes): Promise<PasteRounds> {
  using bare = startWorker<BareSharp>(BARE)
  await using viewer = await startViewer()
  const picture = await readFile(screenshot.file)
  const sides: Readonly<Record<SideName, (together: number) => Promise<number>>> = {
    bare: async (together) => Math.max(...(await bare.ask('encode', { file: screenshot.file, together }))),
    viewer: (together) => pasteTogether(viewer, picture, together),
  }
  // The first of each loads libraries and fills caches.
  for (const side of SIDES) await sides[side](1)
  const readLoop = () => askChild<LoopReading>(viewer.running.child, 'read')
  return await inTurns(SIDES, sizes.rounds, async (side) => {
    const alone: number[] = []
    for (let count = 0; count < sizes.alone; count += 1) alone.push(await sides[side](1))
    await readLoop()
    const togetherMs = await sides[side](sizes.together)
    const { longestMs } = await readLoop()
    return { aloneMs: median(alone), togetherMs, longestBlockMs: side === 'viewer' ? longestMs : Number.NaN }
  })
}

async function pasteTogether(
  viewer: RunningViewer,
  picture: Uint8Array<ArrayBuffer>,
  together: number,
): Promise<number> {
  const start = performance.now()
  const pastes = await Promise.all(Array.from({ length: together }, () => viewer.paste(picture)))
  const took = performance.now() - start
  requireWhole(pastes)
  return took
}

/** A paste that was answered without both pictures, or twice with the same files, is no paste. */
export function requireWhole(pastes: readonly Paste[]): void {
  const files = new Set(pastes.flatMap(({ optimised, original }) => [optimised.file, original.file]))
  if (files.size !== pastes.length * 2) throw new Error(`${pastes.length} pastes gave ${files.size} files`)
  for (const { optimised, original } of pastes) {
    const longest = Math.max(optimised.width, optimised.height)
    if (longest !== LIMITS.screenshotMaxSidePx || original.width <= longest)
      throw new Error(
        `a paste gave ${optimised.width} x ${optimised.height} of ${original.width} x ${original.height}`,
      )
  }
}
