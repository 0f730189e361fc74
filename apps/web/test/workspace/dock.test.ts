import { applyChange, type LayoutChange } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import { changedSizes, stacked } from '../../src/workspace/dock/dock-controller.ts'
import { type GridNode, gridOf, skeletonOf } from '../../src/workspace/dock/grid.ts'
import { changeOfDrop } from '../../src/workspace/tab/place-of-drop.ts'
import { moveBorder, resizeLeaf } from '../../src/workspace/tab/resize-step.ts'
import { tabActions } from '../../src/workspace/tab/tab-actions.ts'
import { drawn, layoutOf, leaf, leafId, split, splitId, tabId } from './layouts.ts'

const EXTENT = { width: 1000, height: 500 }
const THREE = layoutOf(
  split(1, 'row', [0.25, 0.75], leaf(1, 1, 2), split(2, 'column', [0.4, 0.6], leaf(2, 3), leaf(3, 4))),
)
const newIds = () => {
  let count = 90
  return () => {
    count += 1
    return leafId(count)
  }
}
const sizesOf = (change: LayoutChange | undefined) =>
  change?.type === 'resizeSplit' ? change.sizes.map((size) => Math.round(size * 10_000) / 10_000) : undefined
const NO_RULES = { isSingleton: () => false }

test('[W-252] leaves become groups and tabs panels, each split with its share of the place', () => {
  const { grid, panels } = gridOf(THREE, EXTENT)
  expect(grid).toEqual({
    width: 1000,
    height: 500,
    orientation: 'HORIZONTAL',
    root: {
      type: 'branch',
      size: 500,
      data: [
        {
          type: 'leaf',
          size: 250,
          data: { id: leafId(1), views: [tabId(1), tabId(2)], activeView: tabId(1) },
        },
        {
          type: 'branch',
          size: 750,
          data: [
            { type: 'leaf', size: 200, data: { id: leafId(2), views: [tabId(3)], activeView: tabId(3) } },
            { type: 'leaf', size: 300, data: { id: leafId(3), views: [tabId(4)], activeView: tabId(4) } },
          ],
        },
      ],
    },
  })
  expect(Object.keys(panels)).toEqual([1, 2, 3, 4].map(tabId))
})

test('[W-252] a workspace without tabs has no groups, and one leaf fills everything', () => {
  expect(gridOf(layoutOf(leaf(1)), EXTENT).grid.root.data).toEqual([])
  expect(gridOf(layoutOf(leaf(1, 1)), EXTENT).grid.root.data).toMatchObject([{ size: 1000 }])
})

test('[W-259] sizes, titles and active tabs are no reason to make the grid anew; order and place are', () => {
  const resized = layoutOf(split(1, 'row', [0.5, 0.5], leaf(1, 1, 2), leaf(2, 3)))
  const other = layoutOf(split(1, 'row', [0.1, 0.9], { ...leaf(1, 1, 2), activeTabId: tabId(2) }, leaf(2, 3)))
  expect(skeletonOf(other)).toBe(skeletonOf(resized))
  expect(skeletonOf(layoutOf(split(1, 'row', [0.5, 0.5], leaf(1, 2, 1), leaf(2, 3))))).not.toBe(
    skeletonOf(resized),
  )
  expect(skeletonOf(layoutOf(split(1, 'column', [0.5, 0.5], leaf(1, 1, 2), leaf(2, 3))))).not.toBe(
    skeletonOf(resized),
  )
})

test('[W-258] rounding to pixels is no change of sizes; a moved border is', () => {
  const measured = (one: number, other: number): GridNode => ({
    type: 'branch',
    size: 0,
    data: [one, other].map((size) => ({ type: 'leaf', size, data: { id: '', views: [] } })),
  })
  const { root } = layoutOf(split(1, 'row', [0.3333, 0.6667], leaf(1, 1), leaf(2, 2)))
  expect(changedSizes(root, measured(426, 854))).toEqual([])
  expect(changedSizes(root, measured(640, 640))).toEqual([{ splitId: splitId(1), sizes: [640, 640] }])
  expect(changedSizes(root, measured(0, 1280))).toEqual([])
})

