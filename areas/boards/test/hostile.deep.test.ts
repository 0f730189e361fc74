import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoardQuestion } from '@patchbay/contracts/boards'
import { expect, test } from 'vitest'
import { hostileProjects } from './hostile-files.ts'
import { hasKicad, startBoards } from './start.ts'

const CANARY = 'CANARY-of-the-machine-5e1f'
/** What KiCad may take here. */
const SECONDS = 20

/** Each project is asked some. */
const QUESTIONS: readonly (readonly BoardQuestion[])[] = [
  [
    { operation: 'sheets', path: 'x.kicad_sch' },
    { operation: 'layers', path: 'x.kicad_pcb' },
  ],
  [
    { operation: 'netlist', path: 'x.kicad_sch' },
    { operation: 'model', path: 'x.kicad_pcb' },
  ],
  [
    { operation: 'erc', path: 'x.kicad_sch' },
    { operation: 'drc', path: 'x.kicad_pcb' },
  ],
]

test.skipIf(!hasKicad)(
  '[H-44][H-41] files made to harm read and write nothing outside, and end in time',
  {
    timeout: 60 * 60_000,
  },
  async () => {
    await using node = await startBoards()
    const canary = join(node.folder, 'canary')
    await writeFile(canary, CANARY)
    await node.startWorker({ limits: { seconds: SECONDS }, jobsAtOnce: 2 })
    const projects = hostileProjects(canary, 200)
    const outcomes = new Map<string, number>()
    const faults: string[] = []
    for (const [at, { name, files }] of projects.entries()) {
      const workspace = `owner-${at % 4}/p${at}`
      await node.make(workspace, files)
      const boards = node.boards(workspace)
      const questions: readonly BoardQuestion[] = QUESTIONS[at % QUESTIONS.length] ?? []
      const jobs = await Promise.all(
        questions.map(async (question) => {
          const begun = performance.now()
          const job = await boards.run(question)
          return { job, ms: performance.now() - begun }
        }),
      )
      for (const { job, ms } of jobs) {
        const outcome = `${job.state} ${job.fault?.code ?? ''}`.trim()
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        // Three attempts of one job, behind another one.
        if (ms > 6 * SECONDS * 1_000) faults.push(`${name}: ${job.operation} took ${Math.round(ms)} ms`)
        if (JSON.stringify({ ...job, path: '' }).includes(CANARY)) faults.push(`${name}: the job tells`)
        for (const { name: result } of job.results) {
          const bytes = Buffer.from(await (await boards.result(job, result)).arrayBuffer()).toString('latin1')
          if (bytes.includes(CANARY) || bytes.includes('root:x:0:0'))
            faults.push(`${name}: ${job.operation} reads what is outside`)
        }
      }
    }
    expect(faults).toEqual([])
    expect(await readFile(canary, 'utf8')).toBe(CANARY)
    expect(await readdir(node.folder)).toEqual(['canary', 'files', 'libraries', 'results', 'work'])
    // oxlint-disable-next-line no-console -- a run nobody can look into proves little
    console.info(`[H-44] ${projects.length} projects: ${JSON.stringify(Object.fromEntries(outcomes))}`)
  },
)
