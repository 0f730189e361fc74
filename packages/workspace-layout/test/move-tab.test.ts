import { assert, pre, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyChange, type Edge, findTab, type LayoutChange, type Place, tabs } from '../src/index.ts'
import { changeFrom, changeSeeds, layoutRules, layouts } from './arbitraries.ts'
import { change, redraw, refusalOf } from './changing.ts'
import { draw, id } from './drawing.ts'

const move = (name: string, to: Place, activate?: boolean): LayoutChange => ({
  type: 'moveTab',
  tabId: id(name),
  to,
  ...(activate !== undefined && { activate }),
})
const edge = (where: Edge, leaf?: string) => ({
  edge: where,
  newLeafId: id('N'),
  newSplitId: id('S'),
  ...(leaf !== undefined && { leafId: id(leaf) }),
})

describe('within its leaf', () => {
  test.each<[string, LayoutChange, string]>([
    ['to an index among the others', move('x', { leafId: id('A'), index: 1 }), 'A[y x* z]'],
    ['to the end', move('x', { leafId: id('A') }), 'A[y z x*]'],
    ['beyond the end', move('x', { leafId: id('A'), index: 9 }), 'A[y z x*]'],
    ['without activating it', move('x', { leafId: id('A'), index: 1 }, false), 'A[y* x z]'],
  ])('[D-22] %s', (_, made, after) => {
    expect(redraw('A[x y* z]', made)).toBe(after)
  })

  test('[D-22] an active tab stays active even if that is not asked', () => {
    expect(redraw('A[x y* z]', move('y', { leafId: id('A'), index: 0 }, false))).toBe('A[y* x z]')
  })
})

describe('to another place', () => {
  const before = 'R:row(0.5 A[x y*], 0.3 B[z*], 0.2 C[w*])'

  test.each<[string, LayoutChange, string]>([
    ['another leaf', move('y', { leafId: id('B'), index: 0 }), 'R:row(0.5 A[x*], 0.3 B[y* z], 0.2 C[w*])'],
    [
      'another leaf, in the background',
      move('y', { leafId: id('B') }, false),
      'R:row(0.5 A[x*], 0.3 B[z* y], 0.2 C[w*])',
    ],
    [
      'another leaf, the last of its own',
      move('z', { leafId: id('C') }),
      'R:row(0.7143 A[x y*], 0.2857 C[w z*])',
    ],
    [
      'beside its own leaf',
      move('x', edge('left', 'A')),
      'R:row(0.25 N[x*], 0.25 A[y*], 0.3 B[z*], 0.2 C[w*])',
    ],
    [
      'below its own leaf',
      move('y', edge('bottom', 'A'), false),
      'R:row(0.5 S:column(0.5 A[x*], 0.5 N[y*]), 0.3 B[z*], 0.2 C[w*])',
    ],
    [
      'beside another leaf, the last of its own',
      move('z', edge('right', 'C')),
      'R:row(0.7142 A[x y*], 0.1429 C[w*], 0.1429 N[z*])',
    ],
    ['the border', move('w', edge('top')), 'S:column(0.5 N[w*], 0.5 R:row(0.625 A[x y*], 0.375 B[z*]))'],
  ])('[D-22] %s', (_, made, after) => {
    expect(redraw(before, made)).toBe(after)
  })

  test('[D-12] an unknown tab or leaf is refused', () => {
    expect(refusalOf(draw(before), move('q', { leafId: id('A') }))).toBe('no_such_tab')
    expect(refusalOf(draw(before), move('x', { leafId: id('R') }))).toBe('no_such_leaf')
    expect(refusalOf(draw(before), move('x', edge('left', 'q')))).toBe('no_such_leaf')
  })

  test('[D-12] a move that would need a 65th leaf is refused, unless a leaf goes with it', () => {
    const names = Array.from({ length: 64 }, (_, at) => at.toString().padStart(2, '0'))
    const parts = names.map(
      (name) => `${name === '00' ? 0.0163 : 0.0156} L${name}[t${name}*${name === '00' ? ' u' : ''}]`,
    )
    const full = draw(`R:row(${parts.join(', ')})`)
    const sized = change(full, { type: 'resizeSplit', splitId: id('R'), sizes: names.map(() => 1) })
    expect(refusalOf(sized, move('u', edge('right')))).toBe('too_many_leaves')
    expect(tabs(change(sized, move('t05', edge('right'))))).toHaveLength(65)
  })
})

describe('to where it is', () => {
  test.each<[string, string, LayoutChange]>([
    ['the only tab of a leaf beside that leaf', 'R:row(0.5 A[x*], 0.5 B[y*])', move('x', edge('top', 'A'))],
    ['the only tab of all beside its leaf', 'A[x*]', move('x', edge('left', 'A'))],
    ['the only tab of all to the border', 'A[x*]', move('x', edge('left'))],
    ['a tab to its own index', 'A[x y* z]', move('y', { leafId: id('A'), index: 1 })],
    ['the last tab to the end', 'A[x y*]', move('y', { leafId: id('A') })],
  ])('[D-23] %s: nothing changes', (_, drawing, made) => {
    const layout = draw(drawing)
    expect(change(layout, made)).toBe(layout)
  })

  test('[D-23] any move made twice is one move', () => {
    assert(
      property(layouts, changeSeeds, (layout, seed) => {
        const made = changeFrom({ ...seed, kind: 'moveTab' }, layout)
        const { layout: once } = applyChange(layout, made, layoutRules)
        pre(once !== undefined)
        expect(applyChange(once, made, layoutRules).layout).toBe(once)
      }),
    )
  })
})

test('[D-22] a move keeps the tab, and every other tab in its order', () => {
  assert(
    property(layouts, changeSeeds, (layout, seed) => {
      const made = changeFrom({ ...seed, kind: 'moveTab', isAmiss: false }, layout)
      const moved = applyChange(layout, made, layoutRules).layout ?? layout
      const movedId = made.type === 'moveTab' ? made.tabId : ''
      expect(findTab(moved, movedId)?.tab).toBe(findTab(layout, movedId)?.tab)
      const others = (all: typeof layout) => tabs(all).filter(({ id: tabId }) => tabId !== movedId)
      expect(others(moved)).toEqual(others(layout))
    }),
  )
})
