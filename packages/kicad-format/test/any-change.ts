import * as fc from 'fast-check'
import type { SchematicChange } from '../src/index.ts'
import { RESISTOR, ROOT_ID, SHEET_6, SHEET_9, uuid } from './samples.ts'

const grid = fc.integer({ min: -50, max: 150 }).map((steps) => steps * 1_270_000)
const place = fc.record({ x: grid, y: grid })
const number = fc.oneof(
  fc.constantFrom(1, 2, 3, 4, 10, 11, 13, 20, 21, 22, 30, 33, 34, 90),
  fc.integer({ min: 500, max: 530 }),
)
const id = number.map(uuid)
const ids = fc.uniqueArray(id, { maxLength: 4 })
const fresh = fc.integer({ min: 500, max: 530 }).map(uuid)
const angle = fc.constantFrom(0, 90, 180, 270)
const words = fc.string({ minLength: 1, maxLength: 8 }).filter((one) => !one.includes('\0'))
const reference = fc.integer({ min: 1, max: 99 }).map((one) => `R${one}`)
const instance = { project: fc.constant('test'), path: fc.constantFrom(`/${ROOT_ID}`, '/else') }

/** Any change of these files, also those that make no sense. */
export const changes: fc.Arbitrary<SchematicChange> = fc.oneof(
  fc.record({ type: fc.constant('move' as const), ids, by: place }),
  fc.record({ type: fc.constant('rotate' as const), ids, about: place, turns: fc.constantFrom(1, 2, 3) }),
  fc.record({ type: fc.constant('mirror' as const), ids, about: place, axis: fc.constantFrom('x', 'y') }),
  fc.record({ type: fc.constant('delete' as const), ids: fc.uniqueArray(id, { maxLength: 2 }) }),
  fc.record({
    type: fc.constant('addLine' as const),
    kind: fc.constantFrom('wire', 'bus'),
    id: fresh,
    from: place,
    to: place,
  }),
  fc.record({
    type: fc.constant('addMark' as const),
    kind: fc.constantFrom('junction', 'no_connect'),
    id: fresh,
    at: place,
  }),
  fc.record({
    type: fc.constant('addLabel' as const),
    kind: fc.constantFrom('label', 'global_label', 'hierarchical_label'),
    id: fresh,
    text: words,
    at: place,
    angle,
  }),
  fc.record({ type: fc.constant('addText' as const), id: fresh, text: words, at: place, angle }),
  fc.record({
    type: fc.constant('addSymbol' as const),
    id: fresh,
    libId: fc.constantFrom('Device:R', 'Device:R_Small', 'My:R'),
    definition: fc.constant(RESISTOR),
    at: place,
    angle,
    unit: fc.constant(1),
    pinIds: fc.constant({}),
    instances: fc.array(fc.record({ ...instance, reference }), { maxLength: 1 }),
  }),
  fc.record({
    type: fc.constant('addSheet' as const),
    id: fresh,
    at: place,
    size: fc.constant({ x: 25_400_000, y: 12_700_000 }),
    name: words,
    file: words,
    pins: fc.constant([]),
    instances: fc.array(fc.record({ ...instance, page: words }), { maxLength: 1 }),
  }),
  fc.record({
    type: fc.constant('addSheetPin' as const),
    sheet: id,
    id: fresh,
    name: words,
    shape: fc.constantFrom('input', 'passive'),
    at: place,
    angle: fc.constantFrom(0, 180),
  }),
  fc.record({
    type: fc.constant('setProperty' as const),
    id,
    name: fc.constantFrom('Value', 'MPN', 'Note'),
    value: fc.option(words),
  }),
  fc.record({ type: fc.constant('setText' as const), id, text: words }),
  fc.record({
    type: fc.constant('annotate' as const),
    references: fc.array(fc.record({ ...instance, id, reference }), { maxLength: 2 }),
  }),
)

/** Files that changes begin with. */
export const starts = fc.constantFrom(
  SHEET_9,
  SHEET_6,
  SHEET_9.replaceAll('\n', '\r\n'),
  '(kicad_sch (version 20250114) (lib_symbols))',
)
