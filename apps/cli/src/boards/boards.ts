import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type BoardCheckReport,
  type BoardJob,
  type BoardQuestion,
  type BoardResult,
  Problem,
} from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'
import type { ExportKind, Side } from './kinds.ts'
import { checkWords, progressWords, REFUSED } from './words.ts'

interface WaitWords extends ServerWord {
  readonly timeout?: number
}

interface FileWords extends WaitWords {
  readonly output?: string
  readonly force?: boolean
}

const USUAL_SECONDS = 300

const isProject = (path: string) => path.endsWith('.kicad_pro')
const isSchematic = (path: string) => path.endsWith('.kicad_sch')
const isBoard = (path: string) => path.endsWith('.kicad_pcb')

function requirePath(path: string): void {
  if (!isProject(path) && !isSchematic(path) && !isBoard(path))
    throw new Refusal(EXIT.usage, 'bad_path', REFUSED.path(path))
}

/** `patchbay board check`. */
export async function check(task: Task, text: string, path: string, words: WaitWords): Promise<Outcome> {
  requirePath(path)
  return await withBoards(task, text, path, words, async (asked) => {
    const operations: readonly ('erc' | 'drc')[] = isProject(path)
      ? await checksOf(asked, path)
      : [isSchematic(path) ? 'erc' : 'drc']
    const running = operations.map((operation) => runJob(task, asked, { operation, path }, words))
    // Of two that are stopped, the second is withdrawn too before the command ends.
    await Promise.allSettled(running)
    const jobs = await Promise.all(running)
    const reports = await Promise.all(
      jobs.map(async (job) => (await asked.workspace.boards.report(job)) as BoardCheckReport),
    )
    const errors = reports.reduce((all, report) => all + report.errors, 0)
    return {
      json: { path, errors, reports },
      text: reports.map((report) => checkWords(report, task.paint)).join('\n\n'),
      ...(errors === 0 ? {} : { exitCode: EXIT.failed }),
    }
  })
}

/** A project without a board is checked as far as it goes. */
async function checksOf({ workspace }: AskedWorkspace, path: string): Promise<('erc' | 'drc')[]> {
  const stem = path.slice(0, -'.kicad_pro'.length)
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined
  const { files } = await workspace.files.list(folder === undefined ? {} : { folder })
  const paths = new Set(files.map((file) => file.path))
  const operations = [
    ...(paths.has(`${stem}.kicad_sch`) ? (['erc'] as const) : []),
    ...(paths.has(`${stem}.kicad_pcb`) ? (['drc'] as const) : []),
  ]
  if (operations.length === 0) throw new Refusal(EXIT.failed, 'file_not_found', REFUSED.emptyProject(path))
  return operations
}

