import { depth } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyChange,
  type Document,
  parse,
  REFUSALS,
  readSchematic,
  type SchematicChange,
  type TextEdit,
  textEdits,
  write,
} from '../src/index.ts'
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

const changes: fc.Arbitrary<SchematicChange> = fc.oneof(
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

const starts = fc.constantFrom(
  SHEET_9,
  SHEET_6,
  SHEET_9.replaceAll('\n', '\r\n'),
  '(kicad_sch (version 20250114) (lib_symbols))',
)

/** Ids that a change may touch. */
const touchedBy = (change: SchematicChange): readonly string[] =>
  'ids' in change ? change.ids : 'references' in change ? change.references.map((one) => one.id) : [change.id]

function applyEdits(before: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((one, other) => other.at - one.at)
    .reduce((so, { at, length, text: into }) => so.slice(0, at) + into + so.slice(at + length), before)
}

const plain = (document: Document) =>
  JSON.stringify(readSchematic(document), (key, value: unknown) =>
    key === 'node' || key === 'unknown' ? undefined : value,
  )

test('[KF-40] any sequence of changes is undone to the byte, and touches its own items alone', () => {
  const count = { made: 0, refused: 0 }
  fc.assert(
    fc.property(starts, fc.array(changes, { maxLength: 25, size: 'max' }), (start, sequence) => {
      const history: { readonly document: Document; readonly text: string }[] = [
        { document: parse(start), text: start },
      ]
      for (const change of sequence) {
        const last = history.at(-1)?.document ?? parse(start)
        const { document, refused } = applyChange(last, change)
        if (refused !== undefined) {
          count.refused += 1
          if (refused.message !== REFUSALS[refused.code]) throw new Error(refused.message)
          continue
        }
        count.made += 1
        const touched = new Set(touchedBy(change))
        const before = new Set(readSchematic(last)?.items)
        const others = readSchematic(document)?.items.filter(
          (item) => !before.has(item) && !touched.has(item.id),
        )
        expect(others).toEqual([])
        const text = write(document)
        const again = parse(text)
        expect(write(again)).toBe(text)
        expect(plain(again)).toBe(plain(document))
        history.push({ document, text })
      }
      for (const { document, text } of history.toReversed()) expect(write(document)).toBe(text)
    }),
    { numRuns: depth({ common: 60, deep: 3_000 }) },
  )
  // A walk that is refused all the way, or never, would prove little.
  expect(count.made).toBeGreaterThan(200)
  expect(count.refused).toBeGreaterThan(20)
})

test('[KF-51] the difference of two documents leads from one text to the other, and back', () => {
  fc.assert(
    fc.property(starts, fc.array(changes, { maxLength: 6 }), (start, sequence) => {
      const before = parse(start)
      const after = sequence.reduce(
        (document, change) => applyChange(document, change).document ?? document,
        before,
      )
      expect(applyEdits(start, textEdits(before, after))).toBe(write(after))
      expect(applyEdits(write(after), textEdits(after, before))).toBe(start)
    }),
    { numRuns: depth({ common: 100, deep: 3_000 }) },
  )
})

test('[KF-51] it touches what has changed and no more', () => {
  const before = parse(SHEET_9)
  const { document: after = before } = applyChange(before, {
    type: 'move',
    ids: [uuid(30)],
    by: { x: 1_270_000, y: 0 },
  })
  const edits = textEdits(before, after)
  expect(edits.map(({ at, length, text }) => [SHEET_9.slice(at, at + length), text])).toEqual([
    ['6.2', '7.47'],
  ])
  expect(textEdits(before, before)).toEqual([])
  const { document: without = before } = applyChange(before, { type: 'delete', ids: [uuid(21)] })
  expect(textEdits(before, without)).toMatchObject([{ text: '' }])
})
