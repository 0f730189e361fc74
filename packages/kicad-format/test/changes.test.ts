import { describe, expect, test } from 'vitest'
import {
  annotationFor,
  applyChange,
  type Document,
  definitionsOf,
  netsOf,
  newSchematic,
  type PlacedSymbol,
  type Point,
  parse,
  pinsOf,
  REFUSALS,
  readDesign,
  readSchematic,
  type SchematicChange,
  type SchematicItem,
  wiresToDrag,
  write,
} from '../src/index.ts'
import { groupsOf } from './designs.ts'
import { netlistOfFiles, rulesBroken, whyNoKicad } from './kicad.ts'
import {
  drawFile,
  drawSheet,
  drawSymbol,
  drawWire,
  RESISTOR,
  ROOT_ID,
  SHEET_6,
  SHEET_9,
  SUPPLY,
  uuid,
} from './samples.ts'

const mm = (x: number, y: number): Point => ({ x: Math.round(x * 1e6), y: Math.round(y * 1e6) })
const made = (text: string | Document, ...changes: readonly SchematicChange[]): Document =>
  changes.reduce(
    (document, change) => {
      const outcome = applyChange(document, change)
      if (outcome.refused !== undefined) throw new Error(outcome.refused.message)
      return outcome.document
    },
    typeof text === 'string' ? parse(text) : text,
  )
const refusal = (change: SchematicChange, text = SHEET_9) => applyChange(parse(text), change).refused?.code
const schematicOf = (document: Document) => {
  const schematic = readSchematic(document)
  if (schematic === undefined) throw new Error('no schematic')
  return schematic
}
const itemIn = (document: Document, number: number): SchematicItem => {
  const found = schematicOf(document).items.find(({ id }) => id === uuid(number))
  if (found === undefined) throw new Error('no such item')
  return found
}
const symbolIn = (document: Document, number: number): PlacedSymbol => {
  const item = itemIn(document, number)
  if (item.kind !== 'symbol') throw new Error('no symbol')
  return item
}
const pinsIn = (document: Document, number: number) => {
  const symbol = symbolIn(document, number)
  const definition = definitionsOf(schematicOf(document))(symbol)
  return definition === undefined ? [] : pinsOf(symbol, definition).map(({ at }) => at)
}
/** Lines that are in one of two texts alone. */
const difference = (before: string, after: string) => {
  const [one, other] = [before, after].map((text) => text.split('\n'))
  return {
    gone: one?.filter((line) => other?.includes(line) !== true),
    come: other?.filter((line) => one?.includes(line) !== true),
  }
}

test('[KF-40] a change is undone by going back', () => {
  const document = parse(SHEET_9)
  const next = made(document, { type: 'delete', ids: [uuid(1), uuid(10)] })
  expect(write(next)).not.toBe(SHEET_9)
  expect(write(document)).toBe(SHEET_9)
})

test.each<SchematicChange>([
  { type: 'move', ids: [uuid(1)], by: mm(0, 0) },
  { type: 'move', ids: [], by: mm(1, 0) },
  { type: 'delete', ids: [] },
  { type: 'setProperty', id: uuid(1), name: 'Value', value: '10k' },
  { type: 'setText', id: uuid(30), text: 'OUT' },
  { type: 'annotate', references: [{ id: uuid(1), project: 'test', path: `/${ROOT_ID}`, reference: 'R1' }] },
])('[KF-40] what changes nothing gives the very same document: %j', (change) => {
  const document = parse(SHEET_9)
  expect(applyChange(document, change).document).toBe(document)
})

const NEW = uuid(700)
const symbol: Extract<SchematicChange, { type: 'addSymbol' }> = {
  type: 'addSymbol',
  id: NEW,
  libId: 'Device:R',
  at: mm(76.2, 50.8),
  angle: 0,
  unit: 1,
  value: '4k7',
  pinIds: { 1: uuid(701), 2: uuid(702) },
  instances: [{ project: 'test', path: `/${ROOT_ID}`, reference: 'R2' }],
}
const sheet: Extract<SchematicChange, { type: 'addSheet' }> = {
  type: 'addSheet',
  id: NEW,
  at: mm(200, 100),
  size: mm(20, 30),
  name: 'power',
  file: 'power.kicad_sch',
  pins: [{ id: uuid(701), name: 'VIN', shape: 'input', at: mm(200, 110), angle: 180 }],
  instances: [{ project: 'test', path: `/${ROOT_ID}`, page: '3' }],
}
const label = { type: 'addLabel', kind: 'label', id: NEW, text: 'A', at: mm(1, 1), angle: 0 } as const

