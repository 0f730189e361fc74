import { Ajv } from 'ajv'
import { anything, assert, property } from 'fast-check'
import type { Static } from 'typebox'
import { Check } from 'typebox/schema'
import { expect, expectTypeOf, test } from 'vitest'
import {
  checkLayout,
  type Layout,
  type LayoutChange,
  layoutChangeSchema,
  layoutSchema,
  type Place,
  placeSchema,
  type Tab,
  type tabSchema,
} from '../src/index.ts'
import { changeFrom, changeSeeds, layouts } from './arbitraries.ts'
import { draw, id } from './drawing.ts'

/** As the server's validator is set. */
const ajv = new Ajv({ removeAdditional: false, coerceTypes: false })
const isLayout = ajv.compile(layoutSchema)
const isChange = ajv.compile(layoutChangeSchema)

test('[D-10] every valid layout and every change is of the published shape, in both validators', () => {
  assert(
    property(layouts, changeSeeds, (layout, seed) => {
      const change = changeFrom(seed, layout)
      expect(isLayout(layout)).toBe(true)
      expect(Check(layoutSchema, layout)).toBe(true)
      expect(isChange(change)).toBe(true)
      expect(Check(layoutChangeSchema, change)).toBe(true)
      expect(isChange({ type: 'replace', layout })).toBe(true)
    }),
  )
})

/** Faults that a shape cannot know. */
const BEYOND_SHAPE =
  /must differ from|must sum to 1|sizes for|has no tabs|the id of a tab of the leaf$|null without tabs|one leaf more|one tab more/

test('[D-10] schema and check agree on what has the shape of a layout', () => {
  assert(
    property(layouts, anything(), (layout, value) => {
      for (const key of [...Object.keys(layout.root), 'unknown']) {
        const spoilt = { root: { ...layout.root, [key]: value } }
        const hasShape = checkLayout(spoilt).every(({ message }) => BEYOND_SHAPE.test(message))
        expect([key, isLayout(spoilt)]).toEqual([key, hasShape])
        expect([key, Check(layoutSchema, spoilt)]).toEqual([key, hasShape])
      }
    }),
  )
})

test('[D-10] the schemas are plain JSON without references', () => {
  const text = JSON.stringify([layoutSchema, layoutChangeSchema])
  expect(JSON.parse(text)).toEqual([layoutSchema, layoutChangeSchema])
  expect(text).not.toContain('"$')
  expect(text.length).toBeLessThan(90_000)
})

test('[D-10] a place is in a leaf, beside one, or at the border', () => {
  const fresh = { edge: 'left', newLeafId: id('N'), newSplitId: id('S') }
  const isPlace = (place: unknown) => Check(placeSchema, place)
  for (const place of [
    { leafId: id('A') },
    { leafId: id('A'), index: 0 },
    fresh,
    { ...fresh, leafId: id('A') },
  ])
    expect([place, isPlace(place)]).toEqual([place, true])
  for (const place of [
    {},
    { index: 0 },
    { leafId: id('A'), index: -1 },
    { leafId: id('A'), index: 0.5 },
    { ...fresh, index: 0 },
    { ...fresh, edge: 'middle' },
    { edge: 'left', newLeafId: id('N') },
    { leafId: 'A' },
  ])
    expect([place, isPlace(place)]).toEqual([place, false])
})

test('[D-10] a hostile depth is refused by the schema itself', () => {
  let root: unknown = draw('A[x*]').root
  for (let level = 0; level < 100_000; level += 1)
    root = { type: 'split', id: id('S'), direction: 'row', sizes: [0.5, 0.5], children: [root, root] }
  expect(isLayout({ root })).toBe(false)
  expect(Check(layoutSchema, { root })).toBe(false)
})

test('[D-10] schemas and types describe the same values', () => {
  type Mutable<Value> = Value extends string | number | boolean | null | undefined
    ? Value
    : { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
  expectTypeOf<Static<typeof layoutSchema>>().toEqualTypeOf<Layout>()
  expectTypeOf<Static<typeof tabSchema>>().toEqualTypeOf<Mutable<Tab>>()
  expectTypeOf<Mutable<Static<typeof placeSchema>>>().toExtend<Mutable<Place>>()
  expectTypeOf<Mutable<Place>>().toExtend<Static<typeof placeSchema>>()
  expectTypeOf<Mutable<Static<typeof layoutChangeSchema>>>().toExtend<Mutable<LayoutChange>>()
  expectTypeOf<Mutable<LayoutChange>>().toExtend<Mutable<Static<typeof layoutChangeSchema>>>()
})
