import { type Static, Type } from 'typebox'
import { filePath, sha256 } from '../content/files.ts'
import { endpoint } from '../core/endpoint.ts'
import { BOARD_LIMITS } from '../core/limits.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from '../panels/workspaces.ts'
import { BOARD_OPERATION_NAMES, type BoardOperation, boardOptions } from './operations.ts'

export const BOARDS_PATH = '/api/workspaces/editor/{owner}/{repo}/boards'
const JOBS_PATH = `${BOARDS_PATH}/jobs` as const
const tag = 'Boards'
const STRICT = { additionalProperties: false } as const

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const revision = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const boardJobId = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description:
    'The hash of everything that the results depend on: the same question about the same files has one id, in every workspace.',
})

export const BOARD_JOB_STATES = ['queued', 'running', 'done', 'failed', 'refused'] as const
export type BoardJobState = (typeof BOARD_JOB_STATES)[number]

export const BOARD_JOB_FAULTS = [
  'kicad_failed',
  'kicad_killed',
  'too_slow',
  'too_large',
  'inputs_gone',
  'no_worker',
  'withdrawn',
] as const
export type BoardJobFault = (typeof BOARD_JOB_FAULTS)[number]

/** Made by the server: no name in a stranger's file becomes part of an address. */
export const BOARD_RESULT_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'
const resultName = Type.String({ pattern: BOARD_RESULT_NAME })

export const boardResult = Type.Object({
  name: resultName,
  title: Type.String({
    description: 'For people: the path of the sheet, or the name of the layer. Untrusted text of the file.',
  }),
  mediaType: Type.String(),
  bytes: Type.Integer(),
  sha256,
  href: Type.String({ description: 'Where it can be read. It never changes.' }),
})
export type BoardResult = Static<typeof boardResult>

export const BOARD_JOB_STEPS = ['reading', 'working', 'storing'] as const
export type BoardJobStep = (typeof BOARD_JOB_STEPS)[number]

export const boardJobProgress = Type.Object({
  step: Type.Enum([...BOARD_JOB_STEPS], {
    description: 'The worker reads the files, KiCad works, or the worker stores what came of it.',
  }),
  said: Type.Union([Type.String({ maxLength: BOARD_LIMITS.saidText }), Type.Null()], {
    description: 'The last thing that KiCad has said it does, such as `Rendering: 43 %`. Untrusted text.',
  }),
  elapsedMs: Type.Integer({ minimum: 0 }),
  typicalMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'How long the last jobs of the operation took, on the same file if there were any.',
  }),
  percent: Type.Union([Type.Integer({ minimum: 0, maximum: 99 }), Type.Null()], {
    description: 'An estimate by both times; `null` when nothing is known.',
  }),
})
export type BoardJobProgress = Static<typeof boardJobProgress>

export const boardJob = Type.Object({
  id: boardJobId,
  operation: Type.Enum(BOARD_OPERATION_NAMES),
  options: Type.Record(Type.String(), Type.Unknown()),
  path: Type.String({ description: 'What was asked about.' }),
  revision: Type.Integer({ description: 'Of the files of the workspace when it was asked.' }),
  inputs: Type.Integer({ description: 'How many files it reads.' }),
  engine: Type.String({ description: 'The version of KiCad, and what stands for its libraries.' }),
  state: Type.Enum([...BOARD_JOB_STATES], {
    description:
      '`failed`: KiCad cannot do it. `refused`: it was given up, for the file ends KiCad or takes too much. Both can be asked for again.',
  }),
  fault: Type.Union(
    [Type.Object({ code: Type.Enum([...BOARD_JOB_FAULTS]), detail: Type.String() }), Type.Null()],
    { description: 'Why it is failed or refused.' },
  ),
  attempts: Type.Integer(),
  notes: Type.Array(Type.String(), {
    maxItems: BOARD_LIMITS.notes,
    description: 'What KiCad says besides, such as which 3D model it has not found. Untrusted text.',
  }),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Of what was found: `errors`, `warnings`, `exclusions`; `components`, `nets`; `lines`; `sheets`; `layers`.',
  }),
  results: Type.Array(boardResult, { maxItems: BOARD_LIMITS.results }),
  createdAt: time,
  startedAt: timeOrNull,
  finishedAt: timeOrNull,
  progress: Type.Optional(
    Type.Unsafe<BoardJobProgress>({ ...boardJobProgress, description: 'Of a job that is running.' }),
  ),
})
export type BoardJob = Static<typeof boardJob>

const ask = <Operation extends BoardOperation>(operation: Operation) =>
  Type.Object(
    {
      operation: Type.Literal(operation),
      path: filePath,
      revision: Type.Optional({
        ...revision,
        description:
          'Of the files of the workspace, as they were after that change. The newest unless given.',
      }),
      options: Type.Optional(boardOptions[operation]),
      isRetry: Type.Optional(
        Type.Boolean({ default: false, description: 'A failed or refused job is tried again.' }),
      ),
    },
    STRICT,
  )

