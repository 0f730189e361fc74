import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoardJob } from '@patchbay/contracts/boards'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { demo, hasKicad, startBoards } from './start.ts'

const SCHEMATIC = 'pic_programmer.kicad_sch'
const BOARD = 'pic_programmer.kicad_pcb'

async function startDemo() {
  const node = await startBoards()
  await node.make('ada/board', await demo('pic_programmer'))
  return node
}

/** Ends each KiCad of this process as soon as it is seen, by its own id. */
async function killKicad(times: number): Promise<void> {
  const killed = new Set<number>()
  await waitUntil(
    `KiCad was killed ${times} times`,
    async () => {
      for (const pid of await descendants(process.pid)) {
        const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        if (!words.startsWith('/usr/bin/kicad-cli') || killed.has(pid)) continue
        try {
          process.kill(pid, 'SIGKILL')
          killed.add(pid)
        } catch {
          // It has ended.
        }
      }
      return killed.size >= times
    },
    { deadlineMs: 60_000, intervalMs: 5 },
  )
}

async function descendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    parents.set(Number(name), parent)
  }
  const isBelow = (pid: number): boolean => {
    for (
      let at = parents.get(pid), steps = 0;
      at !== undefined && at > 1 && steps < 50;
      at = parents.get(at), steps += 1
    )
      if (at === root) return true
    return false
  }
  return [...parents.keys()].filter(isBelow)
}

/** KiCad takes seconds on a quiet machine. */
const PATIENCE = { timeout: 240_000 }

deepTest.skipIf(!hasKicad)(
  '[H-23] a job that ends KiCad three times is refused, and the worker goes on',
  PATIENCE,
  async () => {
    await using node = await startDemo()
    await node.startWorker()
    const boards = node.boards('ada/board')
    const { job } = await boards.start({ operation: 'step', path: BOARD })
    await killKicad(3)
    const refused = await boards.ended(job.id)
    expect(refused).toMatchObject({
      state: 'refused',
      attempts: 3,
      fault: { code: 'kicad_killed' },
      results: [],
    })
    expect(await boards.run({ operation: 'bom', path: SCHEMATIC })).toMatchObject({ state: 'done' })
  },
)

deepTest.skipIf(!hasKicad)(
  '[H-23] a job that ended KiCad once is done by the next attempt',
  PATIENCE,
  async () => {
    await using node = await startDemo()
    await node.startWorker()
    const boards = node.boards('ada/board')
    const { job } = await boards.start({ operation: 'step', path: BOARD })
    await killKicad(1)
    expect(await boards.ended(job.id)).toMatchObject({ state: 'done', attempts: 2 })
  },
)

deepTest.skipIf(!hasKicad)(
  '[H-41] KiCad that takes too long is ended, and the job is refused with words',
  PATIENCE,
  async () => {
    await using node = await startDemo()
    await node.startWorker({ limits: { seconds: 1 } })
    const job = await node.boards('ada/board').run({ operation: 'model', path: BOARD })
    expect(job).toMatchObject({ state: 'refused', attempts: 1, fault: { code: 'too_slow' } })
    expect(job.fault?.detail).toContain('1 s')
  },
)

deepTest.skipIf(!hasKicad)('[H-66] KiCad ends when nobody waits for its job any more', PATIENCE, async () => {
  await using node = await startDemo()
  await node.startWorker()
  const boards = node.boards('ada/board')
  const { job } = await boards.start({
    operation: 'render',
    path: BOARD,
    options: { width: 4_096, height: 4_096, quality: 'high' },
  })
  const folders = async () => (await readdir(join(node.folder, 'work'))).length
  const stateOf = async () => ((await (await boards.ask('GET', `/jobs/${job.id}`)).json()) as BoardJob).state
  await waitUntil('KiCad works', async () => (await stateOf()) === 'running' && (await folders()) === 1)
  await boards.ask('DELETE', `/jobs/${job.id}`)
  const withdrawnAt = performance.now()
  await waitUntil('KiCad has ended', async () => (await folders()) === 0)
  expect(performance.now() - withdrawnAt).toBeLessThan(atLatest(2_000))
  expect(await stateOf()).toBe('refused')
  expect(await boards.run({ operation: 'bom', path: SCHEMATIC })).toMatchObject({ state: 'done' })
})

test.skipIf(!hasKicad)(
  '[H-26] without the object store or the database for a while, a job is done afterwards',
  PATIENCE,
  async () => {
    await using node = await startDemo()
    await node.startWorker()
    const boards = node.boards('ada/board')
    const results = join(node.folder, 'results')
    // What the store is told of a folder that went is an error of the system.
    await rename(results, `${results}-away`)
    const { job } = await boards.start({ operation: 'bom', path: SCHEMATIC })
    const attemptsOf = async () =>
      (await node.db.selectFrom('board_jobs').select('started_at').executeTakeFirst())?.started_at
    await waitUntil('it was tried', async () => (await attemptsOf()) !== null, { deadlineMs: 30_000 })
    await rename(`${results}-away`, results).catch(() => undefined)
    for (let round = 0; round < 5; round += 1)
      await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
        .execute(node.db)
        .catch(() => undefined)
    const answer = async () => await (await boards.ask('GET', `/jobs/${job.id}`)).text()
    await expect.poll(answer, { timeout: 60_000 }).toContain('"state":"done"')
  },
)

test.skipIf(!hasKicad)('[H-40][H-41] nothing of a job stays with the worker', PATIENCE, async () => {
  await using node = await startDemo()
  await node.startWorker()
  const boards = node.boards('ada/board')
  await boards.run({ operation: 'erc', path: SCHEMATIC })
  await node.stopWorkers()
  expect(await readdir(join(node.folder, 'work')).catch(() => [])).toEqual([])
})

deepTest.skipIf(!hasKicad)(
  '[H-2][H-20] two workers share what is asked, and every job is computed once',
  PATIENCE,
  async () => {
    await using node = await startDemo()
    await node.startWorker()
    await node.startWorker()
    const boards = node.boards('ada/board')
    const operations = ['erc', 'bom', 'netlist', 'sheets'] as const
    const jobs = await Promise.all(operations.map((operation) => boards.run({ operation, path: SCHEMATIC })))
    expect(jobs.map(({ state, attempts }) => [state, attempts])).toEqual(operations.map(() => ['done', 1]))
  },
)