test.each<readonly [string, SchematicChange]>([
  ['no_such_item', { type: 'move', ids: [uuid(1), uuid(998)], by: mm(1, 1) }],
  ['no_such_item', { type: 'delete', ids: [uuid(998)] }],
  ['no_such_item', { type: 'delete', ids: [ROOT_ID] }],
  ['bad_place', { type: 'move', ids: [uuid(1)], by: { x: 0.5, y: 0 } }],
  ['bad_place', { type: 'move', ids: [uuid(1)], by: { x: Number.NaN, y: 0 } }],
  ['bad_place', { type: 'move', ids: [uuid(1)], by: { x: 214_748_364_700, y: 0 } }],
  ['not_for_this', { type: 'move', ids: [], by: mm(1, 0), ends: [{ id: uuid(1), end: 'from' }] }],
  ['no_length', { type: 'addLine', kind: 'wire', id: NEW, from: mm(1, 1), to: mm(1, 1) }],
  ['no_length', { type: 'addBusEntry', id: NEW, at: mm(1, 1), size: mm(0, 0) }],
  ['no_length', { ...sheet, size: mm(0, 30) }],
  ['bad_angle', { ...label, angle: 45 }],
  ['bad_text', { ...label, text: '' }],
  ['bad_text', { ...label, text: 'a\0b' }],
  ['bad_text', { ...label, text: 'x'.repeat(10_001) }],
  ['bad_text', { ...label, kind: 'global_label', shape: 'input) (evil' }],
  ['not_for_this', { ...label, shape: 'input' }],
  ['no_definition', { ...symbol, libId: 'Device:C' }],
  ['bad_definition', { ...symbol, libId: 'Device:C', definition: '(symbol "C"' }],
  ['bad_definition', { ...symbol, libId: 'Device:C', definition: '(wire "C")' }],
  ['bad_definition', { ...symbol, libId: 'Device:C', definition: '(symbol "C") (symbol "D")' }],
  ['bad_definition', { ...symbol, libId: 'Device:C', definition: '(symbol "C" (extends "R"))' }],
  ['no_such_unit', { ...symbol, unit: 2 }],
  ['bad_reference', { ...symbol, instances: [{ project: 'test', path: '/', reference: 'R 1' }] }],
  [
    'bad_reference',
    { type: 'annotate', references: [{ id: uuid(1), project: '', path: '/', reference: 'R' }] },
  ],
  [
    'not_for_this',
    { type: 'annotate', references: [{ id: uuid(10), project: '', path: '/', reference: 'R1' }] },
  ],
  ['not_for_this', { type: 'setProperty', id: uuid(10), name: 'Value', value: 'x' }],
  ['not_for_this', { type: 'setText', id: uuid(10), text: 'x' }],
  ['no_such_property', { type: 'setProperty', id: uuid(1), name: 'MPN', value: null }],
  ['property_needed', { type: 'setProperty', id: uuid(1), name: 'Value', value: null }],
  ['property_needed', { type: 'setProperty', id: uuid(4), name: 'Sheetfile', value: null }],
  ['reference_is_annotated', { type: 'setProperty', id: uuid(1), name: 'Reference', value: 'R5' }],
  ['too_many_items', { type: 'delete', ids: Array.from({ length: 10_001 }, (_, at) => uuid(at)) }],
])('[KF-41] %s: %j', (code, change) => {
  const document = parse(SHEET_9)
  const { refused } = applyChange(document, change)
  expect(refused).toMatchObject({ code, message: REFUSALS[code as keyof typeof REFUSALS] })
  expect(write(document)).toBe(SHEET_9)
})

test('[KF-41] a board is no schematic', () => {
  expect(refusal({ type: 'delete', ids: [] }, '(kicad_pcb)')).toBe('not_a_schematic')
})

test.each([
  ['bad_id', 'not-an-id'],
  ['bad_id', uuid(700).replace('4000', '4A00')],
  ['bad_id', `${uuid(700)}"`],
  ['id_taken', uuid(1)],
  ['id_taken', uuid(400)],
])('[KF-42] %s: %s', (code, id) => {
  expect(refusal({ ...label, id })).toBe(code)
  expect(refusal({ ...symbol, pinIds: { 1: id } })).toBe(code)
  expect(refusal({ ...sheet, pins: sheet.pins.map((pin) => ({ ...pin, id })) })).toBe(code)
})

