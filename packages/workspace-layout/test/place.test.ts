import { assert, pre, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Edge,
  type EdgePlace,
  findLeaf,
  type Layout,
  type LayoutChange,
  leaves,
  type Place,
  tabs,
} from '../src/index.ts'
import { changeSeeds, layouts } from './arbitraries.ts'
import { change, redraw, refusalOf } from './changing.ts'
import { draw, EMPTY, id, show, tab } from './drawing.ts'
import { type Rectangle, rectanglesOf } from './geometry.ts'

const add = (at: Place, activate?: boolean): LayoutChange => ({
  type: 'addTab',
  tab: tab('new'),
  at,
  ...(activate !== undefined && { activate }),
})
const beside = (leaf: string, edge: Edge) =>
  add({ leafId: id(leaf), edge, newLeafId: id('N'), newSplitId: id('S') })
const border = (edge: Edge) => add({ edge, newLeafId: id('N'), newSplitId: id('S') })

describe('in a leaf', () => {
  test.each([
    ['at the end without an index', add({ leafId: id('A') }), 'A[x y new*]'],
    ['at its index', add({ leafId: id('A'), index: 1 }), 'A[x new* y]'],
    ['at the beginning', add({ leafId: id('A'), index: 0 }), 'A[new* x y]'],
    ['at the end beyond it', add({ leafId: id('A'), index: 99 }), 'A[x y new*]'],
    ['not active if that is not wanted', add({ leafId: id('A'), index: 0 }, false), 'A[new x* y]'],
  ])('[D-13] a tab is placed %s', (_, made, expected) => {
    expect(redraw('A[x* y]', made)).toBe(expected)
  })

  test('[D-13] the first tab of a leaf is active whatever was asked', () => {
    expect(show(change(EMPTY, add({ leafId: id('A') }, false)))).toBe('A[new*]')
  })

  test('[D-12] a leaf that is not there is refused', () => {
    expect(refusalOf(EMPTY, add({ leafId: id('B') }))).toBe('no_such_leaf')
    expect(refusalOf(draw('A[x*]'), beside('x', 'left'))).toBe('no_such_leaf')
  })
})

describe('beside a leaf', () => {
  test.each<[Edge, string]>([
    ['left', 'S:row(0.5 N[new*], 0.5 A[x*])'],
    ['right', 'S:row(0.5 A[x*], 0.5 N[new*])'],
    ['top', 'S:column(0.5 N[new*], 0.5 A[x*])'],
    ['bottom', 'S:column(0.5 A[x*], 0.5 N[new*])'],
  ])('[D-14] a new split holds the two: %s', (edge, expected) => {
    expect(redraw('A[x*]', beside('A', edge))).toBe(expected)
  })

  test('[D-14] in a split of that direction the new leaf is a sibling', () => {
    const row = 'R:row(0.6 A[x*], 0.4 B[y*])'
    expect(redraw(row, beside('A', 'right'))).toBe('R:row(0.3 A[x*], 0.3 N[new*], 0.4 B[y*])')
    expect(redraw(row, beside('A', 'left'))).toBe('R:row(0.3 N[new*], 0.3 A[x*], 0.4 B[y*])')
    expect(redraw(row, beside('B', 'right'))).toBe('R:row(0.6 A[x*], 0.2 B[y*], 0.2 N[new*])')
  })

  test('[D-14] in a split of the other direction a new one holds the two', () => {
    expect(redraw('R:row(0.6 A[x*], 0.4 B[y*])', beside('B', 'top'))).toBe(
      'R:row(0.6 A[x*], 0.4 S:column(0.5 N[new*], 0.5 B[y*]))',
    )
  })

  test('[D-14] a leaf as narrow as can be still makes room', () => {
    expect(redraw('R:row(0.0001 A[x*], 0.9999 B[y*])', beside('A', 'right'))).toBe(
      'R:row(0.0001 A[x*], 0.0001 N[new*], 0.9998 B[y*])',
    )
  })

  test('[D-14] the new leaf has the half at that edge, and nobody else moves', () => {
    assert(
      property(layouts, changeSeeds, (layout, { place, newIds }) => {
        const all = leaves(layout)
        const target = all[place.aim % all.length]
        pre(target !== undefined && target.tabs.length > 0 && all.length < 64)
        const at = { leafId: target?.id ?? '', edge: place.edge, newLeafId: newIds[1], newSplitId: newIds[2] }
        const before = rectanglesOf(layout)
        const after = rectanglesOf(change(layout, { type: 'addTab', tab: tab('new'), at }))
        const room = before.get(at.leafId)
        expect(room).toBeDefined()
        expectNear(after.get(newIds[1]), halfAt(place.edge, room))
        expectNear(after.get(at.leafId), halfAt(OPPOSITE[place.edge], room))
        for (const { id: leafId } of all.filter((leaf) => leaf !== target))
          expectNear(after.get(leafId), before.get(leafId))
      }),
    )
  })
})

const OPPOSITE = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const

function halfAt(edge: Edge, room: Rectangle | undefined): Rectangle | undefined {
  if (room === undefined) return undefined
  const { left, top, width, height } = room
  if (edge === 'left') return { left, top, width: width / 2, height }
  if (edge === 'right') return { left: left + width / 2, top, width: width / 2, height }
  if (edge === 'top') return { left, top, width, height: height / 2 }
  return { left, top: top + height / 2, width, height: height / 2 }
}

