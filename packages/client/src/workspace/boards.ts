import type {
  AnnotatedSchematic,
  BoardEngine,
  BoardJob,
  BoardQuestion,
  BoardReport,
  BoardSymbol,
  SchematicChanged,
  SchematicChangeRequest,
} from '@patchbay/contracts/boards'
import { UnexpectedResponse } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { sleep } from '../http/pause.ts'
import { type Connection, eitherOf, mayPass } from './connection.ts'
import { openLibraries, type WorkspaceLibraries } from './libraries.ts'
import { everyPage } from './paging.ts'
import { type Reason, reasonOf } from './panel-target.ts'
import {
  ANNOTATE_SCHEMATIC,
  BOARD_ENGINE,
  BOARD_JOB,
  BOARD_RESULT,
  CHANGE_SCHEMATIC,
  LIST_BOARD_JOBS,
  SEARCH_SYMBOLS,
  START_BOARD_JOB,
  WITHDRAW_BOARD_JOB,
} from './routes.ts'

export interface RunOptions {
  /** How long to wait for the job to end; two minutes unless given. */
  readonly waitMs?: number | undefined
  /** Ends the waiting; `run` withdraws the job then. */
  readonly signal?: AbortSignal | undefined
  /** Called every two seconds or so with the job as it is, whose `progress` says what is being done. */
  readonly onProgress?: ((job: BoardJob) => void) | undefined
}

