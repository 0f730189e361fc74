import { array, assert, property } from 'fast-check'
import { expect, test } from 'vitest'
import { applyChange, checkLayout, type Layout, type LayoutChange, rebase, tabs } from '../src/index.ts'
import { type ChangeSeed, changeFrom, changeSeeds, layoutRules, layouts } from './arbitraries.ts'
import { draw, id, NO_SINGLETONS, show, tab } from './drawing.ts'

const seeds = array(changeSeeds, { maxLength: 15, size: 'max' })

/** The changes that one writer makes from here, each aimed at what it sees. */
function write(start: Layout, list: readonly ChangeSeed[]): { layout: Layout; changes: LayoutChange[] } {
  const changes: LayoutChange[] = []
  const end = list.reduce((layout, seed) => {
    const made = changeFrom(seed, layout)
    const next = applyChange(layout, made, layoutRules).layout
    if (next !== undefined) changes.push(made)
    return next ?? layout
  }, start)
  return { layout: end, changes }
}

test('[D-28] of two writers, the one that comes second loses nothing of the first', () => {
  assert(
    property(layouts, seeds, seeds, (base, first, second) => {
      const server = write(base, first).layout
      const { changes } = write(base, second)
      const { layout, kept, dropped } = rebase(server, changes, layoutRules)
      expect(checkLayout(layout)).toEqual([])
      const removed = new Set(changes.map((made) => (made.type === 'removeTab' ? made.tabId : '')))
      const present = new Set(tabs(layout).map(({ id: tabId }) => tabId))
      for (const { id: tabId } of tabs(server)) expect(present.has(tabId)).toBe(!removed.has(tabId))
      // Each change is either made or named, and in order.
      const outcome = changes.filter((made) => kept.includes(made))
      expect(kept).toEqual(outcome)
      expect(kept.length + dropped.length).toBe(changes.length)
      // A browser that is told what was kept ends where the server does.
      expect(rebase(server, kept, layoutRules)).toEqual({ layout, kept, dropped: [] })
      const panels = tabs(layout).filter(({ panel }) => layoutRules.isSingleton(panel))
      expect(new Set(panels.map(({ panel }) => panel)).size).toBe(panels.length)
    }),
  )
})

test('[D-28] on the layout that they were made on, all changes apply, with the same result', () => {
  assert(
    property(layouts, seeds, (base, list) => {
      const { layout, changes } = write(base, list)
      expect(rebase(base, changes, layoutRules)).toEqual({ layout, kept: changes, dropped: [] })
    }),
  )
})

const byId = (layout: Layout) => tabs(layout).toSorted((one, other) => (one.id < other.id ? -1 : 1))

test('[D-28] changes that the server has made already leave its tabs as they are', () => {
  assert(
    property(layouts, seeds, (base, list) => {
      const { layout, changes } = write(base, list)
      const again = rebase(layout, changes, layoutRules).layout
      expect(checkLayout(again)).toEqual([])
      expect(byId(again)).toEqual(byId(layout))
    }),
  )
})

test('[D-28] what no longer applies is named with the reason, and the rest is made', () => {
  const server = draw('R:row(0.5 A[x*], 0.5 B[y*])')
  const changes: LayoutChange[] = [
    { type: 'activateTab', tabId: id('gone') },
    { type: 'addTab', tab: tab('new'), at: { leafId: id('L') } },
    { type: 'moveTab', tabId: id('x'), to: { leafId: id('B') } },
    { type: 'resizeSplit', splitId: id('R'), sizes: [1, 3] },
    { type: 'addTab', tab: tab('z'), at: { leafId: id('B') }, activate: false },
  ]
  const { layout, kept, dropped } = rebase(server, changes, NO_SINGLETONS)
  expect(show(layout)).toBe('B[y x* z]')
  expect(kept).toEqual([changes[2], changes[4]])
  expect(dropped.map(({ change, refused }) => [change, refused.code])).toEqual([
    [changes[0], 'no_such_tab'],
    [changes[1], 'no_such_leaf'],
    [changes[3], 'no_such_split'],
  ])
})

test('[D-28] of two writers that add a singleton, the second is told', () => {
  const VIEWER = `ada/${id('view')}`
  const rules = { isSingleton: (panel: string) => panel === VIEWER }
  const server = draw('A[x*]')
  const add = (name: string): LayoutChange => ({
    type: 'addTab',
    tab: tab(name, { panel: VIEWER }),
    at: { leafId: id('A') },
  })
  const first = rebase(server, [add('v')], rules).layout
  const { layout, dropped } = rebase(first, [add('w')], rules)
  expect(layout).toBe(first)
  expect(dropped.map(({ refused }) => refused.code)).toEqual(['singleton_exists'])
})
