import {
  BOARD_REPORT,
  type BoardCheckReport,
  type BoardEngine,
  type BoardJob,
  type BoardQuestion,
  getBoardEngine,
  getBoardJob,
  getBoardResult,
  postBoardJob,
} from '@patchbay/contracts/boards'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { allBytes, askContent } from '../../../server/ask-content.api.ts'
import { ask } from '../../../server/server.api.ts'
import type { Asking } from '../parts/files.api.ts'

/** The server holds an answer back for so long, for the job to end; then it says what is being done. */
const WAIT_SECONDS = 2
const JOB_DEADLINE_MS = (WAIT_SECONDS + 15) * 1_000
/** Of a model with all its components, over a slow line. */
const RESULT_DEADLINE_MS = 120_000

export async function startJob(
  { workspace, csrfToken }: Asking,
  body: BoardQuestion,
  signal: AbortSignal,
): Promise<BoardJob> {
  const answer = await ask(
    postBoardJob,
    { params: workspace, query: {}, body },
    { signal, headers: { 'x-csrf-token': csrfToken() }, deadlineMs: JOB_DEADLINE_MS },
  )
  return answer.body
}

/** As it is once it has ended, or after a while. */
export async function awaitJob(params: WorkspaceRef, id: string, signal: AbortSignal): Promise<BoardJob> {
  const { body } = await ask(
    getBoardJob,
    { params: { ...params, id }, query: { wait: WAIT_SECONDS } },
    { signal, deadlineMs: JOB_DEADLINE_MS },
  )
  return body
}

export async function fetchEngine(params: WorkspaceRef, signal: AbortSignal): Promise<BoardEngine> {
  const { body } = await ask(getBoardEngine, { params }, { signal })
  return body
}

export async function fetchResult(
  { owner, repo }: WorkspaceRef,
  { id }: Pick<BoardJob, 'id'>,
  name: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = await askContent(
    getBoardResult,
    { params: { owner, repo, id, name } },
    { signal, deadlineMs: RESULT_DEADLINE_MS },
    allBytes,
  )
  return bytes ?? new Uint8Array()
}

export async function fetchReport(
  params: WorkspaceRef,
  job: Pick<BoardJob, 'id'>,
  signal: AbortSignal,
): Promise<BoardCheckReport> {
  const bytes = await fetchResult(params, job, BOARD_REPORT, signal)
  return JSON.parse(new TextDecoder().decode(bytes)) as BoardCheckReport
}
