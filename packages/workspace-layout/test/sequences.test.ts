import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { array, assert, oneof, pre, property } from 'fast-check'
import { expect } from 'vitest'
import { nodesUnder } from '../src/find.ts'
import {
  applyChange,
  checkLayout,
  type Layout,
  type LayoutChange,
  leaves,
  REFUSALS,
  type Tab,
  tabs,
} from '../src/index.ts'
import { type ChangeSeed, changeFrom, changeSeeds, layoutRules, layouts } from './arbitraries.ts'
import { change } from './changing.ts'
import { draw, id } from './drawing.ts'

type Step = ChangeSeed | { readonly replacement: Layout }

const steps = array(
  oneof(
    { weight: 25, arbitrary: changeSeeds },
    { weight: 1, arbitrary: layouts.map((replacement) => ({ replacement })) },
  ),
  { maxLength: 60, size: 'max' },
)

const changeOf = (step: Step, layout: Layout): LayoutChange =>
  'replacement' in step ? { type: 'replace', layout: step.replacement } : changeFrom(step, layout)

/** The tabs that there must be after a change, told without looking at any tree. */
function expectedTabs(before: readonly Tab[], made: LayoutChange): readonly Tab[] {
  if (made.type === 'addTab')
    return before.some((tab) => tab.id === made.tab.id) ? before : [...before, made.tab]
  if (made.type === 'removeTab') return before.filter((tab) => tab.id !== made.tabId)
  if (made.type === 'replace') return tabs(made.layout)
  if (made.type !== 'retitleTab') return before
  return before.map((tab) =>
    tab.id === made.tabId
      ? { ...tab, title: made.title, ...(made.icon !== undefined && { icon: made.icon }) }
      : tab,
  )
}

const byId = (list: readonly Tab[]) => list.toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** Goes through a sequence of changes and calls back after each. */
function walkThrough(
  start: Layout,
  sequence: readonly Step[],
  visit: (before: Layout, made: LayoutChange, outcome: ReturnType<typeof applyChange>) => void,
): Layout {
  return sequence.reduce((before, step) => {
    const made = changeOf(step, before)
    const outcome = applyChange(before, made, layoutRules)
    visit(before, made, outcome)
    return outcome.layout ?? before
  }, start)
}

deepTest('[D-12] any sequence of changes keeps every rule of the shape, and the tabs that it should', () => {
  const made = { applied: 0, refused: 0 }
  assert(
    property(layouts, steps, (start, sequence) => {
      walkThrough(start, sequence, (before, one, { layout, refused }) => {
        made[refused === undefined ? 'applied' : 'refused'] += 1
        expect(refused?.message).toBe(refused && REFUSALS[refused.code])
        const after = layout ?? before
        expect(checkLayout(after)).toEqual([])
        const wanted = refused === undefined ? expectedTabs(tabs(before), one) : tabs(before)
        expect(byId(tabs(after))).toEqual(byId(wanted))
      })
    }),
  )
  // A walk that is refused all the way, or never, would prove little.
  expect(made.applied).toBeGreaterThan(500)
  expect(made.refused).toBeGreaterThan(50)
})

test('[D-19] no sequence of changes gives two tabs of a singleton', () => {
  assert(
    property(layouts, steps, (start, sequence) => {
      walkThrough(start, sequence, (_, __, { layout }) => {
        const once = tabs(layout ?? start).filter(({ panel }) => layoutRules.isSingleton(panel))
        expect(new Set(once.map(({ panel }) => panel)).size).toBe(once.length)
      })
    }),
  )
})

/** Writing to anything frozen throws. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze)
  return Object.freeze(value)
}

test('[D-11] a change leaves its arguments as they are, and gives the same from equal ones', () => {
  assert(
    property(layouts, steps, (start, sequence) => {
      walkThrough(freeze(start), sequence, (before, made, outcome) => {
        const copies = structuredClone({ before, made })
        expect(applyChange(freeze(before), freeze(made), layoutRules)).toEqual(outcome)
        expect({ before, made }).toEqual(copies)
        expect(applyChange(copies.before, copies.made, layoutRules)).toEqual(outcome)
      })
    }),
    { numRuns: 30 },
  )
})

test('[D-11] what a change does not touch is shared', () => {
  const layout = draw('R:row(0.5 A[x* y], 0.5 C:column(0.5 B[z*], 0.5 D[w*]))')
  const next = change(layout, { type: 'activateTab', tabId: id('y') })
  const [before, after] = [layout, next].map(({ root }) => (root.type === 'split' ? root : undefined))
  expect(after).not.toBe(before)
  expect(after?.sizes).toBe(before?.sizes)
  expect(after?.children[1]).toBe(before?.children[1])
  expect(leaves(next)[0]?.tabs).toBe(leaves(layout)[0]?.tabs)
})

test('[D-11] leaves whose tabs stay the same are the same objects', () => {
  assert(
    property(layouts, changeSeeds, (before, seed) => {
      const after = applyChange(before, changeFrom(seed, before), layoutRules).layout ?? before
      const old = new Map(leaves(before).map((leaf) => [leaf.id, leaf]))
      const isCopy = (one: unknown, other: unknown) =>
        one !== other && JSON.stringify(one) === JSON.stringify(other)
      expect(leaves(after).filter((leaf) => isCopy(leaf, old.get(leaf.id)))).toEqual([])
      expect(isCopy(after, before)).toBe(false)
    }),
  )
})

test.each(['activateTab', 'retitleTab', 'resizeSplit'] as const)(
  '[D-11] %s made twice is made once',
  (kind) => {
    assert(
      property(layouts, changeSeeds, (layout, seed) => {
        const made = changeFrom({ ...seed, kind }, layout)
        const { layout: once } = applyChange(layout, made, layoutRules)
        pre(once !== undefined)
        expect(applyChange(once, made, layoutRules).layout).toBe(once)
      }),
    )
  },
)

test('[D-4] whatever happens, the sizes of every split sum to 1', () => {
  assert(
    property(layouts, steps, (start, sequence) => {
      const end = walkThrough(start, sequence, () => {})
      for (const { sizes } of nodesUnder(end.root).filter((node) => node.type === 'split'))
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeCloseTo(1, 9)
    }),
  )
})