test('[KF-42] no two new things have the same id', () => {
  expect(refusal({ ...symbol, pinIds: { 1: NEW } })).toBe('id_taken')
})

test.each(['"))(evil', 'a\\', '\\"', 'one\ntwo', '(', ')', '#', '🎛', ' ', '"', '{slash}'])(
  '[KF-43] %j stays a text',
  (text) => {
    const document = made(
      SHEET_9,
      { ...label, text },
      { type: 'setText', id: uuid(30), text },
      { type: 'setProperty', id: uuid(1), name: text, value: text },
      { ...sheet, id: uuid(710), name: text, file: text, pins: [] },
      { ...symbol, id: uuid(720), pinIds: {}, value: text, footprint: text },
    )
    const again = parse(write(document))
    expect(itemIn(again, 700)).toMatchObject({ text })
    expect(itemIn(again, 30)).toMatchObject({ text })
    expect(itemIn(again, 710)).toMatchObject({ name: text, file: text })
    expect(symbolIn(again, 1).properties.at(-1)).toMatchObject({ name: text, value: text })
    expect(schematicOf(again).unknown.map(({ head }) => head)).toEqual(['hologram'])
    expect(again.rest).toBeUndefined()
  },
)

test('[KF-44] all that belongs to a symbol moves, and nothing else', () => {
  const after = write(made(SHEET_9, { type: 'move', ids: [uuid(1)], by: mm(2.54, -1.27) }))
  const { gone, come } = difference(SHEET_9, after)
  expect(gone).toHaveLength(5)
  expect(come).toEqual([
    '\t\t(at 53.34 49.53 0)',
    '\t\t\t(at 53.34 46.99 0)',
    '\t\t\t(at 53.34 52.07 0)',
    '\t\t\t(at 53.34 49.53 0)',
    '\t\t\t(at 53.34 49.53 0)',
  ])
  const back = made(after, { type: 'move', ids: [uuid(1)], by: mm(-2.54, 1.27) })
  expect(write(back)).toBe(SHEET_9)
})

test('[KF-44] a sheet moves with its pins, a bus entry keeps its size', () => {
  const document = made(SHEET_9, { type: 'move', ids: [uuid(4), uuid(22)], by: mm(1.27, 2.54) })
  expect(itemIn(document, 4)).toMatchObject({
    at: mm(153.67, 53.34),
    size: mm(25.4, 25.4),
    pins: [{ at: mm(153.67, 55.88) }, { at: mm(153.67, 58.42) }],
  })
  expect(itemIn(document, 22)).toMatchObject({ at: mm(77.47, 93.98), size: mm(2.54, -2.54) })
})

const netsIn = (document: Document) => groupsOf(netsOf(readDesign(new Map([['a', document]]), 'a')))

test('[KF-44] wires follow, so that the nets stay the same', () => {
  const resistor = (id: number, x: number) =>
    drawSymbol({ id, lib: 'Device:R', x, y: 50.8, reference: `R${id}` })
  const document = parse(
    drawFile([
      resistor(1, 50.8),
      resistor(2, 76.2),
      resistor(3, 101.6),
      drawWire(10, 50.8, 46.99, 76.2, 46.99),
      drawWire(11, 76.2, 46.99, 101.6, 46.99),
    ]),
  )
  const ids = [uuid(2)]
  const ends = wiresToDrag(schematicOf(document), ids)
  expect(ends).toEqual([
    { id: uuid(10), end: 'to' },
    { id: uuid(11), end: 'from' },
  ])
  const by = mm(0, 12.7)
  expect(netsIn(document)).toEqual(['R1.1 R2.1 R3.1'])
  expect(netsIn(made(document, { type: 'move', ids, by, ends }))).toEqual(['R1.1 R2.1 R3.1'])
  expect(netsIn(made(document, { type: 'move', ids, by }))).toEqual(['R1.1 R3.1'])
  const all = [uuid(2), uuid(10)]
  expect(itemIn(made(document, { type: 'move', ids: all, by, ends }), 10)).toMatchObject({
    from: mm(50.8, 59.69),
    to: mm(76.2, 59.69),
  })
  expect(wiresToDrag(schematicOf(document), [uuid(10)])).toEqual([{ id: uuid(11), end: 'from' }])
})

