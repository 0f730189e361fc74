import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoardCheckReport } from '@patchbay/contracts/boards'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { withLibraries } from '../src/library-tables.ts'
import { runSandboxed } from '../src/sandbox.io.ts'
import { boardOf, LAMP_SYMBOL, lampFiles } from './lamp-library.ts'
import { at, changed, EMPTY } from './sheets.ts'
import { type BoardsCaller, hasKicad, LIMITS, startBoards, success, temporaryFolder } from './start.ts'

/** KiCad takes seconds on a quiet machine. */
const PATIENCE = { timeout: 240_000 }
const LAMPS = { identifier: 'com.example.lamps', version: '1.0' }

const SHEET = changed(EMPTY, {
  type: 'addSymbol',
  libId: 'PCM_Lamps:Lamp',
  definition: LAMP_SYMBOL,
  footprint: 'PCM_Lamps:Lamp',
  at: at(101.6, 76.2),
  angle: 0,
}).text
const PROJECT = {
  'a/a.kicad_pro': '{}',
  'a/a.kicad_sch': SHEET,
  'a/a.kicad_pcb': boardOf(20, { series: 9 }),
  'a/old.kicad_pcb': boardOf(20, { series: 8 }),
  'box/box.kicad_pcb': boardOf(2),
}

async function startWithLamps() {
  await using cleanup = new AsyncDisposableStack()
  const node = cleanup.use(await startBoards())
  await node.make('ada/board', PROJECT)
  await node.make('bob/other', PROJECT)
  await node.startWorker()
  const boards = node.boards('ada/board')
  const box = await boards.run({ operation: 'step', path: 'box/box.kicad_pcb' })
  const model = Buffer.from(await (await boards.result(box, 'board.step')).arrayBuffer())
  await node.publish({ ...LAMPS, files: lampFiles(model) })
  await success(await boards.ask('PUT', '/libraries/com.example.lamps', {}))
  const owned = cleanup.move()
  return { node, boards, others: node.boards('bob/other'), [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** What KiCad says of libraries. */
async function libraryFaults(boards: BoardsCaller, operation: 'erc' | 'drc'): Promise<string[]> {
  const path = operation === 'erc' ? 'a/a.kicad_sch' : 'a/a.kicad_pcb'
  const job = await boards.run({ operation, path })
  expect([job.state, job.fault]).toEqual(['done', null])
  const { violations } = (await boards.report(job)) as BoardCheckReport
  return violations.map(({ type }) => type).filter((type) => /^lib_|footprint_link/.test(type))
}

/** How many shapes a model has, and what KiCad says of it. */
async function modelOf(boards: BoardsCaller, path: string) {
  const job = await boards.run({ operation: 'model', path })
  expect([job.state, job.fault]).toEqual(['done', null])
  const bytes = Buffer.from(await (await boards.result(job, 'board.glb')).arrayBuffer())
  const { meshes } = JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12))) as {
    meshes: unknown[]
  }
  return { meshes: meshes.length, notes: job.notes }
}

deepTest.skipIf(!hasKicad)(
  '[H-86] KiCad finds the symbols, footprints and models of the libraries of a workspace, and of no other',
  PATIENCE,
  async () => {
    await using lamps = await startWithLamps()
    const { boards, others } = lamps
    expect(await libraryFaults(boards, 'erc')).toEqual([])
    expect(await libraryFaults(others, 'erc')).toEqual(['footprint_link_issues', 'lib_symbol_issues'])
    expect(await libraryFaults(boards, 'drc')).toEqual([])
    expect(await libraryFaults(others, 'drc')).toEqual(['lib_footprint_issues'])
    const found = await modelOf(boards, 'a/a.kicad_pcb')
    const missing = await modelOf(others, 'a/a.kicad_pcb')
    expect(found.notes).toEqual([])
    expect(missing.notes).toEqual([expect.stringContaining('1 3D models were not found')])
    expect(found.meshes).toBeGreaterThan(missing.meshes)
    // A library that was made for an older KiCad.
    expect(await modelOf(boards, 'a/old.kicad_pcb')).toEqual(found)
    const step = await boards.run({ operation: 'step', path: 'a/a.kicad_pcb' })
    const solid = await (await boards.result(step, 'board.step')).text()
    expect(solid).toMatch(/LA1|Lamp/)
  },
)

test.skipIf(!hasKicad)('[H-88] a job whose library is no longer kept says so', PATIENCE, async () => {
  await using lamps = await startWithLamps()
  const { node, boards } = lamps
  for (const { sha256 } of (await node.libraries.list({ limit: 10 })).objects)
    await node.libraries.delete(sha256)
  const job = await boards.run({ operation: 'erc', path: 'a/a.kicad_sch' })
  expect(job).toMatchObject({ state: 'failed', fault: { code: 'inputs_gone' } })
  expect(job.fault?.detail).toContain('com.example.lamps')
})

test.skipIf(!hasKicad)('[H-86] nothing in the sandbox changes a library', PATIENCE, async () => {
  await using folder = await temporaryFolder()
  const [project, output, from] = ['project', 'out', 'library'].map((name) => join(folder.path, name))
  for (const each of [project, output, from]) await mkdir(each ?? '')
  await writeFile(join(from ?? '', 'a'), 'as it was')
  const ended = await runSandboxed({
    project: project ?? '',
    output: output ?? '',
    readOnly: [{ from: from ?? '', to: 'of/kicad' }],
    command: [
      '/bin/sh',
      '-c',
      'cat ~/of/kicad/a; rm -f ~/of/kicad/a; echo changed > ~/of/kicad/a; touch ~/of/kicad/b',
    ],
    limits: LIMITS,
    signal: new AbortController().signal,
  })
  expect(ended).toMatchObject({ kind: 'exited', text: expect.stringMatching(/^as it was/) })
  expect(await readdir(from ?? '')).toEqual(['a'])
  expect(await readFile(join(from ?? '', 'a'), 'utf8')).toBe('as it was')
})

test('[H-86] tables of libraries name what is installed and what packages bring', () => {
  const library = {
    identifier: 'com.example.lamps',
    sha256: '',
    symbols: [{ nickname: 'PCM_Lamps', path: 'symbols/Lamps.kicad_sym' }],
    footprints: [{ nickname: 'PCM_Lamps_1', path: 'footprints/more/Lamps.pretty' }],
  }
  const installed = '(sym_lib_table\n  (version 7)\n  (lib (name "Device")(uri "x"))\n)\n'
  expect(withLibraries('sym-lib-table', installed, [library], '9.0')).toBe(
    '(sym_lib_table\n  (version 7)\n  (lib (name "Device")(uri "x"))\n  (lib (name "PCM_Lamps")(type "KiCad")(uri "${KICAD9_3RD_PARTY}/symbols/com_example_lamps/Lamps.kicad_sym")(options "")(descr ""))\n)\n',
  )
  expect(withLibraries('fp-lib-table', undefined, [library], '10.0')).toBe(
    '(fp_lib_table\n  (version 7)\n  (lib (name "PCM_Lamps_1")(type "KiCad")(uri "${KICAD10_3RD_PARTY}/footprints/com_example_lamps/more/Lamps.pretty")(options "")(descr ""))\n)\n',
  )
})
