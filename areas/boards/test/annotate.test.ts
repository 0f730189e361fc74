import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { annotateDesign } from '../src/annotate.ts'
import { askKicad, whyNoKicad } from './kicad-cli.ts'
import { at, changed, EMPTY, RESISTOR } from './sheets.ts'
import { type BoardsCaller, codeOf, startBoards, success } from './start.ts'

const noKicad = whyNoKicad()
const ROOT = '5b9623a5-6d01-41fc-9865-e1bc779418c8'
const SHEETS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
const project = 'lamp'

/** `R7` and `R8` are those without a number, so that the texts can be made by changes. */
const unnumbered = (text: string) => text.replaceAll(/"R[78]"/g, '"R?"')
const resistor = (x: number, ...instances: readonly { path: string; reference: string }[]) => ({
  type: 'addSymbol' as const,
  libId: 'Device:R',
  definition: RESISTOR,
  at: at(x, 76.2),
  angle: 0 as const,
  instances: instances.map((one) => ({ project, ...one })),
})
const sheet = (id: string | undefined, x: number, file: string) => ({
  type: 'addSheet' as const,
  id: id ?? '',
  at: at(x, 101.6),
  size: at(25.4, 12.7),
  name: `part ${x}`,
  file,
  pins: [],
  instances: [{ project, path: `/${ROOT}`, page: String(x) }],
})

/** A lamp with a sheet that is used twice: one number is given, four are missing in two files. */
const LAMP = unnumbered(
  changed(
    EMPTY,
    resistor(50.8, { path: `/${ROOT}`, reference: 'R7' }),
    resistor(63.5, { path: `/${ROOT}`, reference: 'R2' }),
    sheet(SHEETS[0], 25.4, 'part.kicad_sch'),
    sheet(SHEETS[1], 76.2, 'part.kicad_sch'),
  ).text,
)
const places = (reference: string) => SHEETS.map((id) => ({ path: `/${ROOT}/${id}`, reference }))
const PART = unnumbered(
  changed(EMPTY.replace(ROOT, ROOT.replace('5b', '6b')), resistor(50.8, ...places('R7'))).text,
)
const FILES = { 'hw/lamp.kicad_sch': LAMP, 'hw/part.kicad_sch': PART, 'hw/lamp.kicad_pro': '{}' }

const annotate = (boards: BoardsCaller, path = 'hw/lamp.kicad_sch') =>
  boards.ask('POST', '/schematic/annotation', { path })

deepTest(
  '[H-69] all sheets are numbered in one step, unique in the whole schematic, and KiCad sees it',
  async () => {
    await using node = await startBoards()
    await node.make('ada/board', FILES)
    const boards = node.boards('ada/board')
    const answer = await success(await annotate(boards, 'hw/lamp.kicad_pro'))
    const { files, isChanged } = (await answer.json()) as {
      files: { path: string; references: { reference: string }[] }[]
      isChanged: boolean
    }
    expect(isChanged).toBe(true)
    expect(files.map(({ path, references }) => [path, references.map((one) => one.reference)])).toEqual([
      ['hw/lamp.kicad_sch', ['R1']],
      ['hw/part.kicad_sch', ['R3', 'R4']],
    ])
    const [root, part] = await Promise.all(
      ['hw/lamp.kicad_sch', 'hw/part.kicad_sch'].map((path) => node.read('ada/board', path)),
    )
    expect([root, part].join('')).not.toContain('"R?"')
    expect(await (await annotate(boards)).json()).toMatchObject({ isChanged: false, files: [] })
    if (noKicad !== undefined) return
    const { nets, broken } = askKicad(root ?? '', { 'part.kicad_sch': part ?? '' })
    expect(broken).not.toContain('unannotated')
    const references = Object.values(nets).flatMap((pins) => pins.map((pin) => pin.split('.')[0]))
    expect(new Set(references)).toEqual(new Set(['R1', 'R2', 'R3', 'R4']))
  },
)

test('[H-69] nothing is numbered when a sheet cannot be read, or by whoever may not', async () => {
  await using node = await startBoards()
  await node.make('ada/board', FILES)
  const boards = node.boards('ada/board')
  expect(await codeOf(annotate(node.boards('ada/board', 'reader')))).toBe('403 not_permitted')
  expect(await codeOf(annotate(boards, 'hw/none.kicad_sch'))).toBe('404 file_not_found')
  expect(await codeOf(annotate(boards, 'hw/lamp.kicad_pcb'))).toBe('422 board_file_refused')
  for (const broken of ['(kicad_sch', '(kicad_pcb)']) {
    await node.write('ada/board', { 'hw/part.kicad_sch': broken })
    expect(await codeOf(annotate(boards))).toBe('422 board_file_refused')
  }
  await node.make('ada/other', { 'hw/lamp.kicad_sch': LAMP })
  expect(await codeOf(annotate(node.boards('ada/other')))).toBe('422 board_file_refused')
  expect(await node.read('ada/other', 'hw/lamp.kicad_sch')).toBe(LAMP)
})

test('[H-69] a schematic of more than so many files or characters is refused', async () => {
  const many = changed(
    EMPTY,
    ...Array.from({ length: 40 }, (_, index) => sheet(undefined, index, `${index}.kicad_sch`)).map(
      ({ id: _id, ...rest }) => rest,
    ),
  ).text
  const deep = (path: string) =>
    EMPTY.replace(ROOT, path.padStart(36, '0')).replace('(lib_symbols)', ' '.repeat(200_000))
  const read = async (path: string) => (path === 'root.kicad_sch' ? many : deep(path.slice(0, 4)))
  await expect(annotateDesign('root.kicad_sch', read)).rejects.toThrow(
    expect.objectContaining({
      detail: expect.stringContaining(`${BOARD_LIMITS.annotatedCharacters} characters`),
    }),
  )
})