test.each([1, 2, 3] as const)('[KF-45] %d quarter turns take pins where they take the symbol', (turns) => {
  for (const number of [1, 3]) {
    const before = parse(SHEET_9)
    const about = mm(63.5, 76.2)
    const after = made(before, { type: 'rotate', ids: [uuid(number)], about, turns })
    const expected = pinsIn(before, number).map((pin) => {
      let [x, y] = [pin.x - about.x, pin.y - about.y]
      for (let turn = 0; turn < turns; turn++) [x, y] = [y, -x]
      return { x: x + about.x, y: y + about.y }
    })
    expect(pinsIn(after, number)).toEqual(expected)
  }
})

test.each(['x', 'y'] as const)('[KF-45] mirroring at %s takes pins where it takes the symbol', (axis) => {
  for (const number of [1, 3]) {
    const before = parse(SHEET_9)
    const about = mm(63.5, 76.2)
    const after = made(before, { type: 'mirror', ids: [uuid(number)], about, axis })
    const expected = pinsIn(before, number).map(({ x, y }) =>
      axis === 'x' ? { x, y: 2 * about.y - y } : { x: 2 * about.x - x, y },
    )
    expect(pinsIn(after, number)).toEqual(expected)
  }
})

const ALL = [1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 30, 31, 32, 33, 34, 90].map(uuid)

test.each<readonly [string, number, SchematicChange]>([
  ['quarter turns', 4, { type: 'rotate', ids: ALL, about: mm(101.6, 76.2), turns: 1 }],
  ['half turns', 2, { type: 'rotate', ids: ALL, about: mm(101.6, 76.2), turns: 2 }],
  ['reflections at x', 2, { type: 'mirror', ids: ALL, about: mm(101.6, 76.2), axis: 'x' }],
  ['reflections at y', 2, { type: 'mirror', ids: ALL, about: mm(101.6, 76.2), axis: 'y' }],
])('[KF-45] after %s of a whole sheet everything is where it was', (_, times, change) => {
  const document = parse(SHEET_9)
  const end = made(document, ...Array.from({ length: times }, () => change))
  const strip = (one: Document) =>
    schematicOf(one).items.map(
      ({ node: _node, ...item }) =>
        JSON.parse(JSON.stringify(item, (key, value) => (key === 'node' ? undefined : value))) as unknown,
    )
  expect(strip(end)).toEqual(strip(document))
  expect(netsIn(made(document, change))).toEqual(netsIn(document))
})

test('[KF-45] labels and texts turn, and their text goes away from their place', () => {
  const turned = made(SHEET_9, { type: 'rotate', ids: [uuid(30), uuid(33)], about: mm(0, 0), turns: 2 })
  expect(itemIn(turned, 30)).toMatchObject({ at: mm(-76.2, -63.5), angle: 180 })
  expect(write(turned)).toContain('(justify right)')
  const mirrored = made(SHEET_9, { type: 'mirror', ids: [uuid(4)], about: mm(165.1, 63.5), axis: 'y' })
  expect(itemIn(mirrored, 4)).toMatchObject({
    at: mm(152.4, 50.8),
    pins: [{ at: mm(177.8, 53.34), angle: 0 }, { at: mm(177.8, 55.88) }],
  })
})

test('[KF-46] deleting takes the item and its lines', () => {
  const before = SHEET_9.split('\n')
  const after = write(made(SHEET_9, { type: 'delete', ids: [uuid(30)] })).split('\n')
  const from = before.indexOf('\t(label "OUT"')
  expect(after).toEqual(before.toSpliced(from, before.length - after.length))
  expect(before.length - after.length).toBe(10)
})

test('[KF-46] a pin of a sheet', () => {
  const document = made(SHEET_9, { type: 'delete', ids: [uuid(400)] })
  expect(itemIn(document, 4)).toMatchObject({ pins: [{ name: 'OUT' }] })
})

test('[KF-46] what the root of KiCad 6 says of it', () => {
  const document = made(SHEET_6, { type: 'delete', ids: [uuid(1), uuid(4)] })
  expect(schematicOf(document).symbolInstances).toEqual([])
  expect(write(document)).toContain('\n  (sheet_instances\n    (path "/" (page "1"))\n  )\n')
})

