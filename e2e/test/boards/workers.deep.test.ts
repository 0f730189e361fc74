import { setTimeout as sleep } from 'node:timers/promises'
import type { BoardJob, BoardQuestion } from '@patchbay/contracts/boards'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type BoardService, hasKicad, readDemo, startBoardService } from './service.ts'

const SCHEMATIC = 'pic_programmer.kicad_sch'
const BOARD = 'pic_programmer.kicad_pcb'
/** An agent may say the same to a busy machine. */
const PATIENCE = { timeout: 90 * 60_000 }

const jobOf = async (service: BoardService, id: string) =>
  (await (await service.ask('GET', `/boards/jobs/${id}`)).json()) as BoardJob
const stateOf = async (service: BoardService, id: string) => (await jobOf(service, id)).state

test.skipIf(!hasKicad)(
  '[H-22][H-2] the job of a worker that is killed is done by another one, once',
  PATIENCE,
  async () => {
    await using service = await startBoardService()
    await service.write(await readDemo('pic_programmer'))
    const first = await service.startWorker()
    const { id } = await service.start({ operation: 'step', path: BOARD })
    await waitUntil('it runs', async () => (await stateOf(service, id)) === 'running', { deadlineMs: 60_000 })
    await first.kill('SIGKILL')
    await service.startWorker()
    const job = await service.ended(id)
    expect(job).toMatchObject({ state: 'done', attempts: 2 })
    const [result] = job.results
    const bytes = await (await service.ask('GET', `/boards/jobs/${id}/results/${result?.name}`)).arrayBuffer()
    expect(bytes.byteLength).toBe(result?.bytes)
  },
)

test.skipIf(!hasKicad)(
  '[H-25] a worker that is told to stop finishes what it does, or gives it back, and ends with 0',
  PATIENCE,
  async () => {
    await using service = await startBoardService()
    await service.write(await readDemo('pic_programmer'))
    const worker = await service.startWorker({ PATCHBAY_DRAIN_SECONDS: '60' })
    const { id } = await service.start({ operation: 'bom', path: SCHEMATIC })
    await waitUntil('it is taken', async () => (await stateOf(service, id)) !== 'queued', {
      deadlineMs: 60_000,
    })
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toEqual([0, null])
    expect(await stateOf(service, id)).toBe('done')
  },
)

/** Each is another job: the width is one of its options. */
const questionOf = (at: number): BoardQuestion => ({
  operation: 'render',
  path: BOARD,
  options: { side: at % 2 === 0 ? 'top' : 'bottom', width: 64 + at, height: 64 },
})
const JOBS = 500
const KILLS = 1_000
/** Of the jobs: how many are done once more, with nothing killed. */
const DONE_AGAIN = 20

test.skipIf(!hasKicad)(
  `[H-20][H-22] of ${JOBS} jobs, whose workers are killed again and again, every one ends once, with what it would have given otherwise`,
  PATIENCE,
  async () => {
    await using service = await startBoardService()
    await service.write(await readDemo('pic_programmer'))
    // What ends a job writes its results: more than one set of them would show here.
    await sql`create table ends (key text)`.execute(service.db)
    await sql`
      create function note_end() returns trigger language plpgsql as $$
      begin
        if new.state in ('done', 'failed', 'refused') and old.state is distinct from new.state then
          insert into ends values (new.key);
        end if;
        return new;
      end $$`.execute(service.db)
    await sql`create trigger note_end after update on board_jobs for each row execute function note_end()`.execute(
      service.db,
    )
    const open = new Map<string, number>()
    const all = new Set<string>()
    const pictures = new Map<number, readonly string[]>()
    const outcomes = new Map<string, number>()
    const over = new AbortController()
    let kills = 0
    // One stays: with every worker killed before it is done with anything, all jobs would be refused, rightly.
    await service.startWorker()
    await waitUntil('a worker is known', async () =>
      (await (await service.ask('GET', '/boards/engine')).text()).includes('"isRunning":true'),
    )
    const killing = (async () => {
      while (!over.signal.aborted && kills < KILLS) {
        const worker = await service.startWorker()
        // At another step each time, from before the first claim to after several jobs.
        await sleep(((kills * 397) % 4_000) + 200)
        if (over.signal.aborted) break
        await worker.kill('SIGKILL')
        kills += 1
      }
    })()
    const settle = async (most: number) => {
      while (open.size > most)
        for (const [id, at] of open) {
          const { state, results } = await jobOf(service, id)
          if (state === 'queued' || state === 'running') continue
          open.delete(id)
          outcomes.set(state, (outcomes.get(state) ?? 0) + 1)
          if (state === 'done')
            pictures.set(
              at,
              results.map(({ sha256 }) => sha256),
            )
        }
    }
    for (let at = 0; at < JOBS; at += 1) {
      const { id } = await service.start(questionOf(at))
      open.set(id, at)
      all.add(id)
      await settle(40)
    }
    await settle(0)
    over.abort()
    await killing
    // oxlint-disable-next-line no-console -- a run nobody can look into proves little
    console.info(`[H-22] ${all.size} jobs, ${kills} kills: ${JSON.stringify(Object.fromEntries(outcomes))}`)
    const { rows } = await sql<{ key: string; times: number }>`
      select key, count(*)::integer as times from ends group by key`.execute(service.db)
    expect(rows.map(({ key }) => key).toSorted()).toEqual([...all].toSorted())
    expect(rows.filter(({ times }) => times !== 1)).toEqual([])
    expect(kills).toBeGreaterThan(0)
    await sql`delete from board_jobs`.execute(service.db)
    const again = [...pictures].filter((_, index) => index % Math.ceil(pictures.size / DONE_AGAIN) === 0)
    for (const [at, hashes] of again) {
      const { id } = await service.start(questionOf(at))
      const { state, results } = await service.ended(id)
      expect({ at, state, hashes: results.map(({ sha256 }) => sha256) }).toEqual({
        at,
        state: 'done',
        hashes,
      })
    }
    expect(again.length).toBeGreaterThan(0)
  },
)
