import {
  applyChange,
  type Document,
  netOfPin,
  netsOf,
  parse,
  readDesign,
  readLibrary,
  readSchematic,
  type SchematicChange,
  write,
} from '@patchbay/kicad-format'
import { expect, test } from 'vitest'
import { bend } from '../../src/workspace/panels/schematic-editor/tools/connect.ts'
import {
  choicesOf,
  findChoices,
  ownChoices,
} from '../../src/workspace/panels/schematic-editor/tools/libraries.ts'
import {
  addSheet,
  filesAbove,
  missingPins,
} from '../../src/workspace/panels/schematic-editor/tools/place-sheet.ts'
import { newReferences } from '../../src/workspace/panels/schematic-editor/tools/place-symbol.ts'
import {
  changesAt,
  type Tool,
  type ToolContext,
} from '../../src/workspace/panels/schematic-editor/tools/tool.ts'
import { LAMP, RESISTOR } from './schematic/lamp-project.ts'

let ids = 0
const newId = () => {
  ids += 1
  return `3c000000-0000-4000-8000-${String(ids).padStart(12, '0')}`
}
const mm = (x: number, y: number) => ({ x: Math.round(x * 1e6), y: Math.round(y * 1e6) })

function context(root = parse(LAMP['lamp.kicad_sch'] ?? '')): ToolContext {
  const files = new Map([
    ['lamp.kicad_sch', root],
    ['sensor.kicad_sch', parse(LAMP['sensor.kicad_sch'] ?? '')],
  ])
  const design = readDesign(files, 'lamp.kicad_sch')
  const [sheet] = design.sheets
  if (sheet === undefined) throw new Error('no sheet')
  return { document: root, design, sheet, newId }
}

function make(changes: readonly SchematicChange[], document: Document): Document {
  return changes.reduce((now, change) => {
    const outcome = applyChange(now, change)
    if (outcome.refused !== undefined) throw new Error(outcome.refused.message)
    return outcome.document
  }, document)
}

const itemsOf = (document: Document) => readSchematic(document)?.items ?? []
const netOf = (document: Document, reference: string, number: string) =>
  netOfPin(netsOf(context(document).design), reference, number)

test('[W-866] what is dragged keeps its wires, and what is moved leaves them', () => {
  const given = context()
  const move = (isDrag: boolean): Tool => ({ kind: 'move', ids: [RESISTOR], from: mm(160.02, 95.25), isDrag })
  const to = mm(165.1, 95.25)
  const dragged = make(changesAt(move(true), to, given), given.document)
  expect(netOf(dragged, 'R1', '1')?.pins.map(({ reference }) => reference)).toContain('U1')
  const moved = make(changesAt(move(false), to, given), given.document)
  expect(netOf(moved, 'R1', '1')?.pins.map(({ reference }) => reference)).toEqual(['R1'])
  expect(changesAt(move(true), mm(160.02, 95.25), given)).toEqual([])
})

test('[W-866] what is duplicated has ids and a reference of its own', () => {
  const given = context()
  const tool: Tool = { kind: 'copy', ids: given.sheet.schematic.items.map(({ id }) => id), from: mm(0, 0) }
  const after = make(changesAt(tool, mm(0, 63.5), given), given.document)
  const all = itemsOf(after).map(({ id }) => id)
  expect(new Set(all).size).toBe(all.length)
  const references = context(after).sheet.schematic.items.flatMap((item) =>
    item.kind === 'symbol' ? item.instances.map(({ reference }) => reference) : [],
  )
  expect(new Set(references).size).toBe(references.length)
  expect(references).toContain('R3')
})

test('[W-867] a wire bends once, and a junction is set where it meets another', () => {
  expect(bend(mm(0, 0), mm(10, 2))).toEqual([mm(0, 0), mm(10, 0), mm(10, 2)])
  expect(bend(mm(0, 0), mm(0, 2))).toEqual([mm(0, 0), mm(0, 2)])
  const given = context()
  const tool: Tool = { kind: 'line', line: 'wire', corners: [mm(152.4, 88.9)] }
  const changes = changesAt(tool, mm(152.4, 73.66), given)
  expect(changes.map(({ type }) => type)).toEqual(['addLine', 'addMark'])
  const after = make(changes, given.document)
  const junctions = itemsOf(after).flatMap((item) => (item.kind === 'junction' ? [item.at] : []))
  expect(junctions).toContainEqual(mm(152.4, 88.9))
  expect(netOf(after, 'U1', '4')?.name).toBe('/DIM')
  const corner: Tool = { kind: 'line', line: 'wire', corners: [mm(203.2, 50.8)] }
  expect(changesAt(corner, mm(203.2, 60.96), given).map(({ type }) => type)).toEqual(['addLine'])
})

test('[W-868] labels, texts and marks are placed where the pointer is', () => {
  const given = context()
  const at = mm(200.66, 88.9)
  for (const what of [
    { kind: 'label', text: 'A' },
    { kind: 'global_label', text: 'B', shape: 'output' },
    { kind: 'hierarchical_label', text: 'C' },
    { kind: 'text', text: 'D\nE' },
    { kind: 'junction' },
    { kind: 'no_connect' },
  ] as const) {
    const after = make(changesAt({ kind: 'place', what, angle: 90 }, at, given), given.document)
    const added = itemsOf(after).filter(({ id }) => !itemsOf(given.document).some((one) => one.id === id))
    expect(added.map((item) => [item.kind, 'at' in item && item.at])).toEqual([[what.kind, at]])
  }
})

