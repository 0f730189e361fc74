import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { KICAD_LIMITS, netOfPin, netsOf, parse, readDesign, TangledNetsError } from '../src/index.ts'
import { readBus } from '../src/nets/bus.ts'
import { createWork } from '../src/nets/work.ts'
import { connected, designOf, inOneSheet } from './designs.ts'
import { drawFile, drawLabel, drawMark, drawSheet, drawSymbol, drawWire, ROOT_ID, uuid } from './samples.ts'

/** A resistor whose pin 1 is at (x, y - 3.81) and pin 2 at (x, y + 3.81). */
const resistor = (id: number, x: number, y = 50.8, places?: Readonly<Record<string, string>>) =>
  drawSymbol({ id, lib: 'Device:R', x, y, reference: `R${id}`, ...(places !== undefined && { places }) })
const TOP = 46.99

test.each([
  ['ends that meet', [drawWire(10, 50, TOP, 60, TOP)], ['R1.1 R2.1']],
  ['two wires, end to end', [drawWire(10, 50, TOP, 55, 30), drawWire(11, 55, 30, 60, TOP)], ['R1.1 R2.1']],
  ['a gap', [drawWire(10, 50, TOP, 59.9, TOP)], []],
  [
    'a wire that ends on another',
    [drawWire(10, 50, TOP, 50, 30), drawWire(11, 40, 30, 70, 30), drawWire(12, 60, TOP, 60, 30)],
    [],
  ],
  [
    'wires that cross, with a junction',
    [
      drawWire(10, 50, TOP, 50, 20),
      drawWire(11, 40, 30, 60, 30),
      drawWire(12, 60, 30, 60, TOP),
      drawMark(13, 'junction', 50, 30),
    ],
    ['R1.1 R2.1'],
  ],
  [
    'wires that cross',
    [drawWire(10, 50, TOP, 50, 20), drawWire(11, 40, 30, 60, 30), drawWire(12, 60, 30, 60, TOP)],
    [],
  ],
  [
    'a label in the middle of a wire',
    [
      drawWire(10, 50, TOP, 50, 20),
      drawLabel(11, 'label', 'A', 50, 30),
      drawLabel(12, 'label', 'A', 60, TOP),
    ],
    ['R1.1 R2.1'],
  ],
  [
    'a wire on a bus',
    [drawWire(10, 50, TOP, 50, 30), drawWire(11, 50, 30, 60, 30, 'bus'), drawWire(12, 60, 30, 60, TOP)],
    [],
  ],
  [
    'a slanted wire with a label on it',
    [
      drawWire(10, 50, TOP, 56, TOP - 6),
      drawLabel(11, 'label', 'A', 53, TOP - 3),
      drawLabel(12, 'label', 'A', 60, TOP),
    ],
    ['R1.1 R2.1'],
  ],
])('[KF-60] %s', (_, items, groups) => {
  expect(inOneSheet(resistor(1, 50), resistor(2, 60), ...items)).toEqual(groups)
})

test('[KF-60] pins that touch', () => {
  expect(inOneSheet(resistor(1, 50), resistor(2, 50, 58.42))).toEqual(['R1.2 R2.1'])
})

const two = (kind: 'label' | 'global_label' | 'hierarchical_label', one: string, other: string) =>
  inOneSheet(
    resistor(1, 50),
    resistor(2, 60),
    drawLabel(10, kind, one, 50, TOP),
    drawLabel(11, kind, other, 60, TOP),
  )

test('[KF-61] labels of one sheet', () => {
  for (const kind of ['label', 'global_label', 'hierarchical_label'] as const) {
    expect(two(kind, 'A', 'A')).toEqual(['R1.1 R2.1'])
    expect(two(kind, 'A', 'B')).toEqual([])
  }
  expect(two('label', 'A/B', 'A{slash}B')).toEqual(['R1.1 R2.1'])
})