/** `patchbay board render`. */
export async function render(
  task: Task,
  text: string,
  path: string,
  words: FileWords & {
    readonly sheet?: string
    readonly side?: Side
    readonly width?: number
    readonly height?: number
  },
): Promise<Outcome> {
  requirePath(path)
  const { sheet, side, width, height } = words
  const isSheet = sheet !== undefined || isSchematic(path)
  if (isSheet && (side !== undefined || width !== undefined || height !== undefined || isBoard(path)))
    throw new Refusal(EXIT.usage, 'bad_words', REFUSED.sheetOrBoard)
  if (!isSheet) requireOutput(task, words)
  const options = {
    ...(side === undefined ? {} : { side }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  }
  const question: BoardQuestion = isSheet
    ? { operation: 'sheets', path }
    : { operation: 'render', path, options }
  return await withBoards(task, text, path, words, async (asked) => {
    const job = await runJob(task, asked, question, words)
    const pictures = job.results.filter(({ mediaType }) => mediaType.startsWith('image/'))
    const wanted = sheet === undefined ? pictures[0] : pictures.find(({ title }) => title === sheet)
    if (wanted === undefined)
      throw new Refusal(
        EXIT.failed,
        'no_sheet',
        REFUSED.sheet(
          sheet ?? '',
          pictures.map(({ title }) => title),
        ),
      )
    return await writeResult(task, asked, job, wanted, words)
  })
}

const OPERATIONS: Readonly<Record<ExportKind, BoardQuestion['operation']>> = {
  pdf: 'pdf',
  netlist: 'netlist',
  bom: 'bom',
  step: 'step',
  glb: 'model',
  gerbers: 'gerbers',
}
/** Written to a terminal they say something. */
const TEXTS: ReadonlySet<ExportKind> = new Set(['netlist', 'bom'])

/** `patchbay board export`. */
export async function exportBoard(
  task: Task,
  text: string,
  path: string,
  words: FileWords & { readonly as: ExportKind },
): Promise<Outcome> {
  requirePath(path)
  if (!TEXTS.has(words.as)) requireOutput(task, words)
  return await withBoards(task, text, path, words, async (asked) => {
    const job = await runJob(task, asked, { operation: OPERATIONS[words.as], path }, words)
    const made = job.results.find(({ name }) => name !== 'report.json')
    if (made === undefined) throw new Refusal(EXIT.failed, 'no_result', REFUSED.nothing(path))
    return await writeResult(task, asked, job, made, words)
  })
}

function requireOutput({ surroundings }: Task, { output }: FileWords): void {
  if (output === undefined && surroundings.isTerminal === true)
    throw new Refusal(EXIT.usage, 'needs_output', REFUSED.needsOutput)
}

async function writeResult(
  task: Task,
  { workspace }: AskedWorkspace,
  job: BoardJob,
  { name, bytes }: BoardResult,
  { output, force }: FileWords,
): Promise<Outcome> {
  for (const note of job.notes) task.notify(`KiCad: ${stripHidden(note)}`)
  const body = await workspace.boards.open(job.id, name)
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  if (output === undefined) {
    for await (const chunk of source) await task.surroundings.writeBytes(chunk as Buffer)
    return { json: undefined, text: '' }
  }
  try {
    await pipeline(source, createWriteStream(output, { flags: force === true ? 'w' : 'wx' }))
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? new Refusal(EXIT.failed, 'file_exists', REFUSED.exists(output))
      : error
  }
  return {
    json: { file: output, size: bytes, job: job.id, notes: job.notes },
    text: `Wrote ${output} (${bytesInWords(bytes)}).`,
  }
}

/** A job to its end. What KiCad cannot do is told in its words. */
async function runJob(
  task: Task,
  { workspace, advise }: AskedWorkspace,
  question: BoardQuestion,
  { timeout = USUAL_SECONDS }: WaitWords,
): Promise<BoardJob> {
  using shown = task.progress(progressWords(question.path, undefined).title, { unit: 'seconds' })
  const onProgress = ({ progress }: BoardJob) => {
    const { title, seconds, usual } = progressWords(question.path, progress)
    shown.update(seconds, usual, title)
  }
  const asked = { waitMs: timeout * 1_000, signal: task.signal, onProgress }
  const first = await workspace.boards.run(question, asked)
  // Somebody asks anew: what was in the way may be gone.
  const job =
    first.state === 'failed' || first.state === 'refused'
      ? await workspace.boards.run({ ...question, isRetry: true }, asked)
      : first
  if (job.state === 'done') return job
  const details = { job: job.id, state: job.state, fault: job.fault }
  if (job.fault === null)
    throw new Refusal(EXIT.notYet, 'not_yet', REFUSED.notYet(question.path, timeout, advise), details)
  throw new Refusal(
    EXIT.failed,
    job.fault.code,
    REFUSED.failed(question.path, job.fault.detail, job.notes),
    details,
  )
}

/** Refusals that are about boards, each as a sentence with what to do. */
async function withBoards(
  task: Task,
  text: string,
  path: string,
  words: ServerWord,
  work: (asked: AskedWorkspace) => Promise<Outcome>,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:read', async (asked) => {
    try {
      return await work(asked)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'board_engine_missing') {
        const { hint } = await asked.workspace.boards.engine().catch(() => ({ hint: null }))
        throw new Refusal(EXIT.unavailable, error.code, REFUSED.noEngine(asked, hint))
      }
      if (error.code === 'file_not_found')
        throw new Refusal(EXIT.failed, error.code, await missing(asked, path))
      if (error.code === 'board_file_refused')
        throw new Refusal(EXIT.failed, error.code, REFUSED.file(path, error.detail))
      if (error.code === 'too_many_jobs') throw new Refusal(EXIT.notYet, error.code, REFUSED.tooMany)
      throw error
    }
  })
}

async function missing({ workspace, name }: AskedWorkspace, path: string): Promise<string> {
  const listed = await workspace.files.list({ recursive: true }).catch(() => undefined)
  const paths = (listed?.files ?? [])
    .map((file) => file.path)
    .filter((each) => /\.kicad_(sch|pcb|pro)$/.test(each))
  return REFUSED.unknown(path, nearest(path, paths), name)
}