test('[W-869] symbols are found by words, and bring what the sheet does not have yet', () => {
  const given = context()
  const library = choicesOf(
    'board/lib/parts.kicad_sym',
    new TextEncoder().encode(LAMP['lib/parts.kicad_sym']),
  )
  expect(findChoices(library, 'r').at(0)?.libId).toBe('parts:R')
  expect(findChoices(library, 'c lamp').map(({ libId }) => libId)).toContain('parts:C')
  expect(findChoices(ownChoices(given.sheet), 'controller')).toHaveLength(1)
  const [choice] = findChoices(library, 'C')
  if (choice === undefined) throw new Error('no capacitor')
  const tool: Tool = { kind: 'place', what: { kind: 'symbol', choice }, angle: 0 }
  const once = make(changesAt(tool, mm(200.66, 120.65), given), given.document)
  const twice = make(changesAt(tool, mm(210.82, 120.65), context(once)), once)
  const added = itemsOf(twice).filter((item) => item.kind === 'symbol' && item.libId === 'parts:C')
  expect(added).toHaveLength(2)
  expect(write(twice).split('(symbol "parts:C"')).toHaveLength(2)
  // The sheet below has C1.
  expect(added.map((item) => item.kind === 'symbol' && item.instances[0]?.reference)).toEqual(['C2', 'C3'])
  expect(newReferences(context(twice).design, given.sheet, '#PWR')[0]?.reference).toBe('#PWR06')
})

test('[W-869] a symbol that is like another one is whole where it is placed', () => {
  const derived = `(symbol "Thermistor" (extends "R") (property "Reference" "TH" (at 0 0 0)) (property "Value" "Thermistor" (at 0 0 0)))`
  const text = (LAMP['lib/parts.kicad_sym'] ?? '').trimEnd().replace(/\)$/, `${derived})`)
  const [choice] = findChoices(choicesOf('parts.kicad_sym', new TextEncoder().encode(text)), 'thermistor')
  const [read] = readLibrary(parse(`(kicad_symbol_lib ${choice?.definition ?? ''})`)) ?? []
  expect(read?.base).toBeUndefined()
  expect(read?.units.flatMap(({ pins }) => pins).map(({ number }) => number)).toEqual(['1', '2'])
  expect(read?.properties.find(({ name }) => name === 'Reference')?.value).toBe('TH')
  expect(read?.properties.find(({ name }) => name === 'Datasheet')?.value).toBe('~')
})

test('[W-938] a sheet is placed with pins for the labels of its file, inputs on the left', () => {
  const given = context()
  const known = addSheet({ name: 'again', file: 'sensor.kicad_sch' }, mm(200, 50), given, newId)
  const labels = given.design.sheets[1]?.schematic.items.flatMap((item) =>
    item.kind === 'hierarchical_label' ? [{ name: item.text, isInput: item.shape === 'input' }] : [],
  )
  expect(known.type === 'addSheet' && known.pins.length > 0).toBe(true)
  expect(known).toMatchObject({ name: 'again', file: 'sensor.kicad_sch', instances: [{ page: '3' }] })
  expect(
    known.type === 'addSheet' &&
      known.pins.map(({ name, at, angle }) => ({ name, isInput: at.x === mm(200, 0).x && angle === 180 })),
  ).toEqual(labels?.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
  const fresh = addSheet({ name: 'new', file: 'new.kicad_sch' }, mm(200, 50), given, newId)
  expect(fresh).toMatchObject({ pins: [] })
  expect(itemsOf(make([known, fresh], given.document)).filter(({ kind }) => kind === 'sheet')).toHaveLength(3)
  expect([...filesAbove(given.design, given.sheet)]).toEqual(['lamp.kicad_sch'])
  const child = given.design.sheets[1]
  expect(child && [...filesAbove(given.design, child)]).toEqual(['lamp.kicad_sch', 'sensor.kicad_sch'])
})

test('[W-939] labels that have no pin yet get one beside those that are there', () => {
  const given = context()
  const box = itemsOf(given.document).find((item) => item.kind === 'sheet')
  const child = given.design.sheets[1]
  if (box?.kind !== 'sheet' || child === undefined) throw new Error('no sheet')
  expect(missingPins(box, child, newId)).toEqual([])
  const bare = { ...box, pins: [] }
  const pins = missingPins(bare, child, newId)
  expect(pins.map(({ name }) => name).toSorted()).toEqual(box.pins.map(({ name }) => name).toSorted())
  expect(new Set(pins.map(({ at }) => `${at.x} ${at.y}`)).size).toBe(pins.length)
  const [first] = pins
  const added =
    first &&
    make(
      [
        { type: 'delete', ids: box.pins.map(({ id }) => id) },
        { type: 'addSheetPin', sheet: box.id, ...first },
      ],
      given.document,
    )
  const after = added && itemsOf(added).find((item) => item.kind === 'sheet')
  expect(after?.kind === 'sheet' && after.pins).toMatchObject([{ name: first?.name, shape: first?.shape }])
  // Without room there is none, rather than one beside the box.
  expect(missingPins({ ...bare, size: mm(25.4, 2.54) }, child, newId)).toEqual([])
})