export const boardQuestion = Type.Union([
  ask('sheets'),
  ask('erc'),
  ask('netlist'),
  ask('bom'),
  ask('layers'),
  ask('render'),
  ask('model'),
  ask('drc'),
  ask('step'),
  ask('gerbers'),
  ask('pdf'),
])
export type BoardQuestion = Static<typeof boardQuestion>

export const postBoardJob = endpoint({
  method: 'POST',
  path: JOBS_PATH,
  name: 'startBoardJob',
  summary: 'Has KiCad work on a schematic or a board',
  description:
    'Checks, draws or exports a `.kicad_sch` or `.kicad_pcb` of the workspace, or what lies beside a `.kicad_pro`. 200: it is known already, and may be done. With `wait` the answer is held back until the job ends, or so many seconds are over. Reading the files is permission enough.',
  tag,
  params: workspaceParams,
  query: Type.Object(
    { wait: Type.Optional(Type.Integer({ minimum: 0, maximum: BOARD_LIMITS.waitSeconds, default: 0 })) },
    STRICT,
  ),
  body: boardQuestion,
  responses: { 200: boardJob, 201: boardJob },
  problems: [
    ...workspaceChangeRefusals,
    'path_refused',
    'file_not_found',
    'history_gone',
    'board_file_refused',
    'board_engine_missing',
    'too_many_jobs',
    'too_many_waiting',
  ],
})

const jobParams = Type.Object({ ...workspaceParams.properties, id: boardJobId })
const jobRefusals = [...workspaceRefusals, 'board_job_not_found'] as const

export const getBoardJob = endpoint({
  method: 'GET',
  path: `${JOBS_PATH}/{id}`,
  name: 'readBoardJob',
  summary: 'A job of the workspace with its results',
  description: 'With `wait` the answer is held back until the job ends, or so many seconds are over.',
  tag,
  params: jobParams,
  query: Type.Object(
    { wait: Type.Optional(Type.Integer({ minimum: 0, maximum: BOARD_LIMITS.waitSeconds, default: 0 })) },
    STRICT,
  ),
  responses: { 200: boardJob },
  problems: [...jobRefusals, 'too_many_waiting'],
})

export const deleteBoardJob = endpoint({
  method: 'DELETE',
  path: `${JOBS_PATH}/{id}`,
  name: 'withdrawBoardJob',
  summary: 'Says that you no longer wait for a job',
  description:
    'A job that waits or runs ends as `refused` with the fault `withdrawn` when nobody else has asked for it, in any workspace; otherwise it goes on for them. What has ended stays as it is. Whoever asks again has it computed.',
  tag,
  params: jobParams,
  responses: { 200: boardJob },
  problems: [...workspaceChangeRefusals, 'board_job_not_found'],
})

export const getBoardResult = endpoint({
  method: 'GET',
  path: `${JOBS_PATH}/{id}/results/{name}`,
  name: 'readBoardResult',
  summary: 'The bytes of a result, whole or a range',
  tag,
  params: Type.Object({ ...jobParams.properties, name: resultName }),
  responses: {
    200: {
      mediaType: 'application/octet-stream',
      description: 'With the type of the result, and its SHA-256 as ETag.',
    },
    206: { mediaType: 'application/octet-stream', description: 'The range that was asked for.' },
    304: null,
  },
  problems: [...jobRefusals, 'board_result_not_found', 'range_not_satisfiable', 'objects_unavailable'],
})

export const getBoardJobs = endpoint({
  method: 'GET',
  path: JOBS_PATH,
  name: 'listBoardJobs',
  summary: 'The jobs of a workspace, the last asked for first',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      path: Type.Optional(filePath),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    STRICT,
  ),
  responses: {
    200: Type.Object({
      items: Type.Array(boardJob),
      nextCursor: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  problems: [...workspaceRefusals, 'path_refused'],
})

export const boardEngine = Type.Object({
  isRunning: Type.Boolean({ description: 'Whether a worker was heard of within the last seconds.' }),
  workers: Type.Integer(),
  version: Type.Union([Type.String(), Type.Null()], {
    description: 'Of KiCad; `null` when no worker ever ran.',
  }),
  seenAt: timeOrNull,
  hint: Type.Union([Type.String(), Type.Null()], {
    description: 'What to install and start, for whoever runs the server; `null` while a worker runs.',
  }),
})
export type BoardEngine = Static<typeof boardEngine>

export const getBoardEngine = endpoint({
  method: 'GET',
  path: `${BOARDS_PATH}/engine`,
  name: 'getBoardEngine',
  summary: 'Whether KiCad is there to work on boards, and what to install otherwise',
  tag,
  params: workspaceParams,
  responses: { 200: boardEngine },
  problems: [...workspaceRefusals],
})
