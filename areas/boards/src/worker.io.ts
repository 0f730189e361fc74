import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log } from '@patchbay/kernel/log'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Db } from '@patchbay/kernel/postgres'
import type { Span, Tracing } from '@patchbay/kernel/tracing'
import { displayText } from '@patchbay/primitives/text'
import { offerInstalledSymbols } from './installed-symbols.io.ts'
import { type Kicad, type Outcome, runKicad } from './kicad.io.ts'
import { stepIn } from './kicad-commands.ts'
import { layOutLibraries } from './library.io.ts'
import {
  type ClaimedJob,
  claimJob,
  endJob,
  expireJobs,
  finishJob,
  forgetWorker,
  giveBackJob,
  isHeld,
  noteProgress,
  noteWorker,
  renewLease,
  retryJob,
} from './queue.store.ts'
import type { BoardsTables, Said } from './tables.ts'

export interface WorkerDeps {
  readonly db: Db<BoardsTables>
  readonly clock: Clock
  readonly log: Log
  /** Names this run of the worker. */
  readonly id: string
  readonly createNonce: () => string
  /** Of workspaces: read only. */
  readonly files: ObjectStore
  readonly results: ObjectStore
  /** Archives of library packages, and the symbols that are installed with KiCad, which it offers. */
  readonly libraries: ObjectStore
  readonly kicad: Kicad & {
    readonly engine: string
    readonly version: string
    /** The folder of the libraries of symbols that are installed with it. */
    readonly symbols: string
  }
  /** For the folders of jobs, while they last. */
  readonly folder: string
  readonly settings: {
    readonly jobsAtOnce: number
    readonly leaseMs: number
    /** How often is said what is being done. A job that is over sooner says nothing. */
    readonly tellMs?: number
  }
  readonly tracing?: Tracing | undefined
}

export interface Worker {
  /** Resolves when the server knows of it, or could not be told yet. */
  start(): Promise<void>
  /** Takes nothing more, and waits so long for what it does; what is not done then is given back. */
  stop(withinMs: number): Promise<void>
}

const FIRST_PAUSE_MS = 25
/** A person waits for it: of a check that takes 0.7 s, half a second more would be felt. */
const LONGEST_PAUSE_MS = 100
const AFTER_FAILURE_MS = 1_000
const SEEN_MS = 3_000

