import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoardSymbol, SchematicChangeRequest } from '@patchbay/contracts/boards'
import { parse, readSchematic } from '@patchbay/kicad-format'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { offerInstalledSymbols } from '../src/installed-symbols.io.ts'
import { noteWorker } from '../src/queue.store.ts'
import { MissingDefinitions, requireDefinitions } from '../src/schematic.ts'
import { nearestNames } from '../src/symbols.ts'
import { askKicad, whyNoKicad } from './kicad-cli.ts'
import { lampFiles } from './lamp-library.ts'
import { at, EMPTY, RESISTOR } from './sheets.ts'
import {
  type BoardsCaller,
  type BoardsNode,
  codeOf,
  ENGINE,
  hasKicad,
  startBoards,
  success,
} from './start.ts'

const noKicad = whyNoKicad()
const PATH = 'hw/lamp.kicad_sch'
const named = (definition: string, id: string, more: string) =>
  definition
    .replace('(symbol "Device:R"', `(symbol "${id}"`)
    .replace('(embedded_fonts no)', `${more} (embedded_fonts no)`)
const said = (name: string, value: string) => `(property "${name}" "${value}" (at 0 0 0))`

const DEVICE = `(kicad_symbol_lib (version 20241209) (generator "test") (generator_version "9.0")
  ${named(RESISTOR, 'R', `${said('Description', 'Resistor')} ${said('ki_keywords', 'R res 100%')}`)}
  (symbol "R_Like" (extends "R") ${said('Reference', 'R')} ${said('Value', 'R_Like')} ${said('Description', 'A resistor like another')}))
`

async function start({
  isAnnounced = true,
} = {}): Promise<BoardsNode & { installed: string; offer(engine?: string): Promise<void> }> {
  const node = await startBoards()
  await node.make('ada/board', { [PATH]: EMPTY })
  if (isAnnounced) await node.announce()
  const installed = join(node.folder, 'installed')
  await mkdir(installed)
  await writeFile(join(installed, 'Device.kicad_sym'), DEVICE)
  await writeFile(join(installed, 'Broken.kicad_sym'), '(kicad_symbol_lib')
  const offer = async (engine = ENGINE) => {
    const log = { warn: () => {} } as never
    const { signal } = new AbortController()
    await offerInstalledSymbols({
      db: node.db,
      log,
      objects: node.libraries,
      engine,
      folder: installed,
      signal,
    })
  }
  return Object.assign(node, { installed, offer })
}

const search = async (boards: BoardsCaller, text: string) =>
  (await (await success(await boards.ask('GET', `/symbols?text=${encodeURIComponent(text)}`))).json()) as {
    items: BoardSymbol[]
    isComplete: boolean
  }
const add = (libId: string, x = 76.2) =>
  ({ type: 'addSymbol', libId, at: at(x, 76.2), angle: 0 }) as const satisfies SchematicChangeRequest
const change = (boards: BoardsCaller, ...changes: readonly SchematicChangeRequest[]) =>
  boards.ask('POST', '/schematic/changes', { path: PATH, changes })

test('[H-68] what is installed with KiCad is found by words, with the best name first', async () => {
  await using node = await start()
  const boards = node.boards('ada/board')
  expect(await search(boards, 'resistor')).toEqual({ items: [], isComplete: true })
  await node.offer()
  await node.offer()
  const found = await search(boards, 'r RESISTOR')
  expect(found.items.map(({ libId }) => libId)).toEqual(['Device:R', 'Device:R_Like'])
  expect(found).toMatchObject({
    isComplete: true,
    items: [{ description: 'Resistor', keywords: 'R res 100%' }, {}],
  })
  // Signs that mean something in a pattern stand for themselves.
  expect((await search(boards, '100%')).items).toHaveLength(1)
  expect((await search(boards, 'r_l')).items).toHaveLength(1)
  expect((await search(boards, '_')).items).toHaveLength(1)
  expect((await search(boards, 'capacitor')).items).toEqual([])
  expect(await codeOf(boards.ask('GET', '/symbols?text=r&limit=1'))).toBe('200')
  expect(await codeOf(node.boards('ada/board', 'stranger').ask('GET', '/symbols?text=r'))).toBe(
    '403 not_permitted',
  )
})

test.skipIf(!hasKicad)(
  '[H-68] a worker offers what is installed beside it',
  { timeout: 60_000 },
  async () => {
    await using node = await start({ isAnnounced: false })
    await node.startWorker({ symbols: node.installed })
    const boards = node.boards('ada/board')
    const found = async () => (await search(boards, 'R_Like')).items.length
    await expect.poll(found, { timeout: 50_000 }).toBe(1)
  },
)