test('[KF-61] power symbols, by their value', () => {
  const ground = (id: number, x: number, value: string) =>
    drawSymbol({ id, lib: 'power:GND', x, y: TOP, reference: '#PWR01', value })
  const nets = (one: string, other: string) =>
    inOneSheet(resistor(1, 50), resistor(2, 60), ground(10, 50, one), ground(11, 60, other))
  expect(nets('GND', 'GND')).toEqual(['R1.1 R2.1'])
  expect(nets('GND', 'GNDA')).toEqual([])
})

test('[KF-61] hidden power pins of other symbols, by their name', () => {
  const part = drawSymbol({ id: 3, lib: 'Test:SKEW', x: 100, y: 100, reference: 'U1' })
  expect(inOneSheet(resistor(1, 50), drawLabel(10, 'global_label', 'VDD', 50, TOP), part)).toEqual([
    'R1.1 U1.9',
  ])
})

const CHILD = `/${ROOT_ID}/${uuid(4)}`
const OTHER = `/${ROOT_ID}/${uuid(5)}`

test.each<readonly [string, 'label' | 'global_label' | 'hierarchical_label', readonly string[]]>([
  ['a sheet pin and its label', 'hierarchical_label', ['R1.1 R2.1']],
  ['a local label, which does not leave its sheet', 'label', []],
  ['a global label is not the sheet pin', 'global_label', []],
])('[KF-61] %s', (_, kind, groups) => {
  const files = {
    'root.kicad_sch': [
      resistor(1, 50),
      drawSheet({ id: 4, name: 'child', file: 'child.kicad_sch', x: 70, y: TOP - 2.54, pins: ['IN'] }),
      drawWire(10, 50, TOP, 70, TOP),
    ],
    'child.kicad_sch': [resistor(2, 60, 50.8, { [CHILD]: 'R2' }), drawLabel(11, kind, 'IN', 60, TOP)],
  }
  expect(connected(files)).toEqual(groups)
})

test('[KF-63] a file that is used twice', () => {
  const sheet = (id: number, x: number) =>
    drawSheet({ id, name: `s${id}`, file: 'child.kicad_sch', x, y: TOP - 2.54, pins: ['IN'] })
  const files = {
    'root.kicad_sch': [resistor(1, 50), drawWire(10, 50, TOP, 70, TOP), sheet(4, 70), sheet(5, 120)],
    'child.kicad_sch': [
      resistor(2, 60, 50.8, { [CHILD]: 'R2', [OTHER]: 'R12' }),
      resistor(3, 80, 50.8, { [CHILD]: 'R3', [OTHER]: 'R13' }),
      drawLabel(11, 'hierarchical_label', 'IN', 60, TOP),
      drawWire(12, 60, 54.61, 80, 54.61),
    ],
  }
  expect(connected(files)).toEqual(['R1.1 R2.1', 'R12.2 R13.2', 'R2.2 R3.2'])
})

test('[KF-63] without a reference for this place, that of the symbol', () => {
  const files = {
    'root.kicad_sch': [drawSheet({ id: 4, name: 'child', file: 'child.kicad_sch', x: 70, y: 70 })],
    'child.kicad_sch': [
      resistor(2, 50, 50.8, { '/elsewhere': 'R9' }),
      resistor(3, 50, 58.42, { [CHILD]: 'R33' }),
    ],
  }
  expect(connected(files)).toEqual(['R2.2 R33.1'])
})

const bus = (pin: string, root: readonly string[], child: readonly string[]) =>
  connected({
    'root.kicad_sch': [
      resistor(1, 50),
      ...root,
      drawWire(20, 70, TOP, 60, TOP, 'bus'),
      drawSheet({ id: 4, name: 'child', file: 'child.kicad_sch', x: 70, y: TOP - 2.54, pins: [pin] }),
    ],
    'child.kicad_sch': [
      resistor(2, 60, 50.8, { [CHILD]: 'R2' }),
      drawLabel(40, 'hierarchical_label', pin, 100, 100),
      drawWire(41, 100, 100, 110, 100, 'bus'),
      ...child,
    ],
  })