export function createWorker(deps: WorkerDeps): Worker {
  const { db, clock, log, id, createNonce, kicad, settings } = deps
  const stopping = new AbortController()
  const giving = new AbortController()
  const working = new Set<Promise<void>>()
  let loop: Promise<void> | undefined
  let offering: Promise<void> | undefined
  let seeing: NodeJS.Timeout | undefined
  let free = () => {}

  const see = async (): Promise<void> => {
    try {
      await noteWorker(db, { id, engine: kicad.engine, version: kicad.version }, clock.now())
      await expireJobs(db, clock.now())
    } catch (error) {
      log.debug({ err: error }, 'failed to note the worker')
    }
  }

  const offer = async (): Promise<void> => {
    const { engine, symbols: folder } = kicad
    const signal = stopping.signal
    await offerInstalledSymbols({ db, log, objects: deps.libraries, engine, folder, signal }).catch(
      (error: unknown) => log.warn({ err: error }, 'failed to offer the installed symbols'),
    )
  }

  const claim = () =>
    claimJob(db, { engine: kicad.engine, claim: createNonce(), leaseMs: settings.leaseMs, now: clock.now() })

  const run = async (): Promise<void> => {
    let pause = FIRST_PAUSE_MS
    let wasTroubled = false
    while (!stopping.signal.aborted) {
      if (working.size >= settings.jobsAtOnce) {
        await Promise.race([new Promise<void>((resolve_) => (free = resolve_)), aborted(stopping.signal)])
        continue
      }
      if (wasTroubled) {
        wasTroubled = false
        await sleep(AFTER_FAILURE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
        continue
      }
      try {
        const job = await claim()
        if (job !== undefined) {
          pause = FIRST_PAUSE_MS
          const work = traced(deps, job, giving.signal)
            .then((isTroubled) => {
              wasTroubled ||= isTroubled
            })
            .finally(() => {
              working.delete(work)
              free()
            })
          working.add(work)
          continue
        }
      } catch (error) {
        log.warn({ err: error }, 'failed to ask for a job, retrying')
        pause = AFTER_FAILURE_MS
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }

  return {
    async start() {
      await see()
      seeing ??= setInterval(() => void see(), SEEN_MS)
      loop ??= run()
      offering ??= offer()
    },
    async stop(withinMs) {
      stopping.abort()
      clearInterval(seeing)
      await Promise.all([loop, offering])
      const timer = setTimeout(() => giving.abort(), withinMs)
      await Promise.all(working)
      clearTimeout(timer)
      await forgetWorker(db, id).catch(() => undefined)
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve_) => {
    if (signal.aborted) resolve_()
    else signal.addEventListener('abort', () => resolve_(), { once: true })
  })

/** A disk that is full, an engine that is away: the job is not to blame. */
const isOfTheWorker = (error: unknown): boolean =>
  error instanceof Problem || typeof (error as NodeJS.ErrnoException).code === 'string'

/** As a part of the trace of the request that asked for it. */
function traced(deps: WorkerDeps, job: ClaimedJob, giving: AbortSignal): Promise<boolean> {
  if (deps.tracing === undefined) return workOn(deps, job, giving)
  const { traceparent, operation, attempts } = job
  return deps.tracing.resume(
    traceparent ?? undefined,
    () => ({
      name: `board job ${operation}`,
      kind: 'consumer',
      attributes: { 'patchbay.operation': operation, 'patchbay.attempt': attempts },
    }),
    async (span) => {
      const isTroubled = await workOn(deps, job, giving, span)
      if (isTroubled) span?.end('attempt_failed')
      return isTroubled
    },
  )
}

/** From its claim to its end; `true`: something is wrong here. Whatever happens is told to the queue, or the lease ends. */
async function workOn(deps: WorkerDeps, job: ClaimedJob, giving: AbortSignal, span?: Span): Promise<boolean> {
  const { db, clock, log } = deps
  const { key, operation, attempts } = job
  const begunAt = performance.now()
  const lost = new AbortController()
  const renewing = renewUntil(deps, job, lost)
  using telling = tellProgress(deps, job)
  try {
    const outcome = await withFolder(deps, (folder) =>
      perform(deps, { job, folder, telling, signal: AbortSignal.any([giving, lost.signal]) }),
    )
    if (lost.signal.aborted) return false
    const ms = Math.round(performance.now() - begunAt)
    log.info({ job: key, operation, attempts, outcome: outcome.kind, ms }, 'board job ended')
    span?.set('patchbay.outcome', outcome.kind)
    await settle(deps, job, outcome)
    return false
  } catch (error) {
    log.warn({ err: error, job: key, operation }, 'board job failed, it is queued again')
    const end = isOfTheWorker(error) ? giveBackJob(db, job) : retryJob(db, job, clock.now())
    await end.catch(() => undefined)
    return true
  } finally {
    clearInterval(renewing)
  }
}

async function settle({ db, clock, results }: WorkerDeps, job: ClaimedJob, outcome: Outcome): Promise<void> {
  switch (outcome.kind) {
    case 'done':
      await finishJob(db, results, job, outcome.answer, clock.now())
      break
    case 'aborted':
      await giveBackJob(db, job)
      break
    case 'again':
      await retryJob(db, job, clock.now())
      break
    case 'failed':
    case 'refused':
      await endJob(db, job, outcome.kind, outcome.fault, outcome.notes, clock.now())
      break
  }
}

/** KiCad does not go on for longer with what nobody waits for. */
const LOOK_MS = 1_000

/** Ends the work when it was withdrawn, or somebody else has the job, or may have: the database has not heard of us for as long as a lease lasts. */
function renewUntil(
  { db, clock, log, settings }: WorkerDeps,
  job: ClaimedJob,
  lost: AbortController,
): NodeJS.Timeout {
  const { leaseMs } = settings
  let renewedAt = performance.now()
  return setInterval(
    () => {
      const isDue = performance.now() - renewedAt >= leaseMs / 4
      const until = new Date(clock.now().getTime() + leaseMs)
      const looking = isDue ? renewLease(db, job, until) : isHeld(db, job)
      looking.then(
        (isOurs) => {
          if (isDue) renewedAt = performance.now()
          if (!isOurs) lost.abort()
        },
        (error: unknown) => {
          log.debug({ err: error, job: job.key }, 'failed to renew a lease, retrying')
          if (performance.now() - renewedAt > leaseMs) lost.abort()
        },
      )
    },
    Math.min(LOOK_MS, leaseMs / 4),
  )
}

interface Telling extends Disposable {
  begin(step: Said['step']): void
  hear(text: string): void
}

const TELL_MS = 500
/** Of what KiCad says, the end holds its last line. */
const HEARD_TEXT = 2_000

/** Says now and then what is being done, for whoever waits. That it cannot be said changes nothing. */
function tellProgress({ db, log, settings }: WorkerDeps, job: ClaimedJob): Telling {
  let step: Said['step'] = 'reading'
  let heard = ''
  let told = ''
  let isTelling = false
  const tell = async (): Promise<void> => {
    const line = step === 'working' ? stepIn(heard) : undefined
    const said: Said = {
      step,
      said: line === undefined ? null : displayText(line, BOARD_LIMITS.saidText),
    }
    const text = JSON.stringify(said)
    if (isTelling || text === told) return
    isTelling = true
    told = text
    await noteProgress(db, job, said)
      .catch((error: unknown) => log.debug({ err: error, job: job.key }, 'failed to note progress'))
      .finally(() => {
        isTelling = false
      })
  }
  const timer = setInterval(() => void tell(), settings.tellMs ?? TELL_MS)
  return {
    begin(next) {
      step = next
    },
    hear(text) {
      heard = (heard + text).slice(-HEARD_TEXT)
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

async function withFolder<Result>(
  { folder }: WorkerDeps,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own = await mkdtemp(join(folder, 'job-'))
  try {
    return await work(own)
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface Performing {
  readonly job: ClaimedJob
  readonly folder: string
  readonly telling: Telling
  readonly signal: AbortSignal
}

async function perform(deps: WorkerDeps, { job, folder, telling, signal }: Performing): Promise<Outcome> {
  const project = join(folder, 'project')
  const output = join(folder, 'out')
  for (const each of [project, output, join(output, 'gerbers')]) await mkdir(each, { recursive: true })
  const { laidOut, missing } = await inStep(deps, 'read files', async () => {
    const libraries = await layOutLibraries(job.libraries, {
      objects: deps.libraries,
      folder: join(folder, 'libraries'),
      version: deps.kicad.version,
      signal,
    })
    return {
      laidOut: libraries,
      missing: libraries.missing ?? (await writeInputs(deps, job, project, signal)),
    }
  })
  if (signal.aborted) return { kind: 'aborted' }
  if (missing !== undefined)
    return {
      kind: 'failed',
      fault: { code: 'inputs_gone', detail: `The bytes of ${missing} are no longer kept. Ask again.` },
      notes: [],
    }
  telling.begin('working')
  const hear = (text: string) => telling.hear(text)
  const beginStoring = () => telling.begin('storing')
  return await inStep(deps, 'run KiCad and store', () =>
    runKicad(deps.kicad, {
      job,
      project,
      output,
      readOnly: laidOut.readOnly,
      objects: deps.results,
      signal,
      hear,
      beginStoring,
    }),
  )
}

function inStep<Result>({ tracing }: WorkerDeps, name: string, work: () => Promise<Result>): Promise<Result> {
  return tracing === undefined ? work() : tracing.step(() => ({ name }), work)
}

/** The path of a file whose bytes are gone; `undefined`: all are there. */
async function writeInputs(
  { files }: WorkerDeps,
  { inputs }: ClaimedJob,
  project: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { path, sha256 } of inputs) {
    if (signal.aborted) return undefined
    const target = resolve(project, path)
    // Paths of a workspace have no dots; what the database says is not believed in more than that.
    if (!target.startsWith(project + sep)) throw new Error('a path of a job leads out of its folder')
    await mkdir(dirname(target), { recursive: true })
    const content = await files.get(sha256)
    if (content === undefined) return path
    await pipeline(content.stream, createWriteStream(target, { flags: 'wx' }))
  }
  return undefined
}

/** Longer than any job: what is older was left by a worker that was killed. */
const LEFT_MS = 3 * 60 * 60_000

/** Takes away what workers that were killed have left. */
export async function clearWorkFolder(folder: string, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!/^(?:job|look)-/.test(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && found.mtimeMs < now.getTime() - LEFT_MS)
      await rm(path, { recursive: true, force: true })
  }
}
