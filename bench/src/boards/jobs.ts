import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { BoardJob } from '@patchbay/contracts/boards'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { insertPeople, insertSessions, openBrowsers } from '../identity/people.ts'
import { makeKey } from '../panels/places.ts'
import { temporaryFolder } from '../processes.ts'
import { inTurns, type Rounds } from '../report.ts'
import { startDatabase, startServer } from '../server.ts'

const run = promisify(execFile)
const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))
const PROJECT = '/usr/share/kicad/demos/pic_programmer'
const SHEET = 'pic_programmer.kicad_sch'
const BOARD = 'pic_programmer.kicad_pcb'
const REPORT = ['--format', 'json', '--units', 'mm', '--severity-all', '--output']

interface Job {
  readonly name: string
  readonly operation: 'erc' | 'drc' | 'sheets' | 'render'
  readonly path: string
  /** As somebody types it. */
  readonly words: readonly string[]
  readonly output: string
}

export const JOBS: readonly Job[] = [
  { name: 'ERC', operation: 'erc', path: SHEET, words: ['sch', 'erc', ...REPORT], output: 'erc.json' },
  {
    name: 'sheets as SVG',
    operation: 'sheets',
    path: SHEET,
    words: ['sch', 'export', 'svg', '--output'],
    output: 'sheets',
  },
  { name: 'DRC', operation: 'drc', path: BOARD, words: ['pcb', 'drc', ...REPORT], output: 'drc.json' },
]

export const SIDES = ['hand', 'service'] as const

export interface JobTimes {
  /** From the question to the bytes of its results. */
  readonly newMs: number
  /** The same question once more; by hand that is the same work. */
  readonly againMs: number
}

export interface JobFigures {
  readonly name: string
  readonly rounds: Rounds<(typeof SIDES)[number], JobTimes>
}

/** What a job of ours must be to count: done, by one attempt, when it was asked for new, and the same one when it was asked again. */
export function requireJob(job: BoardJob, { status, isNew }: { status: number; isNew: boolean }): BoardJob {
  if (job.state !== 'done' || job.attempts !== 1)
    throw new Error(`${job.operation} is ${job.state} after ${job.attempts} attempts`)
  if (status !== (isNew ? 201 : 200))
    throw new Error(`${job.operation} was ${isNew ? 'known already' : 'computed again'}`)
  if (job.results.length === 0) throw new Error(`${job.operation} has no results`)
  return job
}

/** `kicad-cli` by hand, and the same through server and worker, in turns. */
export async function measureJobs(rounds: number): Promise<readonly JobFigures[]> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(await temporaryFolder()).path
  const service = parts.use(await startService(folder))
  const byHand = join(folder, 'by-hand')
  await mkdir(byHand)
  await cp(PROJECT, byHand, { recursive: true })
  await service.write(PROJECT)
  const hand = async ({ words, output, path }: Job): Promise<number> => {
    const target = join(folder, output)
    const start = performance.now()
    await run('kicad-cli', [...words, target, path], {
      cwd: byHand,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8' },
    })
    const took = performance.now() - start
    // Nothing written would be nothing measured.
    await rm(target, { recursive: true })
    return took
  }
  let changes = 0
  const figures: JobFigures[] = []
  for (const job of JOBS) {
    // The first of each side reads programs and libraries from the disk.
    await hand(job)
    await service.ask(job, true)
    const measured = await inTurns(SIDES, rounds, async (side): Promise<JobTimes> => {
      if (side === 'hand') return { newMs: await hand(job), againMs: Number.NaN }
      // What KiCad does is the same; the question is another one.
      changes += 1
      const text = `${await readFile(join(PROJECT, job.path), 'utf8')}${'\n'.repeat(changes)}`
      await service.put(job.path, Buffer.from(text))
      return { newMs: await service.ask(job, true), againMs: await service.ask(job, false) }
    })
    figures.push({ name: job.name, rounds: measured })
  }
  return figures
}

/** Server and worker as an operator starts them, and a workspace in them. */
async function startService(folder: string) {
  await using starting = new AsyncDisposableStack()
  const database = starting.use(await startDatabase())
  const objects = pathToFileURL(join(folder, 'objects')).href
  const server = starting.use(
    await startServer({ databaseUrl: database.url, env: { PATCHBAY_OBJECTS_URL: objects } }),
  )
  await insertPeople(database.client)
  await insertSessions(database.client)
  const [browser] = await openBrowsers(server.port)
  if (browser === undefined) throw new Error('nobody is there')
  const key = await makeKey(server.port, browser, 'panels:bench-0/*')
  const filesKey = await makeKey(server.port, browser, 'files:write:bench-0/*')
  const base = `http://127.0.0.1:${server.port}/api/workspaces/editor/bench-0/board`
  await demand(await fetch(base, { method: 'PUT', headers: { 'x-api-key': key } }))
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const worker = starting.use(
    startProcess(process.execPath, [CLI, 'worker'], {
      // It says at its usual level that it works: with that of the server here nothing would be heard of it.
      env: {
        PATH,
        TMPDIR,
        DATABASE_URL: database.url,
        PATCHBAY_OBJECTS_URL: objects,
        PATCHBAY_WORKER_FOLDER: join(folder, 'work'),
      },
    }),
  )
  await waitUntil('the worker works', () => worker.output().includes('"working"'), {
    deadlineMs: 120_000,
  }).catch((error: unknown) => {
    throw new Error(worker.output(), { cause: error })
  })
  const headers = { 'x-api-key': filesKey }
  const put = async (path: string, bytes: Uint8Array<ArrayBuffer>) =>
    void (await demand(
      await fetch(`${base}/files/content?path=${encodeURIComponent(path)}`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/octet-stream', 'if-match': '*' },
        body: bytes,
      }),
    ))
  const running = starting.move()
  return {
    put,
    async write(root: string) {
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        if (entry.isFile()) await put(path.slice(root.length + 1), await readFile(path))
      }
    },
    /** Asks, waits, and reads all results; in milliseconds. */
    async ask({ operation, path }: Job, isNew: boolean): Promise<number> {
      const start = performance.now()
      const answer = await demand(
        await fetch(`${base}/boards/jobs?wait=30`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ operation, path }),
        }),
      )
      const job = requireJob((await answer.json()) as BoardJob, { status: answer.status, isNew })
      for (const { name } of job.results)
        await (
          await demand(await fetch(`${base}/boards/jobs/${job.id}/results/${name}`, { headers }))
        ).arrayBuffer()
      return performance.now() - start
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function demand(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.url} was answered ${answer.status}: ${await answer.text()}`)
  return answer
}