const label = (id: number, text: string, x: number) => drawLabel(id, 'label', text, x, TOP)

test.each([
  ['a vector of the same name', 'D[0..7]', 'D[0..7]', 'D3', 'D3', true],
  ['another signal of it', 'D[0..7]', 'D[0..7]', 'D3', 'D4', false],
  ['a vector of another name, by position', 'D[0..7]', 'A[8..15]', 'A11', 'D3', true],
  ['a group, by name', 'USB{DP DM}', 'PORT{DM DP}', 'PORT.DP', 'USB.DP', true],
  ['a group without a name', '{SDA SCL}', '{SDA SCL}', 'SDA', 'SDA', true],
  ['a vector in a group', '{CS D[0..3]}', 'X{CS D[0..3]}', 'X.D2', 'D2', true],
  ['signals separated by commas', '{SDA, SCL}', '{SDA, SCL}', 'SCL', 'SCL', true],
])('[KF-62] %s', (_, pin, busLabel, inRoot, inChild, isConnected) => {
  const groups = bus(
    pin,
    [label(30, busLabel, 65), label(31, inRoot, 50)],
    [drawLabel(42, 'label', inChild, 60, TOP)],
  )
  expect(groups).toEqual(isConnected ? ['R1.1 R2.1'] : [])
})

test('[KF-62] an alias of another sheet', () => {
  const alias = '(bus_alias "I2C" (members "SDA" "SCL"))'
  const root = [label(30, '{I2C}', 65), label(31, 'SDA', 50)]
  expect(bus('{I2C}', root, [alias, drawLabel(42, 'label', 'SDA', 60, TOP)])).toEqual(['R1.1 R2.1'])
})

const membersOf = (text: string, aliases: readonly (readonly [string, readonly string[]])[] = []) =>
  readBus(text, new Map(aliases), createWork())?.members.map(({ name }) => name)

test.each([
  ['D[0..2]', ['D0', 'D1', 'D2']],
  ['D[2..0]', ['D0', 'D1', 'D2']],
  ['CLK[0..1]+', ['CLK0+', 'CLK1+']],
  ['{A B}', ['A', 'B']],
  ['BUS{A B}', ['BUS.A', 'BUS.B']],
  ['~{CS}', undefined],
  ['A_{1}', undefined],
  ['${VAR}', undefined],
  ['A{slash}B', undefined],
  ['D3', undefined],
  ['D[x..y]', undefined],
  ['{~{RESET} CLK}', ['~{RESET}', 'CLK']],
])('[KF-62] %s', (text, names) => {
  expect(membersOf(text)).toEqual(names)
})

test('[KF-62] no name of a bus is longer than it may be, or endless', () => {
  expect(membersOf('D[0..999999999]')).toHaveLength(KICAD_LIMITS.busMembers)
  const aliases = [
    ['A', ['B', 'B', 'X']],
    ['B', ['A', 'Y']],
  ] as const
  expect(membersOf('{A}', aliases)).toContain('X')
  const wide = Array.from(
    { length: 12 },
    (_, at) => [`L${at}`, Array.from({ length: 30 }, () => `L${at + 1}`)] as const,
  )
  expect(membersOf('{L0}', wide)?.length).toBeLessThanOrEqual(KICAD_LIMITS.busMembers)
})