/** The text of a new item, and the lines before it. */
const addedText = (text: string, change: SchematicChange) => {
  const after = write(made(text, change))
  let start = 0
  while (text[start] === after[start]) start += 1
  let end = 0
  while (end < text.length - start && text.at(-1 - end) === after.at(-1 - end)) end += 1
  expect(after.slice(0, start) + after.slice(after.length - end)).toBe(text)
  return after.slice(start, after.length - end)
}

describe('what is added', () => {
  test('[KF-47] a wire in a file of KiCad 9', () => {
    const added = write(
      made(SHEET_9, { type: 'addLine', kind: 'wire', id: NEW, from: mm(1.27, 2.54), to: mm(3.81, 2.54) }),
    )
    expect(added).toContain(
      `\t(wire\n\t\t(pts\n\t\t\t(xy 1.27 2.54) (xy 3.81 2.54)\n\t\t)\n\t\t(stroke\n\t\t\t(width 0)\n\t\t\t(type default)\n\t\t)\n\t\t(uuid "${NEW}")\n\t)\n\t(label "OUT"\n`,
    )
  })

  test('[KF-47] a wire and a no-connect in a file of KiCad 6', () => {
    const document = made(
      SHEET_6,
      { type: 'addLine', kind: 'wire', id: NEW, from: mm(1.27, 2.54), to: mm(3.81, 2.54) },
      { type: 'addMark', kind: 'no_connect', id: uuid(701), at: mm(5.08, 5.08) },
      { type: 'addLine', kind: 'bus', id: uuid(702), from: mm(1.27, 2.54), to: mm(3.81, 2.54) },
    )
    expect(write(document)).toContain(
      `\n  (wire (pts (xy 1.27 2.54) (xy 3.81 2.54))\n    (stroke (width 0) (type default) (color 0 0 0 0))\n    (uuid ${NEW})\n  )\n\n  (bus (pts`,
    )
    expect(write(document)).toContain(
      `\n  (no_connect (at 101.6 66.04) (uuid ${uuid(23)}))\n  (no_connect (at 5.08 5.08) (uuid ${uuid(701)}))\n\n`,
    )
  })

  test('[KF-47] line ends as the file has them', () => {
    const text = SHEET_9.replaceAll('\n', '\r\n')
    const after = write(made(text, symbol, { ...sheet, id: uuid(730), pins: [] }))
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
  })

  test.each([
    ['KiCad 9', SHEET_9],
    ['KiCad 6', SHEET_6],
    ['one line', '(kicad_sch (version 20250114) (uuid "x") (paper "A4") (lib_symbols))'],
    ['nothing', '(kicad_sch)'],
  ])('[KF-47] in a file of %s, everything says what it was told', (_, text) => {
    const document = made(
      text,
      { type: 'addLine', kind: 'bus', id: uuid(601), from: mm(1, 2), to: mm(3, 2) },
      { type: 'addBusEntry', id: uuid(602), at: mm(1, 2), size: mm(2.54, -2.54) },
      { type: 'addMark', kind: 'junction', id: uuid(603), at: mm(7, 8) },
      {
        type: 'addLabel',
        kind: 'hierarchical_label',
        id: uuid(604),
        text: 'H',
        shape: 'output',
        at: mm(1, 1),
        angle: 180,
      },
      { type: 'addLabel', kind: 'global_label', id: uuid(605), text: 'G', at: mm(1, 2), angle: 90 },
      { type: 'addLabel', kind: 'label', id: uuid(606), text: 'L', at: mm(1, 3), angle: 270 },
      { type: 'addText', id: uuid(607), text: 'T', at: mm(1, 4), angle: 0 },
      {
        ...sheet,
        id: uuid(608),
        pins: [{ id: uuid(609), name: 'P', shape: 'output', at: mm(220, 110), angle: 0 }],
      },
      { ...symbol, definition: RESISTOR, mirror: 'y', angle: 90, footprint: 'F:P' },
    )
    const again = parse(write(document))
    expect(write(again)).toBe(write(document))
    expect(itemIn(again, 601)).toMatchObject({ kind: 'bus', from: mm(1, 2), to: mm(3, 2) })
    expect(itemIn(again, 602)).toMatchObject({ kind: 'bus_entry', at: mm(1, 2), size: mm(2.54, -2.54) })
    expect(itemIn(again, 603)).toMatchObject({ kind: 'junction', at: mm(7, 8) })
    expect(itemIn(again, 604)).toMatchObject({ text: 'H', shape: 'output', angle: 180 })
    expect(itemIn(again, 605)).toMatchObject({ text: 'G', shape: 'input', angle: 90 })
    expect(itemIn(again, 606)).toMatchObject({ kind: 'label', text: 'L', shape: '', angle: 270 })
    expect(itemIn(again, 607)).toMatchObject({ kind: 'text', text: 'T', at: mm(1, 4) })
    expect(itemIn(again, 608)).toMatchObject({
      name: 'power',
      file: 'power.kicad_sch',
      size: mm(20, 30),
      pins: [{ id: uuid(609), name: 'P', shape: 'output' }],
    })
    expect(symbolIn(again, 700)).toMatchObject({
      libId: 'Device:R',
      at: mm(76.2, 50.8),
      angle: 90,
      mirror: 'y',
      unit: 1,
    })
    expect(
      symbolIn(again, 700)
        .properties.map(({ name, value }) => [name, value])
        .slice(0, 3),
    ).toEqual([
      ['Reference', 'R2'],
      ['Value', '4k7'],
      ['Footprint', 'F:P'],
    ])
    expect(symbolIn(again, 700).pins.map(({ number, id }) => [number, id])).toEqual([
      ['1', uuid(701)],
      ['2', uuid(702)],
    ])
    expect(schematicOf(again).library.map(({ id }) => id)).toContain('Device:R')
    const items = schematicOf(document).items.map(({ node }) => node)
    expect(new Set(items).size).toBe(items.length)
  })

  test('[KF-47] nothing else of the file changes', () => {
    for (const text of [SHEET_9, SHEET_6])
      for (const change of [
        label,
        sheet,
        symbol,
        { type: 'addMark', kind: 'junction', id: NEW, at: mm(1, 1) },
      ] as const) {
        if (text === SHEET_6 && change.type !== 'addLabel' && change.type !== 'addMark') continue
        expect(addedText(text, change).length).toBeGreaterThan(60)
      }
  })
})

