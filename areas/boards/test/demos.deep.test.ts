import { readdir } from 'node:fs/promises'
import type {
  BoardBomReport,
  BoardCheckReport,
  BoardJob,
  BoardNetlistReport,
  BoardOperation,
} from '@patchbay/contracts/boards'
import { expect, test } from 'vitest'
import { type ByHand, isSameModel, looksTheSame, seal, startByHand } from './by-hand.ts'
import { type BoardsCaller, DEMOS, demo, hasKicad, startBoards } from './start.ts'

interface Compared {
  readonly boards: BoardsCaller
  readonly byHand: ByHand
  /** What KiCad opens, below the folder of the demonstration project. */
  readonly file: string
}

type Difference = string | undefined

const bytesOf = async (boards: BoardsCaller, job: BoardJob, name: string) =>
  Buffer.from(await (await boards.result(job, name)).arrayBuffer())

/** The same files, one for one, by hand and through the service. */
const sameFiles =
  (operation: BoardOperation) =>
  async ({ boards, byHand, file }: Compared): Promise<Difference> => {
    const [job, made] = await Promise.all([
      boards.run({ operation, path: file }),
      byHand.make(operation, file),
    ])
    if (made === undefined) return job.state === 'failed' ? undefined : `${job.state}, by hand it fails`
    if (job.state !== 'done') return `${job.state} ${job.fault?.detail}`
    const ours = job.results.filter(({ name }) => name !== 'report.json')
    if (ours.length !== made.size) return `${ours.length} files, ${made.size} by hand`
    const seals = new Set([...made.values()].map(seal))
    for (const { name } of ours)
      if (!seals.has(seal(await bytesOf(boards, job, name)))) return `${name} differs`
    return undefined
  }

interface Violations {
  readonly sheets?: readonly { readonly violations: readonly unknown[] }[]
  readonly violations?: readonly unknown[]
  readonly unconnected_items?: readonly unknown[]
}

/** Of these KiCad names any one pin of the net, another one from run to run with the same files: they are counted. */
const VARYING = new Set(['power_pin_not_driven'])

const sameFindings =
  (operation: 'erc' | 'drc') =>
  async ({ boards, byHand, file }: Compared): Promise<Difference> => {
    const [job, files] = await Promise.all([
      boards.run({ operation, path: file }),
      byHand.make(operation, file),
    ])
    const made = files?.get(`${operation}.json`)
    if (made === undefined) return job.state === 'failed' ? undefined : `${job.state}, by hand it fails`
    if (job.state !== 'done') return `${job.state} ${job.fault?.detail}`
    const said = JSON.parse(made.toString()) as Violations
    const there = [
      ...(said.sheets?.flatMap(({ violations }) => violations) ?? []),
      ...(said.violations ?? []),
      ...(said.unconnected_items ?? []),
    ] as readonly { readonly type: string; readonly items: readonly { readonly uuid: string }[] }[]
    const keyOf = ({ type, items }: { type: string; items: readonly { readonly uuid: string }[] }) =>
      [type, ...(VARYING.has(type) ? [] : items.map(({ uuid }) => uuid).toSorted())].join(' ')
    const { violations, isComplete } = (await boards.report(job)) as BoardCheckReport
    if (!isComplete) return undefined
    const ours = violations.map((each) => keyOf({ type: each.type, items: [...each.items] }))
    const theirs = there.map((each) => keyOf({ ...each, items: each.items.slice(0, 50) }))
    const same = JSON.stringify(ours.toSorted()) === JSON.stringify(theirs.toSorted())
    return same ? undefined : `${ours.length} findings, ${theirs.length} by hand`
  }

