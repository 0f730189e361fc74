import type { BoardCheckReport, BoardJob } from '@patchbay/contracts/boards'
import type { Site } from '../site.ts'
import { cubeGlb } from './models.ts'

const JOBS = '/api/workspaces/editor/ada/rover/boards/jobs'

/** As KiCad exports it: a body, and a red component that is called as in the board. */
const glbOf = (children: readonly number[]) =>
  cubeGlb({
    over: {
      nodes: [
        { children },
        { name: '=>[0:1:1:2]', mesh: 0, scale: [0.04, 0.0016, 0.03], translation: [0.12, 0.0008, 0.115] },
        { name: 'U1', mesh: 0, scale: [0.01, 0.003, 0.01], translation: [0.12, 0.0031, 0.115] },
      ],
      scenes: [{ nodes: [0] }],
    },
  })

const REPORT: BoardCheckReport = {
  kind: 'drc',
  errors: 1,
  warnings: 1,
  exclusions: 1,
  isComplete: true,
  violations: [
    violationOf('Silkscreen overlap', 'warning', 110, 120),
    violationOf('Clearance violation', 'error', 123, 120),
    { ...violationOf('Fine here', 'error', 130, 107), isExcluded: true },
  ],
}

function violationOf(description: string, severity: 'error' | 'warning', x: number, y: number) {
  const items = [{ description: `Item of ${description}`, uuid: 'u', x, y }]
  return { type: 'x', severity, isExcluded: false, group: 'rules' as const, description, sheet: null, items }
}

const ID = { model: 'a'.repeat(64), drc: 'b'.repeat(64), erc: 'c'.repeat(64) }
type Operation = keyof typeof ID

function jobOf(operation: Operation, over: Partial<BoardJob> = {}): BoardJob {
  const [name, mediaType] =
    operation === 'model' ? ['board.glb', 'model/gltf-binary'] : ['report.json', 'application/json']
  const at = '2026-01-01T00:00:00.000Z'
  return {
    id: ID[operation],
    operation,
    options: {},
    path: 'rover.kicad_pcb',
    revision: 1,
    inputs: 1,
    engine: '9.0.8',
    state: 'done',
    fault: null,
    attempts: 1,
    notes: [],
    counts: {},
    results: [
      {
        name,
        title: name,
        mediaType,
        bytes: 1,
        sha256: '0'.repeat(64),
        href: `${JOBS}/${ID[operation]}/results/${name}`,
      },
    ],
    createdAt: at,
    startedAt: at,
    finishedAt: at,
    ...over,
  }
}

export interface Engine {
  /** What is answered when a job is asked for, one after the other; the last one stays. */
  readonly model?: Partial<BoardJob>[]
  readonly isRunning?: boolean
  /** Whether KiCad has a model of U1. */
  readonly hasComponents?: boolean
  readonly asked?: unknown[]
  /** What came of it, instead of what stands here. */
  readonly glb?: Buffer
  readonly report?: BoardCheckReport
}

/** Our server, with a worker that has done everything already. */
export function answerEngine(site: Site, given: Engine): void {
  const { model = [{}], isRunning = true, hasComponents = true, asked = [], glb, report = REPORT } = given
  const next = () => jobOf('model', model.length > 1 ? model.shift() : model[0])
  const json = { 'content-type': 'application/json' }
  site.answer(/\/boards\/jobs$/, (request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as { operation: Operation }
      asked.push(body)
      const { operation } = body
      response.writeHead(200, json).end(JSON.stringify(operation === 'model' ? next() : jobOf(operation)))
    })
  })
  site.answer(/\/boards\/jobs\/a+$/, (_, response) =>
    response.writeHead(200, json).end(JSON.stringify(next())),
  )
  site.answer(/\/results\/board\.glb$/, (_, response) =>
    response
      .writeHead(200, { 'content-type': 'model/gltf-binary' })
      .end(glb ?? glbOf(hasComponents ? [1, 2] : [1])),
  )
  site.answer(/\/results\/report\.json$/, (_, response) =>
    response.writeHead(200, json).end(JSON.stringify(report)),
  )
  site.answer(/\/boards\/engine$/, (_, response) => {
    const hint = isRunning ? null : 'Install KiCad 9 and start patchbay eda-worker.'
    const engine = { isRunning, workers: isRunning ? 1 : 0, version: '9.0.8', seenAt: null, hint }
    response.writeHead(200, json).end(JSON.stringify(engine))
  })
}