/** Equal but for the steps in which sizes are kept. */
function expectNear(actual: Rectangle | undefined, expected: Rectangle | undefined): void {
  for (const key of ['left', 'top', 'width', 'height'] as const)
    expect(Math.abs((actual?.[key] ?? Number.NaN) - (expected?.[key] ?? Number.NaN))).toBeLessThan(0.001)
}

describe('at the border of the workspace', () => {
  test('[D-15] one more child of a root split of that direction, with an equal share', () => {
    const row = 'R:row(0.5 A[x*], 0.25 B[y*], 0.25 C[z*])'
    expect(redraw(row, border('right'))).toBe('R:row(0.375 A[x*], 0.1875 B[y*], 0.1875 C[z*], 0.25 N[new*])')
    expect(redraw(row, border('left'))).toBe('R:row(0.25 N[new*], 0.375 A[x*], 0.1875 B[y*], 0.1875 C[z*])')
  })

  test('[D-15] half beside a leaf or a split of the other direction', () => {
    expect(redraw('A[x*]', border('bottom'))).toBe('S:column(0.5 A[x*], 0.5 N[new*])')
    expect(redraw('R:row(0.6 A[x*], 0.4 B[y*])', border('top'))).toBe(
      'S:column(0.5 N[new*], 0.5 R:row(0.6 A[x*], 0.4 B[y*]))',
    )
  })
})

describe('in an empty workspace', () => {
  test.each<[string, LayoutChange]>([
    ['beside the empty leaf', beside('A', 'left')],
    ['at the border', border('bottom')],
  ])('[D-16] %s the new leaf takes its place', (_, made) => {
    expect(show(change(EMPTY, made))).toBe('N[new*]')
  })
})

describe('ids of what is new', () => {
  const layout = draw('R:row(0.6 A[x*], 0.4 B[y*])')
  const at = { leafId: id('A'), edge: 'right', newLeafId: id('N'), newSplitId: id('S') } as const

  test.each<[string, Partial<EdgePlace>]>([
    ['the leaf has that of a leaf', { newLeafId: id('B') }],
    ['the leaf has that of a tab', { newLeafId: id('y') }],
    ['the leaf has that of its tab', { newLeafId: id('new') }],
    ['the split has that of the root, though it is not needed', { newSplitId: id('R') }],
    ['both have the same', { newSplitId: id('N') }],
  ])('[D-17] it is refused when %s', (_, ids) => {
    expect(refusalOf(layout, add({ ...at, ...ids }))).toBe('id_taken')
  })

  test('[D-17] a moved tab is refused likewise', () => {
    const to = { ...at, newLeafId: id('B') }
    expect(refusalOf(layout, { type: 'moveTab', tabId: id('x'), to })).toBe('id_taken')
  })
})

/** Splits one leaf after the other, as long as that is allowed. */
function splitOn(
  edges: (at: number) => Edge,
  limit: number,
): { layout: Layout; refused: string | undefined } {
  let layout = draw('A[x*]')
  for (let at = 0; at < limit; at += 1) {
    const name = at.toString(36)
    const made: LayoutChange = {
      type: 'addTab',
      tab: tab(`t${name}`),
      at: {
        leafId: leaves(layout).at(-1)?.id ?? '',
        edge: edges(at),
        newLeafId: id(`L${name}`),
        newSplitId: id(`S${name}`),
      },
    }
    const refused = refusalOf(layout, made)
    if (refused !== undefined) return { layout, refused }
    layout = change(layout, made)
  }
  return { layout, refused: undefined }
}

describe('limits', () => {
  test('[D-12] the 65th leaf is refused', () => {
    const { layout, refused } = splitOn(() => 'right', 100)
    expect([leaves(layout).length, refused]).toEqual([64, 'too_many_leaves'])
    expect(refusalOf(layout, border('top'))).toBe('too_many_leaves')
    expect(tabs(change(layout, add({ leafId: id('A') })))).toHaveLength(65)
  })

  test('[D-12] the 13th level is refused, at the border too', () => {
    const { layout, refused } = splitOn((at) => (at % 2 === 0 ? 'right' : 'bottom'), 100)
    expect([leaves(layout).length, refused]).toEqual([12, 'too_deep'])
    expect(refusalOf(layout, border('top'))).toBe('too_deep')
    expect(leaves(change(layout, border('left')))).toHaveLength(13)
  })

  test('[D-12] the 257th tab is refused, and moving one of 256 is not', () => {
    let layout = draw('R:row(0.5 A[x*], 0.5 B[y*])')
    for (let at = 2; at < 256; at += 1)
      layout = change(layout, { type: 'addTab', tab: tab(`t${at}`), at: { leafId: id('A') } })
    expect(refusalOf(layout, add({ leafId: id('B') }))).toBe('too_many_tabs')
    const moved = change(layout, { type: 'moveTab', tabId: id('t9'), to: { leafId: id('B') } })
    expect(findLeaf(moved, id('B'))?.tabs).toHaveLength(2)
  })
})
