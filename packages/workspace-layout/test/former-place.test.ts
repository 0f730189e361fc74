import { assert, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { type Layout, placeAgain, placeOfTab, tabs } from '../src/index.ts'
import { layouts } from './arbitraries.ts'
import { change } from './changing.ts'
import { draw, id, show } from './drawing.ts'

const SPARE = { newLeafId: id('N'), newSplitId: id('S') }

/** Closes a tab, changes the rest as told, and puts it back. */
function closeAndReopen(layout: Layout, tabId: string, between = (rest: Layout) => rest): Layout {
  const tab = tabs(layout).find((one) => one.id === tabId)
  const place = placeOfTab(layout, tabId)
  if (tab === undefined || place === undefined) throw new Error('no such tab')
  const rest = between(change(layout, { type: 'removeTab', tabId }))
  return change(rest, { type: 'addTab', tab, at: placeAgain(rest, place, SPARE) })
}

test.each([
  ['among its neighbors', 'A[x y* z]', 'y', 'A[x y* z]'],
  [
    'to the left of the leaf that was beside it',
    'R:row(0.5 A[x*], 0.5 B[y*])',
    'x',
    'S:row(0.5 N[x*], 0.5 B[y*])',
  ],
  ['to the right', 'R:row(0.5 A[x*], 0.5 B[y*])', 'y', 'S:row(0.5 A[x*], 0.5 N[y*])'],
  ['below', 'R:column(0.5 A[x*], 0.5 B[y*])', 'y', 'S:column(0.5 A[x*], 0.5 N[y*])'],
  ['into the only leaf', 'A[x*]', 'x', 'A[x*]'],
])('[D-306] a tab is put back %s', (_, before, name, after) => {
  expect(show(closeAndReopen(draw(before), id(name)))).toBe(after)
})

test('[D-306] where nothing near it is left it goes into the first leaf', () => {
  const elsewhere = draw('C[z*]')
  expect(show(closeAndReopen(draw('R:row(0.5 A[x*], 0.5 B[y*])'), id('x'), () => elsewhere))).toBe('C[z x*]')
})

test('[D-306] whatever was closed can be put back', () => {
  assert(
    property(layouts, nat(), (layout, at) => {
      const all = tabs(layout)
      const tab = all[at % Math.max(1, all.length)]
      if (tab === undefined) return
      const again = closeAndReopen(layout, tab.id)
      expect(
        tabs(again)
          .map((one) => one.id)
          .toSorted(),
      ).toEqual(all.map((one) => one.id).toSorted())
    }),
  )
})
