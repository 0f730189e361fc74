import type { CatalogPanel } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { createPanelOpener } from '../../src/workspace/store/open-panel.ts'
import { drawn, layoutOf, leaf, leafId, panelId, split, tabId } from './layouts.ts'
import { type Bench, startStore } from './start-store.ts'

/** The first panel asks, the second runs scripts, the third has not been built. */
const CATALOG = ['curriculum', 'script-runner', 'imu'].map(
  (kind, at): CatalogPanel => ({
    id: panelId(at + 1),
    kind,
    name: `Tab ${kind}`,
    description: kind,
    category: 'Utility',
    icon: 'box',
    singleton: false,
    availability: kind === 'imu' ? 'planned' : 'ready',
  }),
)

function opener({ store }: Bench) {
  let count = 0
  const refused: string[] = []
  const openPanel = createPanelOpener({
    store,
    panels: () => CATALOG,
    newId: () => {
      count += 1
      return `0000000${count}-1111-4000-8000-000000000000`
    },
    showTab: () => {},
    refuse: (message) => refused.push(message),
  })
  return (kind: string, state = {}) => openPanel(tabId(1), kind, state)
}

test('[W-590] what is not there is opened to the right, or in the other leaf, with its state', () => {
  const bench = startStore()
  bench.open(layoutOf(leaf(1, 1)))
  expect(opener(bench)('script-runner', { path: 'a.py' })).toBe(true)
  expect(drawn(bench.store.getSnapshot().layout)).toBe('row(1* | script-runner*)')
  expect(bench.sent).toMatchObject([{ initialState: { path: 'a.py' } }])
  const other = startStore()
  other.open(layoutOf(split(1, 'row', [1, 1], leaf(1, 1), leaf(2, 4))))
  expect(opener(other)('script-runner')).toBe(true)
  expect(drawn(other.store.getSnapshot().layout)).toBe('row(1* | 4 script-runner*)')
})

test('[W-590] what is there is used: the tab that shows it, or else the first of its kind', () => {
  const bench = startStore()
  const two = {
    ...leaf(2, 2, 5),
    tabs: [2, 5].map((at) => ({ id: tabId(at), panel: panelId(2), title: `Tab ${at}` })),
  }
  bench.open(layoutOf(split(1, 'row', [1, 1], leaf(1, 1), two)), {
    states: [{ tabId: tabId(5), revision: 1, state: { path: 'b.py' } }],
  })
  const open = opener(bench)
  expect(open('script-runner', { path: 'b.py' })).toBe(true)
  expect(bench.sent).toEqual([])
  expect(open('script-runner', { path: 'a.py' })).toBe(true)
  const { layout, states } = bench.store.getSnapshot()
  expect(drawn(layout)).toBe('row(1* | 2* 5)')
  expect(states.get(tabId(2))?.state).toEqual({ path: 'a.py' })
  expect(leafId(2)).toBe(two.id)
})

test('[W-590] whoever may only look gets what is there and shows it, and nothing that is not built', () => {
  const bench = startStore()
  bench.open(layoutOf(leaf(1, 1, 2)), {
    mayChange: false,
    states: [{ tabId: tabId(2), revision: 1, state: { path: 'a.py' } }],
  })
  const open = opener(bench)
  expect([
    open('script-runner', { path: 'a.py' }),
    open('script-runner', { path: 'b.py' }),
    open('imu'),
    open('no-such-kind'),
  ]).toEqual([true, false, false, false])
  expect(bench.sent).toEqual([])
})
