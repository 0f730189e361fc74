import type {
  BoardBomReport,
  BoardCheckReport,
  BoardJob,
  BoardNetlistReport,
  BoardQuestion,
} from '@patchbay/contracts/boards'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { type ByHand, seal, startByHand } from './by-hand.ts'
import { type BoardsCaller, type BoardsNode, demo, hasKicad, startBoards } from './start.ts'

const DEMO = 'pic_programmer'
const SCHEMATIC = `${DEMO}.kicad_sch`
const BOARD = `${DEMO}.kicad_pcb`

async function startDemo() {
  await using cleanup = new AsyncDisposableStack()
  const files = await demo(DEMO)
  const node: BoardsNode = cleanup.use(await startBoards())
  const byHand: ByHand = cleanup.use(await startByHand(files))
  await node.make('ada/board', files)
  await node.startWorker()
  const owned = cleanup.move()
  const boards = node.boards('ada/board')
  return { node, byHand, boards, files, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const bytesOf = async (boards: BoardsCaller, job: BoardJob, name: string) =>
  Buffer.from(await (await boards.result(job, name)).arrayBuffer())

const done = async (boards: BoardsCaller, question: BoardQuestion) => {
  const job = await boards.run(question)
  expect([job.operation, job.state, job.fault]).toEqual([question.operation, 'done', null])
  return job
}

/** KiCad takes seconds on a quiet machine. */
const PATIENCE = { timeout: 240_000 }

test.skipIf(!hasKicad)(
  '[H-60][H-61][H-62] what is asked of a schematic is what KiCad says by hand',
  PATIENCE,
  async () => {
    await using service = await startDemo()
    const { boards, byHand } = service

    const sheets = await done(boards, { operation: 'sheets', path: SCHEMATIC })
    const drawn = await byHand.make('sheets', SCHEMATIC)
    expect(sheets.results.map(({ name, title }) => [name, title])).toEqual([
      ['sheet-1.svg', '/'],
      ['sheet-2.svg', '/pic_sockets/'],
    ])
    expect(
      await Promise.all(sheets.results.map(async ({ name }) => seal(await bytesOf(boards, sheets, name)))),
    ).toEqual([`${DEMO}.svg`, `${DEMO}-pic_sockets.svg`].map((name) => seal(drawn?.get(name) ?? Buffer.of())))

    const netlist = await done(boards, { operation: 'netlist', path: SCHEMATIC })
    const nets = (await boards.report(netlist)) as BoardNetlistReport
    expect(seal(await bytesOf(boards, netlist, 'netlist.net'))).toBe(
      seal((await byHand.make('netlist', SCHEMATIC))?.get('netlist.net') ?? Buffer.of()),
    )
    expect(netlist.counts).toEqual({ components: 63, nets: 111 })
    expect(nets.nets.find(({ name }) => name === '/CLOCK-RB6')?.pins).toContainEqual({
      reference: 'U1',
      pin: '6',
      function: 'SCL',
      type: 'input',
    })
    expect(nets.components.find(({ reference }) => reference === 'C1')).toMatchObject({
      value: '100µF',
      library: 'pic_programmer:CP',
      sheet: '/',
      uuids: ['00000000-0000-0000-0000-0000442a5056'],
    })

    const bom = await done(boards, { operation: 'bom', path: SCHEMATIC })
    const lines = ((await boards.report(bom)) as BoardBomReport).lines
    expect(lines).toContainEqual({
      references: ['C6', 'C7'],
      value: '100nF',
      footprint: 'Capacitor_THT:C_Disc_D5.1mm_W3.2mm_P5.00mm',
      datasheet: '',
      quantity: 2,
      isDoNotPopulate: false,
    })
    expect(bom.counts).toEqual({ lines: lines.length })

    const erc = await done(boards, { operation: 'erc', path: `${DEMO}.kicad_pro` })
    const said = JSON.parse((await byHand.make('erc', SCHEMATIC))?.get('erc.json')?.toString() ?? '{}') as {
      sheets: { violations: unknown[] }[]
    }
    const found = ((await boards.report(erc)) as BoardCheckReport).violations
    expect(found).toHaveLength(said.sheets.flatMap(({ violations }) => violations).length)
    // Where the file has the symbol: KiCad's own report says a hundredth of it.
    const symbol = found.find(({ items }) => items[0]?.description === 'Symbol J1 [DB9]')
    expect(symbol).toMatchObject({ sheet: '/', items: [{ x: 31.75, y: 91.44 }] })

    const pdf = await done(boards, { operation: 'pdf', path: SCHEMATIC })
    expect((await bytesOf(boards, pdf, 'sheets.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  },
)

test.skipIf(!hasKicad)(
  '[H-60][H-61][H-63] what is asked of a board is what KiCad says by hand',
  PATIENCE,
  async () => {
    await using service = await startDemo()
    const { boards, byHand } = service

    const layers = await done(boards, { operation: 'layers', path: BOARD })
    expect(layers.results).toHaveLength(20)
    const plotted = await byHand.make('layers', BOARD, ['F.Cu', 'Edge.Cuts'])
    // Its author calls the layer otherwise.
    expect(seal(await bytesOf(boards, layers, 'F.Cu.svg'))).toBe(
      seal(plotted?.get(`${DEMO}-top_layer.svg`) ?? Buffer.of()),
    )

    const drc = await done(boards, {
      operation: 'drc',
      path: BOARD,
      options: { isComparedWithSchematic: true },
    })
    const report = (await boards.report(drc)) as BoardCheckReport
    expect(report.violations.filter(({ group }) => group === 'parity').length).toBeGreaterThan(50)
    expect(report.violations.find(({ items }) => items[0]?.description === 'Footprint C1')).toMatchObject({
      group: 'parity',
      sheet: null,
      items: [{ x: 110.49, y: 78.867 }],
    })

    const model = await done(boards, { operation: 'model', path: BOARD })
    expect((await bytesOf(boards, model, 'board.glb')).subarray(0, 4).toString()).toBe('glTF')
    expect(model.notes[0]).toMatch(/^\d+ 3D models were not found/)

    const render = await done(boards, {
      operation: 'render',
      path: BOARD,
      options: { width: 320, height: 200 },
    })
    const png = await bytesOf(boards, render, 'board.png')
    // KiCad makes it a little smaller than it was told.
    expect([png.readUInt32BE(16) >> 5, png.readUInt32BE(20) >> 5]).toEqual([320 / 32 - 1, 5])

    const step = await done(boards, { operation: 'step', path: BOARD, options: { hasComponents: false } })
    expect((await bytesOf(boards, step, 'board.step')).subarray(0, 9).toString()).toBe('ISO-10303')

    const gerbers = await done(boards, {
      operation: 'gerbers',
      path: BOARD,
      options: { layers: ['F.Cu', 'B.Cu'] },
    })
    const names = (await bytesOf(boards, gerbers, 'gerbers.zip'))
      .toString('latin1')
      .match(/pic_programmer[-\w]*\.(?:gbl|gbrjob|gtl|drl)/g)
    expect([...new Set(names)].toSorted()).toEqual([
      'pic_programmer-bottom_layer.gbl',
      'pic_programmer-job.gbrjob',
      'pic_programmer-top_layer.gtl',
      'pic_programmer.drl',
    ])

    const pdf = await done(boards, {
      operation: 'pdf',
      path: BOARD,
      options: { layers: ['F.Cu', 'Edge.Cuts'] },
    })
    expect((await bytesOf(boards, pdf, 'board.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  },
)

deepTest.skipIf(!hasKicad)(
  '[H-2] two workspaces that open one board cost one job, and the second is answered at once',
  PATIENCE,
  async () => {
    await using service = await startDemo()
    const { node, boards, files } = service
    await node.make('bob/copy', files)
    const first = await boards.run({ operation: 'bom', path: SCHEMATIC })
    const other = node.boards('bob/copy')
    const second = await other.start({ operation: 'bom', path: SCHEMATIC })
    expect([second.status, second.job.state, second.job.attempts]).toEqual([200, 'done', 1])
    expect(seal(await bytesOf(other, second.job, 'bom.csv'))).toBe(
      seal(await bytesOf(boards, first, 'bom.csv')),
    )
  },
)

test.skipIf(!hasKicad)(
  '[H-64] what KiCad cannot read is failed with its words, and is no retry',
  PATIENCE,
  async () => {
    await using service = await startDemo()
    const { node, boards } = service
    await node.write('ada/board', { [BOARD]: '(garbage', [SCHEMATIC]: 'garbage' })
    const board = await boards.run({ operation: 'model', path: BOARD })
    expect(board).toMatchObject({ state: 'failed', attempts: 1, fault: { code: 'kicad_failed' } })
    expect(board.fault?.detail).toContain('Failed to load board')
    const layers = await boards.run({ operation: 'layers', path: BOARD })
    expect(layers).toMatchObject({ state: 'failed', fault: { code: 'kicad_failed' } })
    const schematic = await boards.run({ operation: 'erc', path: SCHEMATIC })
    expect(schematic.fault?.detail).toContain('Failed to load schematic')
  },
)

deepTest.skipIf(!hasKicad)(
  '[H-25] a worker that is told to stop gives back what it cannot finish, and another one ends it',
  PATIENCE,
  async () => {
    await using service = await startDemo()
    const { node, boards } = service
    const { job } = await boards.start({ operation: 'step', path: BOARD })
    const running = async () =>
      (await node.db.selectFrom('board_jobs').select('state').executeTakeFirst())?.state
    await waitUntil('it runs', async () => (await running()) === 'running')
    await node.stopWorkers()
    expect(await running()).toBe('queued')
    await node.startWorker()
    expect(await boards.ended(job.id)).toMatchObject({ state: 'done', attempts: 1 })
  },
)