test('[KF-64] sheets that cannot be read are named', () => {
  const sheet = (id: number, file: string) => drawSheet({ id, name: `s${id}`, file, x: 10 * id, y: 10 })
  const design = readDesign(
    new Map([
      [
        'a/root.kicad_sch',
        parse(
          drawFile([
            sheet(4, 'sub\\\\child.kicad_sch'),
            sheet(5, 'gone.kicad_sch'),
            sheet(6, '../board.kicad_pcb'),
          ]),
        ),
      ],
      [
        'a/sub/child.kicad_sch',
        parse(drawFile([sheet(7, '../root.kicad_sch'), sheet(8, 'child.kicad_sch')])),
      ],
      ['board.kicad_pcb', parse('(kicad_pcb)')],
    ]),
    'a/root.kicad_sch',
  )
  expect(design.sheets.map(({ name, file }) => [name, file])).toEqual([
    ['/', 'a/root.kicad_sch'],
    ['/s4/', 'a/sub/child.kicad_sch'],
  ])
  expect(design.faults.map(({ code, name }) => [code, name])).toEqual([
    ['missing_file', '/s5/'],
    ['not_a_schematic', '/s6/'],
    ['cyclic', '/s4/s7/'],
    ['cyclic', '/s4/s8/'],
  ])
  expect(readDesign(new Map(), 'x').faults).toMatchObject([{ code: 'missing_file' }])
})

test('[KF-64] sheets that multiply are bounded', () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `${level}.kicad_sch`,
      Array.from({ length: 10 }, (__, at) =>
        drawSheet({ id: 100 + at, name: `${at}`, file: `${level + 1}.kicad_sch`, x: at, y: at }),
      ),
    ]),
  )
  const wide = designOf(files)
  expect(wide.sheets).toHaveLength(KICAD_LIMITS.sheets)
  expect(wide.faults.at(-1)?.code).toBe('too_many_sheets')
  const chain = Object.fromEntries(Object.entries(files).map(([name, items]) => [name, items.slice(0, 1)]))
  expect(designOf(chain).sheets).toHaveLength(KICAD_LIMITS.sheetDepth)
  expect(designOf(chain).faults).toMatchObject([{ code: 'too_deep' }])
})

test('[KF-65] what is connected to a pin', () => {
  const nets = netsOf(
    designOf({
      'root.kicad_sch': [
        resistor(1, 50),
        resistor(2, 60),
        drawWire(10, 50, TOP, 60, TOP),
        drawLabel(11, 'label', 'OUT', 55, TOP),
        drawLabel(12, 'global_label', 'CLOCK', 60, TOP),
        drawMark(13, 'no_connect', 50, 54.61),
      ],
    }),
  )
  expect(netOfPin(nets, 'R2', '1')).toMatchObject({
    name: 'CLOCK',
    labels: ['/OUT', 'CLOCK'],
    isNoConnect: false,
    items: [uuid(10), uuid(11), uuid(12)].map((id) => ({ id, path: `/${ROOT_ID}` })),
    pins: [
      { reference: 'R1', number: '1', type: 'passive', symbolId: uuid(1) },
      { reference: 'R2', number: '1', type: 'passive', symbolId: uuid(2) },
    ],
  })
  expect(netOfPin(nets, 'R1', '2')).toMatchObject({ name: 'Net-(R1-Pad2)', labels: [], isNoConnect: true })
  expect(netOfPin(nets, 'R9', '1')).toBeUndefined()
})

const many = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))
const junctions = (count: number) =>
  many(count, (index) => drawMark(20_000 + index, 'junction', 1.27 * index, 5.08))
const name = (index: number) => `${'N'.repeat(1 + (index % 7))}${index}`
const nested = (levels: number, alias: (level: number) => string) =>
  many(levels, (level) => `(bus_alias "A${level}" (members ${alias(level)}))`)

