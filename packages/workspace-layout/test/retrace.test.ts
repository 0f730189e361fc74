import { deepTest, depth } from '@patchbay/testkit/depth'
import { array, assert, property } from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyChange,
  isArrangedAs,
  type Layout,
  type LayoutChange,
  retrace,
  type Step,
  tabs,
} from '../src/index.ts'
import { type ChangeSeed, changeFrom, changeSeeds, layoutRules, layouts } from './arbitraries.ts'
import { change, refusalOf } from './changing.ts'
import { draw, id, NO_SINGLETONS, show, tab } from './drawing.ts'

const SPARE = { newLeafId: id('N'), newSplitId: id('M') }
const back = ({ change: made, from, to }: Step): Step => ({ change: made, from: to, to: from })

function stepOf(from: Layout, made: LayoutChange): Step {
  return { change: made, from, to: change(from, made) }
}

/** Every change of a sequence that was made, apart from looking at another tab. */
function stepsFrom(
  start: Layout,
  seeds: readonly ChangeSeed[],
): { readonly end: Layout; readonly steps: Step[] } {
  const steps: Step[] = []
  let end = start
  for (const seed of seeds) {
    const made = changeFrom(seed, end)
    const { layout = end } = applyChange(end, made, layoutRules)
    if (isArrangedAs(layout, end)) continue
    steps.push({ change: made, from: end, to: layout })
    end = layout
  }
  return { end, steps }
}

function walk(start: Layout, steps: readonly Step[]): Layout {
  return steps.reduce((layout, step) => {
    const { change: made } = retrace(step, layout, SPARE)
    if (made === undefined) throw new Error('refused')
    return change(layout, made, layoutRules)
  }, start)
}

const SEQUENCES = depth({ common: 500, deep: 10_000 })

deepTest(
  `[D-381] of ${SEQUENCES} sequences each is undone to its beginning and redone to its end`,
  () => {
    let undone = 0
    assert(
      property(layouts, array(changeSeeds, { maxLength: 8 }), (start, seeds) => {
        const { end, steps } = stepsFrom(start, seeds)
        undone += steps.length
        const again = walk(end, steps.toReversed().map(back))
        expect(again).toEqual(start)
        expect(walk(again, steps)).toEqual(end)
      }),
      { numRuns: SEQUENCES },
    )
    expect(undone).toBeGreaterThan(SEQUENCES)
  },
  300_000,
)

test('[D-381] a tab that was turned to meanwhile stays in front, and is no reason to refuse', () => {
  const start = draw('R:row(0.3 A[x* y], 0.7 B[z* w])')
  const step = stepOf(start, { type: 'moveTab', tabId: id('y'), to: { leafId: id('B') } })
  const turned = change(step.to, { type: 'activateTab', tabId: id('w') })
  expect(show(walk(turned, [back(step)]))).toBe('R:row(0.3 A[x* y], 0.7 B[z w*])')
})

const START = draw('R:row(0.3 A[x* y], 0.7 B[z*])')
/** Somebody else opens a tab meanwhile. */
const opened = (layout: Layout) => change(layout, { type: 'addTab', tab: tab('o'), at: { leafId: id('B') } })

test.each<[string, LayoutChange, string]>([
  ['opening', { type: 'addTab', tab: tab('n'), at: { leafId: id('A') } }, 'R:row(0.3 A[x y*], 0.7 B[z o*])'],
  ['closing', { type: 'removeTab', tabId: id('x') }, 'R:row(0.3 A[x* y], 0.7 B[z o*])'],
  [
    'moving',
    { type: 'moveTab', tabId: id('x'), to: { leafId: id('B'), index: 0 } },
    'R:row(0.3 A[x* y], 0.7 B[z o*])',
  ],
  ['resizing', { type: 'resizeSplit', splitId: id('R'), sizes: [1, 1] }, 'R:row(0.3 A[x* y], 0.7 B[z o*])'],
])('[D-382] %s is taken back, and what somebody else has opened meanwhile stays', (_, made, drawn) => {
  const step = stepOf(START, made)
  expect(show(walk(opened(step.to), [back(step)]))).toBe(drawn)
})

test('[D-382] a title is set back, with its icon', () => {
  const start = change(START, { type: 'retitleTab', tabId: id('x'), title: 'Left wheel', icon: 'gauge' })
  const step = stepOf(start, { type: 'retitleTab', tabId: id('x'), title: 'Right wheel', icon: 'circle' })
  const after = walk(opened(step.to), [back(step)])
  expect(tabs(after)[0]).toMatchObject({ title: 'Left wheel', icon: 'gauge' })
})

test.each<[string, LayoutChange, LayoutChange, string]>([
  [
    'a tab that was closed since',
    { type: 'moveTab', tabId: id('x'), to: { leafId: id('B') } },
    { type: 'removeTab', tabId: id('x') },
    'no_such_tab',
  ],
  [
    'a tab that was moved again',
    { type: 'moveTab', tabId: id('x'), to: { leafId: id('B') } },
    { type: 'moveTab', tabId: id('x'), to: { edge: 'top', newLeafId: id('P'), newSplitId: id('Q') } },
    'layout_changed',
  ],
  [
    'a title that was changed again',
    { type: 'retitleTab', tabId: id('x'), title: 'Mine' },
    { type: 'retitleTab', tabId: id('x'), title: 'Theirs' },
    'layout_changed',
  ],
  [
    'sizes that were changed again',
    { type: 'resizeSplit', splitId: id('R'), sizes: [1, 1] },
    { type: 'resizeSplit', splitId: id('R'), sizes: [1, 2] },
    'layout_changed',
  ],
  [
    'a split that is gone',
    { type: 'resizeSplit', splitId: id('R'), sizes: [1, 1] },
    { type: 'removeTab', tabId: id('z') },
    'no_such_split',
  ],
])('[D-382] %s is refused', (_, made, since, code) => {
  const step = stepOf(START, made)
  expect(retrace(back(step), change(step.to, since), SPARE).refused?.code).toBe(code)
})

test('[D-380] a replacement is made of the layout that it expects, and nothing when it is made already', () => {
  const layout = draw('A[z* x y]')
  const made = { type: 'replace', layout, expected: START } as const
  const turned = change(START, { type: 'activateTab', tabId: id('y') })
  expect(change(turned, made)).toBe(layout)
  expect(refusalOf(opened(START), made)).toBe('layout_changed')
  expect(applyChange(layout, made, NO_SINGLETONS).layout).toBe(layout)
  expect(isArrangedAs(turned, START)).toBe(true)
  expect(isArrangedAs(opened(START), START)).toBe(false)
})

test('[D-380] what is expected may be anything, and is then not what is there', () => {
  for (const expected of [null, {}, { root: null }, { root: { type: 'leaf', id: START.root.id } }])
    expect(refusalOf(START, { type: 'replace', layout: draw('A[z*]'), expected: expected as never })).toBe(
      'layout_changed',
    )
})