test('[H-68] what a KiCad had installed goes with the last of its workers', async () => {
  const clock = new SettableClock()
  await using node = await startBoards({ clock })
  const installed = join(node.folder, 'installed')
  await mkdir(installed)
  await writeFile(join(installed, 'Device.kicad_sym'), DEVICE)
  const { signal } = new AbortController()
  const offer = { db: node.db, log: {} as never, objects: node.libraries, folder: installed, signal }
  await noteWorker(node.db, { id: 'one', engine: 'one', version: '9' }, clock.now())
  await offerInstalledSymbols({ ...offer, engine: 'one' })
  await offerInstalledSymbols({ ...offer, engine: 'gone' })
  await node.collection.sweep()
  const engines = async () =>
    (await node.db.selectFrom('board_installed_symbols').select('engine').execute()).map(
      ({ engine }) => engine,
    )
  expect(await engines()).toEqual(['one'])
})

deepTest(
  '[H-67] a symbol is added by its name, from KiCad or from a package of the workspace, and KiCad reads it',
  async () => {
    await using node = await start()
    await node.offer()
    await node.publish({ identifier: 'com.example.lamps', version: '1.0', files: lampFiles() })
    const boards = node.boards('ada/board')
    await success(await boards.ask('PUT', '/libraries/com.example.lamps', {}))
    const answer = await success(
      await change(
        boards,
        add('Device:R'),
        add('Device:R_Like', 88.9),
        add('PCM_Lamps:Lamp', 101.6),
        add('Device:R', 114.3),
      ),
    )
    expect(await answer.json()).toMatchObject({
      isChanged: true,
      added: [{ reference: 'R1' }, { reference: 'R2' }, { reference: 'LA1' }, { reference: 'R3' }],
    })
    const text = await node.read('ada/board', PATH)
    const { library = [], items = [] } = readSchematic(parse(text)) ?? {}
    expect(library.map(({ id }) => id)).toEqual(['Device:R', 'Device:R_Like', 'PCM_Lamps:Lamp'])
    expect(items).toHaveLength(4)
    if (noKicad !== undefined) return
    const { broken, nets } = askKicad(text)
    expect(new Set(broken.filter((type) => !/^(?:lib|footprint)_/.test(type)))).toEqual(
      new Set(['pin_not_connected']),
    )
    expect(Object.values(nets).flat().toSorted()).toEqual(
      ['LA1', 'R1', 'R2', 'R3'].flatMap((reference) => [`${reference}.1`, `${reference}.2`]),
    )
  },
)

test('[H-67] what no library has is refused with what was probably meant, and nothing is changed', async () => {
  await using node = await start()
  await node.offer()
  const boards = node.boards('ada/board')
  const refused = async (...changes: readonly SchematicChangeRequest[]) =>
    await (await change(boards, ...changes)).json()
  const code = { code: 'schematic_change_refused', refusal: 'unknown_symbol' }
  expect(await refused(add('Device:R'), add('Device:R_Lik'))).toMatchObject({
    ...code,
    change: 1,
    item: 'Device:R_Lik',
    suggestions: ['Device:R_Like'],
    detail: expect.stringContaining('Did you mean Device:R_Like?'),
  })
  expect(await refused(add('Devices:R'))).toMatchObject({ ...code, suggestions: ['Device:R'] })
  expect(await refused(add('Other:r_like'))).toMatchObject({ ...code, suggestions: ['Device:R_Like'] })
  expect(await refused(add('nothing'))).toMatchObject({ ...code, suggestions: [] })
  expect(await refused(add('Broken:R'))).toMatchObject(code)
  expect(await node.read('ada/board', PATH)).toBe(EMPTY)
  // Whoever may not change it is not told what there is.
  expect(await codeOf(change(node.boards('ada/board', 'reader'), add('Device:X')))).toBe('403 not_permitted')
  await node.libraries.delete(
    (await node.db.selectFrom('board_installed_symbols').select('sha256').executeTakeFirstOrThrow()).sha256,
  )
  expect(await codeOf(change(boards, add('Device:R')))).toBe('503 objects_unavailable')
})

test('[H-67] only what neither the file nor an earlier change defines is looked for', () => {
  const wanted = (...requests: readonly SchematicChangeRequest[]) => {
    try {
      requireDefinitions(EMPTY, requests)
      return []
    } catch (error) {
      if (!(error instanceof MissingDefinitions)) throw error
      return error.wanted
    }
  }
  expect(wanted({ ...add('Device:R'), definition: RESISTOR }, add('Device:R', 88.9))).toEqual([])
  expect(wanted(add('Device:R'), add('Device:R', 88.9), add('Device:C'))).toEqual([
    { libId: 'Device:R', change: 0 },
    { libId: 'Device:C', change: 2 },
  ])
  expect(nearestNames('Devics', ['Device', 'Display', 'DEVICE'])).toEqual(['DEVICE', 'Device'])
})