test('[W-258] a border moves in steps and stops before a side vanishes', () => {
  const row = split(1, 'row', [0.5, 0.5], leaf(1, 1), leaf(2, 2))
  expect(sizesOf(moveBorder(row, 0, 0.02))).toEqual([0.52, 0.48])
  expect(sizesOf(moveBorder(row, 0, 2))).toEqual([0.95, 0.05])
  expect(moveBorder({ ...row, sizes: [0.95, 0.05] }, 0, 0.02)).toBeUndefined()
  expect(moveBorder(row, 1, 0.02)).toBeUndefined()
})

test('[W-260] a leaf is resized by the nearest split of the direction, the last one at the border before it', () => {
  const taller = resizeLeaf(THREE, leafId(3), 'column', 1)
  expect(taller).toMatchObject({ splitId: splitId(2) })
  expect(sizesOf(taller)).toEqual([0.35, 0.65])
  const wider = resizeLeaf(THREE, leafId(3), 'row', 1)
  expect(wider).toMatchObject({ splitId: splitId(1) })
  expect(resizeLeaf(THREE, leafId(1), 'column', 1)).toBeUndefined()
})

test.each([
  [
    'into another leaf',
    { tabId: tabId(1), leafId: leafId(2), position: 'center' },
    'row(2* | column(3 1* | 4*))',
  ],
  [
    'among the tabs',
    { tabId: tabId(1), leafId: leafId(1), position: 'center', index: 1 },
    'row(2 1* | column(3* | 4*))',
  ],
  [
    'beside a leaf',
    { tabId: tabId(1), leafId: leafId(3), position: 'bottom' },
    'row(2* | column(3* | 4* | 1*))',
  ],
  [
    'at the border',
    { tabId: tabId(1), leafId: undefined, position: 'left' },
    'row(1* | 2* | column(3* | 4*))',
  ],
] as const)('[W-257] a tab dropped %s', (_where, drop, expected) => {
  const change = changeOfDrop(THREE, drop, newIds())
  expect(change).toBeDefined()
  const outcome = change === undefined ? undefined : applyChange(THREE, change, NO_RULES)
  expect(outcome?.layout === undefined ? outcome?.refused : drawn(outcome.layout)).toBe(expected)
})

test.each([
  { tabId: tabId(3), leafId: leafId(2), position: 'left' },
  { tabId: tabId(3), leafId: leafId(2), position: 'center' },
  { tabId: tabId(77), leafId: leafId(2), position: 'center' },
  { tabId: tabId(1), leafId: leafId(77), position: 'center' },
] as const)('[W-257] a drop that leads nowhere changes nothing', (drop) => {
  expect(changeOfDrop(THREE, drop, newIds())).toBeUndefined()
})

test('[W-260] the menu of a tab offers what can be done with it, and every entry can be made', () => {
  const labels = tabActions(THREE, tabId(1), newIds()).map(({ label }) => label)
  expect(labels).toEqual([
    'Move tab right',
    'Split left',
    'Split right',
    'Split up',
    'Split down',
    'Move to the group of Tab 3',
    'Move to the group of Tab 4',
    'Make wider',
    'Make narrower',
  ])
  for (const number of [1, 2, 3, 4])
    for (const { label, change } of tabActions(THREE, tabId(number), newIds())) {
      const outcome = applyChange(THREE, change, NO_RULES)
      expect([label, outcome.refused?.message, outcome.layout === THREE]).toEqual([label, undefined, false])
    }
})

test('[W-271] on a narrow screen the same leaves stand below each other, in reading order', () => {
  expect(drawn(stacked(THREE))).toBe('column(1* 2 | 3* | 4*)')
  const single = layoutOf(leaf(1, 1))
  expect(stacked(single)).toBe(single)
})