/** KiCad on the schematics and boards of one workspace. Every failure is a `Problem`, an `UnexpectedResponse` or `Unanswered`. */
export interface WorkspaceBoards {
  /** Whether KiCad is there, and what to install otherwise. */
  engine(): Promise<BoardEngine>
  /** Asks for a job and does not wait for it. The same question about the same files is the same job. */
  start(question: BoardQuestion): Promise<BoardJob>
  /** Asks and waits for the end. When the time is over, the job is still `queued` or `running`: `wait` goes on. */
  run(question: BoardQuestion, options?: RunOptions): Promise<BoardJob>
  wait(id: string, options?: RunOptions): Promise<BoardJob>
  /** Says that you no longer wait for a job. It ends when nobody else does, and is answered as it is then. */
  withdraw(id: string): Promise<BoardJob>
  /** The last asked for first. */
  list(options?: { readonly path?: string | undefined }): Promise<BoardJob[]>
  /** One file that a job has made, by its name. */
  open(id: string, name: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
  /** The same, read to its end. */
  read(id: string, name: string): Promise<Uint8Array<ArrayBuffer>>
  /** What a check, a netlist or a bill of materials says. */
  report(job: Pick<BoardJob, 'id'>): Promise<BoardReport>
  readonly libraries: WorkspaceLibraries
  /** Symbols of the libraries that are installed with KiCad, by words that are all in name, description or keywords. */
  searchSymbols(
    text: string,
    options?: { readonly limit?: number | undefined },
  ): Promise<{ readonly items: readonly BoardSymbol[]; readonly isComplete: boolean }>
  /** Changes a schematic, one change after the other, all or none; also while people edit it. */
  change(path: string, changes: readonly SchematicChangeRequest[], why?: Reason): Promise<SchematicChanged>
  /** Numbers all symbols of a schematic that have no number, on all its sheets, in one step. */
  annotate(path: string, why?: Reason): Promise<AnnotatedSchematic>
}

const REPORT = 'report.json'
const USUAL_WAIT_MS = 120_000
/** The server waits half a minute at the most; a little less leaves it time to say so. */
const LONGEST_POLL_S = 25
const PROGRESS_POLL_S = 2
const PAUSE_MS = 250
/** Whoever stops does not want to wait for that. */
const PARTING_MS = 3_000

export function openBoards(connection: Connection, params: WorkspaceRef): WorkspaceBoards {
  const repeatable = { isRepeatable: true }
  const { now } = connection.surroundings

  const ask = async (body: BoardQuestion, wait: number, signal?: AbortSignal) =>
    (
      await connection.ask(
        START_BOARD_JOB,
        { params, query: { wait }, body },
        { ...repeatable, waitMs: wait * 1_000, signal },
      )
    ).body

  async function waitUntil(
    id: string,
    endsAt: number,
    { signal, onProgress }: RunOptions,
  ): Promise<BoardJob> {
    const ending = eitherOf(connection.signal, signal)
    const longest = longestPoll(onProgress)
    for (;;) {
      const left = Math.max(0, endsAt - now())
      const wait = Math.min(longest, Math.ceil(left / 1_000))
      const asked = { params: { ...params, id }, query: { wait } }
      const job = await connection
        .ask(BOARD_JOB, asked, { ...repeatable, waitMs: wait * 1_000, signal })
        .then(
          ({ body }) => body,
          (error: unknown) => {
            // A server that restarts has not forgotten the job.
            if (!mayPass(error) || now() >= endsAt) throw error
          },
        )
      if (job !== undefined && (hasEnded(job) || now() >= endsAt)) return job
      if (job !== undefined) onProgress?.(job)
      // Something in between may answer at once for a server that waits: it must not be asked without a pause.
      await sleep(Math.max(0, Math.min(PAUSE_MS, endsAt - now())), ending)
      ending?.throwIfAborted()
    }
  }

  const withdraw = async (id: string, signal?: AbortSignal) =>
    (
      await connection.ask(
        WITHDRAW_BOARD_JOB,
        { params: { ...params, id } },
        { ...repeatable, isParting: signal !== undefined, signal },
      )
    ).body

  async function runUntil(question: BoardQuestion, endsAt: number, options: RunOptions): Promise<BoardJob> {
    const { signal, onProgress } = options
    const ending = eitherOf(connection.signal, signal)
    // Whoever may stop waiting has to know at once what for.
    const longest = ending === undefined ? longestPoll(onProgress) : 0
    const job = await ask(question, Math.min(longest, Math.ceil((endsAt - now()) / 1_000)), signal)
    if (hasEnded(job) || now() >= endsAt) return job
    try {
      onProgress?.(job)
      return await waitUntil(job.id, endsAt, options)
    } catch (error) {
      if (ending?.aborted === true)
        await withdraw(job.id, AbortSignal.timeout(PARTING_MS)).catch(() => undefined)
      throw error
    }
  }

  const open: WorkspaceBoards['open'] = async (id, name) =>
    (await connection.open(BOARD_RESULT, { params: { ...params, id, name } }, repeatable)).body

  const read: WorkspaceBoards['read'] = async (id, name) =>
    new Uint8Array(await new Response(await open(id, name)).arrayBuffer())

  return {
    libraries: openLibraries(connection, params),
    open,
    read,
    async engine() {
      return (await connection.ask(BOARD_ENGINE, { params }, repeatable)).body
    },
    start: (question) => ask(question, 0),
    async run(question, options = {}) {
      const endsAt = now() + (options.waitMs ?? USUAL_WAIT_MS)
      for (;;) {
        const job = await runUntil(question, endsAt, options)
        // The same person has withdrawn it somewhere else, who did not know of this.
        if (job.fault?.code !== 'withdrawn' || now() >= endsAt) return job
      }
    },
    wait: (id, options = {}) => waitUntil(id, now() + (options.waitMs ?? USUAL_WAIT_MS), options),
    withdraw: (id) => withdraw(id),
    list: ({ path } = {}) =>
      everyPage(async (page) => {
        const query = { ...page, ...(path === undefined ? {} : { path }) }
        return (await connection.ask(LIST_BOARD_JOBS, { params, query }, repeatable)).body
      }),
    async report({ id }) {
      const text = new TextDecoder().decode(await read(id, REPORT))
      return parseReport(text)
    },
    async searchSymbols(text, { limit } = {}) {
      const query = { text, ...(limit === undefined ? {} : { limit }) }
      return (await connection.ask(SEARCH_SYMBOLS, { params, query }, repeatable)).body
    },
    async annotate(path, why) {
      const body = { path, ...reasonOf(why) }
      return (await connection.ask(ANNOTATE_SCHEMATIC, { params, body }, { ...repeatable, waitMs: 60_000 }))
        .body
    },
    async change(path, changes, why) {
      const body = { path, changes: changes.map((each) => ({ ...each })), ...reasonOf(why) }
      return (await connection.ask(CHANGE_SCHEMATIC, { params, body }, { waitMs: 60_000 })).body
    },
  }
}

const longestPoll = (onProgress: RunOptions['onProgress']) =>
  onProgress === undefined ? LONGEST_POLL_S : PROGRESS_POLL_S

const hasEnded = ({ state }: BoardJob) => state !== 'queued' && state !== 'running'

function parseReport(text: string): BoardReport {
  try {
    const report: unknown = JSON.parse(text)
    if (typeof Object(report).kind === 'string') return report as BoardReport
  } catch {}
  throw new UnexpectedResponse(200, 'the result is no report')
}
