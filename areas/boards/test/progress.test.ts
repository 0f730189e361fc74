import type { BoardJob } from '@patchbay/contracts/boards'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { stepIn } from '../src/kicad-commands.ts'
import { claimJob, finishJob, noteProgress } from '../src/queue.store.ts'
import { type BoardsNode, demo, ENGINE, hasKicad, startBoards } from './start.ts'

const LEASE_MS = 20_000

async function start() {
  const clock = new SettableClock()
  const node = await startBoards({ clock })
  await node.make('ada/board', { 'a.kicad_pcb': '(kicad_pcb)', 'b.kicad_pcb': '(kicad_pcb 2)' })
  await node.announce()
  return Object.assign(node, { clock })
}

type Node = BoardsNode & { readonly clock: SettableClock }

/** Has a picture of a board claimed, and says of its job what is known. */
async function claimed(node: Node, path: string, width: number) {
  const boards = node.boards('ada/board')
  const { job: asked } = await boards.start({ operation: 'render', path, options: { width } })
  expect(asked.progress).toBeUndefined()
  const claim = `c${width}`
  const job = await claimJob(node.db, { engine: ENGINE, claim, leaseMs: LEASE_MS, now: node.clock.now() })
  if (job === undefined) throw new Error('nothing is queued')
  const look = async () => (await (await boards.ask('GET', `/jobs/${job.key}`)).json()) as BoardJob
  const finish = async (ms: number) => {
    node.clock.advance(ms)
    await finishJob(node.db, node.results, job, { results: [], notes: [], counts: {} }, node.clock.now())
  }
  return { job, look, finish }
}

test('[H-92] a job that runs says what its worker does, for how long, and how long the last like it took', async () => {
  await using node = await start()
  const first = await claimed(node, 'a.kicad_pcb', 100)
  expect((await first.look()).progress).toEqual({
    step: 'reading',
    said: null,
    elapsedMs: 0,
    typicalMs: null,
    percent: null,
  })
  await noteProgress(node.db, first.job, { step: 'working', said: 'Create layers' })
  await noteProgress(node.db, { ...first.job, claim: 'of another' }, { step: 'storing', said: null })
  node.clock.advance(1_500)
  expect((await first.look()).progress).toMatchObject({
    step: 'working',
    said: 'Create layers',
    elapsedMs: 1_500,
  })
  await first.finish(500)
  expect((await first.look()).progress).toBeUndefined()
  const other = await claimed(node, 'b.kicad_pcb', 200)
  expect((await other.look()).progress).toMatchObject({ typicalMs: 2_000, percent: 0 })
  await other.finish(8_000)
  // Of both, those on the same file count.
  const again = await claimed(node, 'b.kicad_pcb', 300)
  node.clock.advance(2_000)
  expect((await again.look()).progress).toMatchObject({ typicalMs: 8_000, percent: 25 })
  node.clock.advance(10_000)
  expect((await again.look()).progress).toMatchObject({ elapsedMs: 12_000, percent: 99 })
})

test('[H-92] of what KiCad says the last step is told, and no path, complaint or half line', () => {
  expect(stepIn('Loading…\nCreate layers\nBuild Tech layer 1\nBuild Te')).toBe('Build Tech layer 1')
  expect(stepIn('Reload time 0.6 s\nRendering: 31 %\rRendering: 43 %')).toBe('Rendering: 43 %')
  expect(stepIn('Adding component P3.\nFile not found: ${DIR}/a.wrl\nCould not add 3D model for C1.\n')).toBe(
    'Adding component P3.',
  )
  expect(stepIn("Plotted to '/work/out/a.svg'.\nDone.\n")).toBeUndefined()
})

deepTest.skipIf(!hasKicad)(
  '[H-92] what KiCad does is seen while it works',
  { timeout: 240_000 },
  async () => {
    await using node = await startBoards()
    await node.make('ada/board', await demo('pic_programmer'))
    // A fast machine is done with the picture in less than the usual pause.
    await node.startWorker({ tellMs: 10 })
    const boards = node.boards('ada/board')
    const { job } = await boards.start({ operation: 'render', path: 'pic_programmer.kicad_pcb' })
    const steps = new Set<string>()
    let last: BoardJob = job
    while (last.state === 'queued' || last.state === 'running') {
      last = (await (await boards.ask('GET', `/jobs/${job.id}`)).json()) as BoardJob
      if (last.progress?.said != null) steps.add(last.progress.said)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(last).toMatchObject({ state: 'done' })
    expect([...steps].join('\n')).toMatch(/^Rendering: \d+ %$|^(?:Build|Load|Create) /m)
  },
)