test('[KF-48] a definition is there once, under the id of the library', () => {
  const definition = SUPPLY.replace('"power:+5V"', '"+5V"')
  const power: SchematicChange = {
    ...symbol,
    libId: 'power:+9V',
    definition,
    value: '+9V',
    pinIds: {},
    instances: [{ project: 'test', path: `/${ROOT_ID}`, reference: '#PWR02' }],
  }
  const document = made(SHEET_9, power, { ...power, id: uuid(750) })
  expect(schematicOf(document).library.map(({ id }) => id)).toEqual([
    'Device:R',
    'power:+9V',
    'power:GND',
    'power:+5V',
    'Test:SKEW',
  ])
  expect(
    symbolIn(document, 700)
      .properties.map(({ name, isHidden }) => [name, isHidden])
      .slice(0, 2),
  ).toEqual([
    ['Reference', true],
    ['Value', false],
  ])
})

test('[KF-48] the units of a definition are named after the id of the library, as KiCad needs it', () => {
  const small: SchematicChange = { ...symbol, libId: 'Device:R_Small', definition: RESISTOR, pinIds: {} }
  const text = write(made(SHEET_9, small))
  expect(text).toContain('(symbol "R_Small_0_1"')
  expect(text).toContain('(symbol "R_Small_1_1"')
  expect(text.match(/\(symbol "R_0_1"/g)).toHaveLength(1)
  const wrong = { ...small, libId: 'Device:X', definition: '(symbol "X" (symbol "drawing"))' }
  expect(applyChange(parse(SHEET_9), wrong).refused?.code).toBe('bad_definition')
})

test('[KF-48] the texts of a placed symbol are aligned as in the library', () => {
  const definition = `(symbol "R_Left" (property "Reference" "R" (at 2 1 0) (effects (font (size 1.27 1.27)) (justify left bottom))) (property "Value" "R_Left" (at 2 -1 0) (effects (font (size 1.27 1.27)))) (symbol "R_Left_1_1" (pin passive line (at 0 3.81 270) (length 1.27) (name "~") (number "1"))))`
  const document = made(SHEET_9, { ...symbol, libId: 'Device:R_Left', definition, pinIds: {} })
  const [reference, value] = symbolIn(document, 700).properties.map(({ node }) =>
    write({ ...document, roots: [node] }),
  )
  expect(reference).toContain('(justify left bottom)')
  expect(value).not.toContain('justify')
})

test('[KF-48] each unit has its own pins', () => {
  const ids = { 1: uuid(741), 2: uuid(742), 3: uuid(743), 4: uuid(744), 9: uuid(745) }
  const unit = (number: number) =>
    symbolIn(made(SHEET_9, { ...symbol, libId: 'Test:SKEW', unit: number, pinIds: ids }), 700).pins.map(
      ({ number: pin }) => pin,
    )
  expect(unit(1)).toEqual(['9', '1', '2', '3'])
  expect(unit(2)).toEqual(['9', '4'])
})

test('[KF-48] in a file of KiCad 6 the root has its reference', () => {
  const document = made(SHEET_6, symbol, { ...sheet, id: uuid(760), pins: [] })
  expect(schematicOf(document).symbolInstances.at(-1)).toMatchObject({
    path: `/${NEW}`,
    reference: 'R2',
    unit: 1,
  })
  expect(write(document)).toContain(`    (path "/${uuid(760)}" (page "3"))\n  )\n`)
  expect(
    netsOf(readDesign(new Map([['a', document]]), 'a')).flatMap(({ pins }) =>
      pins.map(({ reference }) => reference),
    ),
  ).toContain('R2')
})

test('[KF-49] a property is set, added and taken away', () => {
  const set = made(SHEET_9, { type: 'setProperty', id: uuid(1), name: 'Value', value: '22k' })
  expect(difference(SHEET_9, write(set))).toEqual({
    gone: ['\t\t(property "Value" "10k"'],
    come: ['\t\t(property "Value" "22k"'],
  })
  const added = made(SHEET_9, { type: 'setProperty', id: uuid(1), name: 'MPN', value: 'RC0603' })
  expect(symbolIn(added, 1).properties.at(-1)).toMatchObject({ name: 'MPN', value: 'RC0603', isHidden: true })
  expect(write(made(added, { type: 'setProperty', id: uuid(1), name: 'MPN', value: null }))).toBe(SHEET_9)
  const old = made(SHEET_6, { type: 'setProperty', id: uuid(1), name: 'MPN', value: 'RC0603' })
  expect(write(old)).toContain(
    '    (property "MPN" "RC0603" (id 3) (at 50.8 50.8 0)\n      (effects (font (size 1.27 1.27)) hide)\n    )\n    (pin "1"',
  )
  expect(
    itemIn(made(SHEET_9, { type: 'setProperty', id: uuid(4), name: 'Sheetname', value: 'amp' }), 4),
  ).toMatchObject({ name: 'amp' })
})

test('[KF-50] a reference in one place, and in another', () => {
  const here = { id: uuid(1), project: 'test', path: `/${ROOT_ID}`, reference: 'R42' }
  const document = made(SHEET_9, {
    type: 'annotate',
    references: [
      here,
      { ...here, path: '/elsewhere', reference: 'R43' },
      { ...here, project: 'other', path: '/third', reference: 'R44' },
    ],
  })
  expect(
    symbolIn(document, 1).instances.map(({ project, path, reference }) => [project, path, reference]),
  ).toEqual([
    ['test', `/${ROOT_ID}`, 'R42'],
    ['test', '/elsewhere', 'R43'],
    ['other', '/third', 'R44'],
  ])
  const old = made(SHEET_6, { type: 'annotate', references: [here] })
  expect(schematicOf(old).symbolInstances).toMatchObject([{ reference: 'R42' }])
  expect(symbolIn(old, 1).properties[0]?.value).toBe('R42')
})

test('[KF-50] what has no number gets the next that is free', () => {
  const resistor = (
    id: number,
    reference: string,
    x: number,
    y: number,
    places?: Readonly<Record<string, string>>,
  ) => drawSymbol({ id, lib: 'Device:R', x, y, reference, ...(places !== undefined && { places }) })
  const child = `/${ROOT_ID}/${uuid(4)}`
  const files = new Map([
    [
      'root',
      parse(
        drawFile([
          resistor(1, 'R?', 50, 80),
          resistor(2, 'R2', 0, 0),
          resistor(3, 'R?', 40, 50),
          resistor(5, '#PWR?', 9, 9),
          drawSheet({ id: 4, name: 'c', file: 'child', x: 9, y: 9 }),
        ]),
      ),
    ],
    ['child', parse(drawFile([resistor(1, 'R?', 9, 9, { [child]: 'R?' })], { id: uuid(998) }))],
  ])
  const changes = annotationFor(readDesign(files, 'root'), 'test')
  expect(
    [...changes].flatMap(([file, { references }]) =>
      references.map(({ id, path, reference }) => [file, id, path, reference]),
    ),
  ).toEqual([
    ['root', uuid(5), `/${ROOT_ID}`, '#PWR01'],
    ['root', uuid(3), `/${ROOT_ID}`, 'R1'],
    ['root', uuid(1), `/${ROOT_ID}`, 'R3'],
    ['child', uuid(1), child, 'R4'],
  ])
  for (const [file, change] of changes) files.set(file, made(files.get(file) ?? '', change))
  expect(annotationFor(readDesign(files, 'root'), 'test').size).toBe(0)
})

const noKicad = whyNoKicad()
const why = noKicad === undefined ? '' : `: ${noKicad}`

test('[KF-115] a new schematic is empty and can be changed', () => {
  const text = newSchematic(uuid(1))
  const document = parse(text)
  expect(schematicOf(document)).toMatchObject({ id: uuid(1), version: 20250114, items: [], unknown: [] })
  expect(write(document)).toBe(text)
  expect(schematicOf(made(text, { ...symbol, definition: RESISTOR })).items).toHaveLength(1)
})

test.skipIf(noKicad !== undefined)(`[KF-115] KiCad opens a new schematic without a remark${why}`, () => {
  expect(rulesBroken(newSchematic(uuid(1)))).toEqual([])
  expect(netlistOfFiles({ 'new.kicad_sch': newSchematic(uuid(1)) })).toEqual([])
})

const pin = { type: 'addSheetPin', id: uuid(710), name: 'OUT', shape: 'output', angle: 0 } as const

test.each([
  ['KiCad 9', SHEET_9],
  ['KiCad 6', SHEET_6],
])('[KF-116] a sheet in a file of %s gets a pin, also one that had none', (_, text) => {
  const bare = made(text, { ...sheet, pins: [] })
  const one = made(bare, { ...pin, sheet: NEW, at: mm(220, 110) })
  const two = made(one, {
    ...pin,
    id: uuid(711),
    name: 'IN',
    shape: 'input',
    angle: 180,
    sheet: NEW,
    at: mm(200, 110),
  })
  const item = itemIn(two, 700)
  expect(item.kind === 'sheet' && item.pins).toMatchObject([
    { id: uuid(710), name: 'OUT', shape: 'output', at: mm(220, 110), angle: 0 },
    { id: uuid(711), name: 'IN', shape: 'input', at: mm(200, 110), angle: 180 },
  ])
  expect(difference(write(bare), write(two)).gone).toEqual([])
  expect(applyChange(two, { ...pin, sheet: NEW, at: mm(220, 115) }).refused?.code).toBe('id_taken')
  expect(applyChange(two, { ...pin, id: uuid(712), sheet: uuid(1), at: mm(1, 1) }).refused?.code).toBe(
    'not_for_this',
  )
})

test.skipIf(noKicad !== undefined)(
  `[KF-116] KiCad connects a sheet through a pin that was added${why}`,
  () => {
    const child = drawFile(
      [
        drawSymbol({
          id: 1,
          lib: 'Device:R',
          x: 50.8,
          y: 50.8,
          reference: 'R9',
          places: { [`/${ROOT_ID}/${NEW}`]: 'R9' },
        }),
      ],
      { id: uuid(998) },
    )
    const port = {
      type: 'addLabel',
      kind: 'hierarchical_label',
      id: uuid(720),
      text: 'OUT',
      at: mm(50.8, 46.99),
      angle: 0,
      shape: 'output',
    } as const
    const root = made(
      drawFile([drawSymbol({ id: 2, lib: 'Device:R', x: 101.6, y: 50.8, reference: 'R2' })]),
      { ...sheet, at: mm(50.8, 40.64), size: mm(25.4, 12.7), file: 'child.kicad_sch', pins: [] },
      { ...pin, sheet: NEW, at: mm(76.2, 46.99) },
      { type: 'addLine', kind: 'wire', id: uuid(721), from: mm(76.2, 46.99), to: mm(101.6, 46.99) },
    )
    const nets = netlistOfFiles({
      'root.kicad_sch': write(root),
      'child.kicad_sch': write(made(child, port)),
    })
    expect(nets.map(({ pins }) => pins.toSorted().join(' '))).toContain('R2.1 R9.1')
  },
)