deepTest.each<readonly [string, () => Readonly<Record<string, readonly string[]>>]>([
  [
    'junctions among slanted wires',
    () => ({
      a: [...many(4_000, (index) => drawWire(index, 0, 0, 127, 1.27 * index + 5.08)), ...junctions(4_000)],
    }),
  ],
  [
    'junctions on wires in one row',
    () => ({
      a: [...many(4_000, (index) => drawWire(index, 0, 5.08, index + 1, 5.08)), ...junctions(4_000)],
    }),
  ],
  [
    'wires in one column',
    () => ({
      a: [
        ...many(4_000, (index) => drawWire(index, 5.08, 0, 5.08, index + 1)),
        ...many(4_000, (index) => drawLabel(20_000 + index, 'label', 'A', 5.08, 1.27 * index)),
      ],
    }),
  ],
  [
    'bus entries on slanted buses',
    () => ({
      a: many(4_000, (index) => [
        drawWire(index, 0, 0, 127, 1.27 * index + 5.08, 'bus'),
        `(bus_entry (at ${1.27 * index} 5.08) (size 2.54 2.54) (uuid "${uuid(20_000 + index)}"))`,
      ]).flat(),
    }),
  ],
  [
    'a bus of many labels',
    () => ({
      a: [
        drawWire(1, 0, 0, 0, 2_540, 'bus'),
        ...many(2_000, (index) => drawLabel(10 + index, 'label', `${name(index)}[0..1023]`, 0, 1.27 * index)),
      ],
    }),
  ],
  [
    'a bus of many groups',
    () => {
      const members = many(1_000, (index) => `S${index}`).join(' ')
      return {
        a: [
          drawWire(1, 0, 0, 0, 2_540, 'bus'),
          ...many(2_000, (index) =>
            drawLabel(10 + index, 'label', `${name(index)}{${members}}`, 0, 1.27 * index),
          ),
        ],
      }
    },
  ],
  [
    'aliases of aliases without a signal',
    () => ({
      a: [
        ...nested(12, (level) => many(20, () => `"A${level + 1}"`).join(' ')).slice(0, -1),
        '(bus_alias "A11" (members))',
        drawLabel(1, 'label', '{A0}', 0, 0),
      ],
    }),
  ],
  [
    'a long chain of aliases',
    () => ({ a: [...nested(20_000, (level) => `"A${level + 1}"`), drawLabel(1, 'label', '{A0}', 0, 0)] }),
  ],
  [
    'a sheet that is used very often',
    () => ({
      a: many(900, (index) =>
        drawSheet({ id: 1_000 + index, name: `${index}`, file: 'b', x: index, y: index }),
      ),
      b: many(1_000, (index) => drawMark(index, 'no_connect', index, 0)),
    }),
  ],
  [
    'a symbol of many pins that is used very often',
    () => {
      const pins = many(
        1_000,
        (index) => `(pin passive line (at 0 ${index} 0) (length 1) (name "") (number "${index}"))`,
      )
      const comb = `(symbol "X:C" (symbol "C_1_1" ${pins.join('')}))`
      return {
        a: [
          `(lib_symbols ${comb})`,
          ...many(1_000, (index) =>
            drawSymbol({ id: index, lib: 'X:C', x: index, y: 0, reference: `C${index}` }),
          ),
        ],
      }
    },
  ],
])('[KF-111] %s is refused soon', { timeout: 60_000 }, (_, draw) => {
  const files = Object.entries(draw()).map(([file, items]) => {
    const flat = `(kicad_sch (version 20250114) (uuid "${ROOT_ID}") ${items.join('\n')})`
    return [file, parse(flat)] as const
  })
  const design = readDesign(new Map(files), 'a')
  expect(() => netsOf(design)).toThrow(TangledNetsError)
})

test('[KF-111] a sheet that is merely large has its nets', () => {
  const rows = many(5_000, (index) => [
    drawWire(3 * index, 0, 2.54 * index, 25.4, 2.54 * index),
    drawLabel(3 * index + 1, 'label', `N${index % 100}`, 12.7, 2.54 * index),
    drawMark(3 * index + 2, 'junction', 5.08, 2.54 * index),
  ])
  const design = designOf({ a: [...rows.flat(), resistor(100_001, 25.4, 3.81)] })
  expect(netOfPin(netsOf(design), 'R100001', '1')).toMatchObject({ name: '/N0', labels: ['/N0'] })
})
