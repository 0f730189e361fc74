import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { assert, nat, property } from 'fast-check'
import { expect } from 'vitest'
import { applyChange, emptyLayout, findTab, type Layout, type LayoutChange, tabs } from '../src/index.ts'
import { layouts } from './arbitraries.ts'
import { change, redraw, refusalOf } from './changing.ts'
import { draw, id, NO_SINGLETONS } from './drawing.ts'
import { rectanglesOf } from './geometry.ts'

const remove = (name: string): LayoutChange => ({ type: 'removeTab', tabId: id(name) })

test.each([
  ['A[x* y z]', 'x', 'A[y* z]'],
  ['A[x y* z]', 'y', 'A[x z*]'],
  ['A[x y z*]', 'z', 'A[x y*]'],
  ['A[x* y z]', 'y', 'A[x* z]'],
])('[D-20] %s without %s is %s', (before, name, after) => {
  expect(redraw(before, remove(name))).toBe(after)
})

test('[D-20] a tab that is gone is refused', () => {
  expect(refusalOf(draw('A[x*]'), remove('y'))).toBe('no_such_tab')
  expect(refusalOf(draw('A[x*]'), remove('A'))).toBe('no_such_tab')
})

test.each([
  [
    'its place goes to its siblings in proportion',
    'R:row(0.5 A[x*], 0.3 B[y*], 0.2 C[z*])',
    'x',
    'R:row(0.6 B[y*], 0.4 C[z*])',
  ],
  ['a split with one child left gives way', 'R:row(0.5 A[x*], 0.5 B[y*])', 'x', 'B[y*]'],
  [
    'so does one inside',
    'R:row(0.5 A[x*], 0.5 C:column(0.5 B[y*], 0.5 D[z*]))',
    'y',
    'R:row(0.5 A[x*], 0.5 D[z*])',
  ],
  [
    'splits that meet become one, sizes multiplied',
    'R:row(0.4 A[x*], 0.6 C:column(0.5 B[y*], 0.5 Q:row(0.25 D[z*], 0.75 E[w*])))',
    'y',
    'R:row(0.4 A[x*], 0.15 D[z*], 0.45 E[w*])',
  ],
  [
    'a split inside becomes the root',
    'R:row(0.4 A[x*], 0.6 C:column(0.5 B[y*], 0.5 D[z*]))',
    'x',
    'C:column(0.5 B[y*], 0.5 D[z*])',
  ],
  ['the last leaf stays, empty', 'A[x*]', 'x', 'A[]'],
])('[D-21] a leaf goes with its last tab: %s', (_, before, name, after) => {
  expect(redraw(before, remove(name))).toBe(after)
})

deepTest('[D-21] removing everything, in any order, leaves one empty leaf', () => {
  assert(
    property(layouts, nat(), (layout, start) => {
      let current = layout
      let last = current.root.id
      for (let at = start; tabs(current).length > 0; at += 7) {
        const tabId = tabs(current)[at % tabs(current).length]?.id ?? ''
        last = findTab(current, tabId)?.leaf.id ?? ''
        current = change(current, { type: 'removeTab', tabId })
      }
      expect(current).toEqual(emptyLayout(last))
    }),
  )
})

test('[D-21] when a tab goes, no other leaf shrinks, and the workspace stays full', () => {
  assert(
    property(layouts, (layout) => {
      const before = rectanglesOf(layout)
      for (const { id: tabId } of tabs(layout)) {
        const { layout: after } = applyChange(layout, { type: 'removeTab', tabId }, NO_SINGLETONS)
        expect(areaOf(after)).toBeCloseTo(1, 9)
        for (const [leafId, { width, height }] of rectanglesOf(after ?? layout)) {
          expect(width).toBeGreaterThan((before.get(leafId)?.width ?? 2) - 0.001)
          expect(height).toBeGreaterThan((before.get(leafId)?.height ?? 2) - 0.001)
        }
      }
    }),
    { numRuns: 50 },
  )
})

function areaOf(layout: Layout | undefined): number {
  const all = layout === undefined ? [] : [...rectanglesOf(layout).values()]
  return all.reduce((sum, { width, height }) => sum + width * height, 0)
}