const sameNetlist = async (compared: Compared): Promise<Difference> => {
  const difference = await sameFiles('netlist')(compared)
  if (difference !== undefined) return difference
  const { boards, file } = compared
  const job = await boards.run({ operation: 'netlist', path: file })
  if (job.state !== 'done') return undefined
  const report = (await boards.report(job)) as BoardNetlistReport
  const text = (await bytesOf(boards, job, 'netlist.net')).toString()
  const counted = [
    text.match(/^\s*\(comp \(ref /gm)?.length ?? 0,
    text.match(/^\s*\(net \(code /gm)?.length ?? 0,
  ]
  const ours = [report.components.length, report.nets.length]
  return JSON.stringify(counted) === JSON.stringify(ours) ? undefined : `${ours} of ${counted}`
}

const sameBom = async (compared: Compared): Promise<Difference> => {
  const difference = await sameFiles('bom')(compared)
  if (difference !== undefined) return difference
  const { boards, file } = compared
  const job = await boards.run({ operation: 'bom', path: file })
  if (job.state !== 'done') return undefined
  const { lines } = (await boards.report(job)) as BoardBomReport
  const wrong = lines.find(({ references, quantity }) => references.length !== quantity)
  return wrong === undefined ? undefined : `${wrong.references.join()} are not ${wrong.quantity}`
}

/** Drawn of another name, and of fewer layers by hand: the copper and the outline. */
const sameLayers = async ({ boards, byHand, file }: Compared): Promise<Difference> => {
  const layers = ['F.Cu', 'B.Cu', 'Edge.Cuts']
  const [job, made] = await Promise.all([
    boards.run({ operation: 'layers', path: file, options: { layers } }),
    byHand.make('layers', file, layers),
  ])
  if (made === undefined) return job.state === 'failed' ? undefined : `${job.state}, by hand it fails`
  if (job.state !== 'done') return `${job.state} ${job.fault?.detail}`
  const theirs = [...made.values()].map(seal).toSorted()
  const ours = await Promise.all(job.results.map(async ({ name }) => seal(await bytesOf(boards, job, name))))
  return JSON.stringify(ours.toSorted()) === JSON.stringify(theirs) ? undefined : 'they differ'
}

/** One file that KiCad does not make the same twice. */
const similar =
  (operation: 'render' | 'model', name: string, isSame: (ours: Buffer, theirs: Buffer) => boolean) =>
  async ({ boards, byHand, file }: Compared): Promise<Difference> => {
    const [job, made] = await Promise.all([
      boards.run({ operation, path: file }),
      byHand.make(operation, file),
    ])
    const theirs = made?.get(name)
    if (theirs === undefined) return job.state === 'failed' ? undefined : `${job.state}, by hand it fails`
    if (job.state !== 'done') return `${job.state} ${job.fault?.detail}`
    return isSame(await bytesOf(boards, job, name), theirs) ? undefined : 'they differ'
  }

const COMPARISONS = [
  ['sheets', 'kicad_sch', sameFiles('sheets')],
  ['erc', 'kicad_sch', sameFindings('erc')],
  ['netlist', 'kicad_sch', sameNetlist],
  ['bom', 'kicad_sch', sameBom],
  ['layers', 'kicad_pcb', sameLayers],
  ['drc', 'kicad_pcb', sameFindings('drc')],
  ['render', 'kicad_pcb', similar('render', 'board.png', looksTheSame)],
  ['model', 'kicad_pcb', similar('model', 'board.glb', isSameModel)],
] as const

/**
 * One board has 70 MB, and its check alone takes KiCad eight minutes. Its sheets and layers are compared like all others; its
 * check, picture and model where `PATCHBAY_LARGEST_BOARD` asks for them.
 */
const MOST_BYTES = process.env['PATCHBAY_LARGEST_BOARD'] === '1' ? Number.POSITIVE_INFINITY : 20e6
const LONG: ReadonlySet<BoardOperation> = new Set(['drc', 'render', 'model'])

test.skipIf(!hasKicad).each(COMPARISONS)(
  '[H-60] %s of all of KiCad’s demonstration projects is what KiCad says by hand',
  { timeout: 60 * 60_000 },
  async (operation, ending, compare) => {
    await using node = await startBoards()
    await node.startWorker({ limits: { seconds: 900 } })
    const differences: string[] = []
    let compared = 0
    let tooLarge = 0
    for (const name of await readdir(DEMOS)) {
      const files = await demo(name)
      await node.make(`ada/${name.replaceAll(/[^A-Za-z0-9]/g, '-')}`, files)
      const boards = node.boards(`ada/${name.replaceAll(/[^A-Za-z0-9]/g, '-')}`)
      await using byHand = await startByHand(files)
      // The root of each project; its other sheets are part of it.
      const projects = Object.keys(files).filter((path) => path.endsWith('.kicad_pro'))
      for (const file of projects
        .map((path) => path.replace(/kicad_pro$/, ending))
        .filter((path) => path in files)) {
        if (LONG.has(operation) && (files[file]?.length ?? 0) > MOST_BYTES) {
          tooLarge += 1
          continue
        }
        compared += 1
        const difference = await compare({ boards, byHand, file })
        if (difference === undefined) continue
        differences.push(`${name}/${file}: ${difference}`)
        // oxlint-disable-next-line no-console -- a run that is stopped before its end has told what it found
        console.info(`[H-60] ${operation}: ${name}/${file}: ${difference}`)
      }
    }
    // oxlint-disable-next-line no-console -- a run nobody can look into proves little
    console.info(`[H-60] ${operation}: ${compared} files compared, ${tooLarge} left out for their size`)
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(15)
  },
)
