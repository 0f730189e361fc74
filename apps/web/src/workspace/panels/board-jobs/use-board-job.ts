import type { BoardJob, BoardJobProgress, BoardQuestion } from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import { useEffect, useState } from 'react'
import { UserError } from '../../../errors/user-error.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { awaitJob, fetchEngine, startJob } from './board-jobs.api.ts'
import { words } from './words.ts'

export type JobState<Result> =
  | { readonly status: 'none' }
  /** Queued as long as there is no progress. */
  | { readonly status: 'waiting'; readonly progress: BoardJobProgress | undefined }
  /** No worker runs. With what its operator is to install, if the server says so. */
  | { readonly status: 'missing'; readonly hint: string | undefined }
  | { readonly status: 'done'; readonly job: BoardJob; readonly result: Result }
  | { readonly status: 'failed'; readonly error: unknown; readonly retry: () => void }

/** Each is held back by the server for two seconds; a job that takes longer is given up there. */
const MOST_ROUNDS = 1_000
const PAUSE_MS = 1_000

interface Wanted<Result> {
  readonly host: PanelHost
  /** Without one nothing is asked. */
  readonly path: string | undefined
  readonly operation: 'model' | 'drc' | 'erc'
  /** Of the files: with another one it is asked again. */
  readonly tag: string | undefined
  /** Nobody has asked for it: without a worker no job is left behind. */
  readonly needsWorker?: boolean
  /** Reads what came of it. */
  readonly read: (job: BoardJob, signal: AbortSignal) => Promise<Result>
}

/** Has KiCad do something with a board or a schematic, and follows it to its end. */
export function useBoardJob<Result>(wanted: Wanted<Result>): JobState<Result> {
  const { host, path, operation, tag, needsWorker = false, read } = wanted
  const [turn, setTurn] = useState({ number: 0, isRetry: false })
  const [state, setState] = useState<{ readonly of: unknown; readonly is: JobState<Result> }>()
  const key = path === undefined || tag === undefined ? undefined : `${path}\n${tag}\n${turn.number}`
  useEffect(() => {
    if (key === undefined || path === undefined) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    const tell = (is: JobState<Result>) => {
      if (!signal.aborted) setState({ of: key, is })
    }
    const question: BoardQuestion = { operation, path, ...(turn.isRetry && { isRetry: true }) }
    const retry = () => setTurn(({ number }) => ({ number: number + 1, isRetry: true }))
    const isAsked = needsWorker ? requireWorker(host, signal) : Promise.resolve()
    isAsked
      .then(() => follow(host, question, tell, signal))
      .then(async (job) => tell({ status: 'done', job, result: await read(job, signal) }))
      .catch((error: unknown) => {
        if (error instanceof Missing) tell({ status: 'missing', hint: error.hint })
        else tell({ status: 'failed', error, retry })
      })
    return () => leaving.abort()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies react-hooks/exhaustive-deps -- all that matters is in the key
  }, [host, key])
  if (key === undefined) return { status: 'none' }
  return state !== undefined && state.of === key ? state.is : { status: 'waiting', progress: undefined }
}

class Missing extends Error {
  readonly hint: string | undefined

  constructor(hint: string | null | undefined) {
    super('no KiCad')
    this.hint = hint ?? undefined
  }
}

async function requireWorker(host: PanelHost, signal: AbortSignal): Promise<void> {
  const { isRunning, hint } = await fetchEngine(host.workspace, signal)
  if (!isRunning) throw new Missing(hint)
}

async function follow(
  host: PanelHost,
  question: BoardQuestion,
  tell: (is: Extract<JobState<never>, { status: 'waiting' | 'missing' }>) => void,
  signal: AbortSignal,
): Promise<BoardJob> {
  const start = () =>
    startJob(host, question, signal).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'board_engine_missing'
        ? new Missing(error.detail)
        : error
    })
  let job = await start()
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (job.state === 'done') return job
    // The same person has withdrawn it somewhere else, who did not know of this page.
    if (job.fault?.code === 'withdrawn') job = await start()
    if (job.state === 'failed' || job.state === 'refused') throw await explained(host, job, signal)
    const engine = job.state === 'queued' ? await fetchEngine(host.workspace, signal) : undefined
    // It may be started any moment: the job waits for it.
    if (engine?.isRunning === false) tell({ status: 'missing', hint: engine.hint ?? undefined })
    else tell({ status: 'waiting', progress: job.progress })
    const { id } = job
    const next = await awaitJob(host.workspace, id, signal).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'too_many_waiting') return undefined
      throw error
    })
    if (next === undefined) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    else job = next
  }
  throw new UserError(words.failed.title, words.failed.tooLong)
}

async function explained(host: PanelHost, { fault }: BoardJob, signal: AbortSignal): Promise<Error> {
  if (fault?.code !== 'no_worker')
    return new UserError(words.failed.title, fault?.detail ?? words.failed.text)
  return new Missing((await fetchEngine(host.workspace, signal)).hint)
}
