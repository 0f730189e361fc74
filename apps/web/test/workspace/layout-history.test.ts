import { type LayoutChange, tabs } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import { createLayoutHistory, type LayoutHistory } from '../../src/workspace/store/layout-history.ts'
import { drawn, layoutOf, leaf, leafId, panelId, split, splitId, tabId } from './layouts.ts'
import { type Bench, startStore } from './start-store.ts'

interface HistoryBench extends Bench {
  readonly history: LayoutHistory
  readonly said: string[]
  /** What a person does. */
  readonly make: (change: LayoutChange) => void
  readonly shown: () => string
}

const START = layoutOf(split(1, 'row', [0.25, 0.75], leaf(1, 1, 2), leaf(2, 3)))

/** A history of a store that opens closed tabs again at the end of the first leaf, as a server does that has lost their place. */
function startHistory(): HistoryBench {
  const said: string[] = []
  let history: LayoutHistory | undefined
  const bench = startStore((step) => history?.record(step) ?? (() => {}))
  const { store } = bench
  let ids = 500
  history = createLayoutHistory({
    store: () => store,
    async reopen(id) {
      const { layout, version } = store.getSnapshot()
      const [first] = tabs(START).filter((tab) => tab.id === id)
      if (first === undefined) return undefined
      const at = { leafId: leafId(1) }
      const root = layout.root
      const next =
        root.type === 'split'
          ? {
              root: {
                ...root,
                children: root.children.map((child) =>
                  child.id === at.leafId && child.type === 'leaf'
                    ? { ...child, tabs: [...child.tabs, first] }
                    : child,
                ),
              },
            }
          : { root: { ...root, tabs: [...root.tabs, first] } }
      store.receive({
        type: 'changed',
        version: version + 1,
        layout: next,
        ids: bench.sent.map(({ id: sentId }) => sentId),
      })
      return { tabId: id, panelId: at.leafId, version: version + 1 }
    },
    newId: () => leafId((ids += 1)),
    refuse: (message) => said.push(`refused: ${message}`),
    tell(message) {
      said.push(message)
      return () => {}
    },
  })
  bench.open(START)
  return {
    ...bench,
    history,
    said,
    make: (change) => expect(store.change(change)).toBeUndefined(),
    shown: () => drawn(store.getSnapshot().layout),
  }
}

const SOME: readonly LayoutChange[] = [
  { type: 'retitleTab', tabId: tabId(1), title: 'Left wheel' },
  { type: 'resizeSplit', splitId: splitId(1), sizes: [1, 1] },
  { type: 'moveTab', tabId: tabId(2), to: { leafId: leafId(2), index: 0 } },
  { type: 'addTab', tab: { id: tabId(9), panel: panelId(1), title: 'New' }, at: { leafId: leafId(1) } },
  {
    type: 'moveTab',
    tabId: tabId(3),
    to: { edge: 'bottom', leafId: leafId(1), newLeafId: leafId(8), newSplitId: splitId(8) },
  },
]

test('[W-550] all that was done is taken back and made again, one step at a time', async () => {
  const { store, history, make, said } = startHistory()
  const layouts = [store.getSnapshot().layout]
  for (const change of SOME) {
    make(change)
    layouts.push(store.getSnapshot().layout)
  }
  for (const layout of layouts.slice(0, -1).toReversed()) {
    await history.undo()
    expect(store.getSnapshot().layout).toEqual(layout)
  }
  await history.undo()
  expect(said.at(-1)).toBe('Nothing to undo')
  for (const layout of layouts.slice(1, 4)) {
    await history.redo()
    expect(store.getSnapshot().layout).toEqual(layout)
  }
  expect(said.filter((line) => line.startsWith('refused'))).toEqual([])
})

test('[W-550] a closed tab is opened again with what it showed, and stands where it was', async () => {
  const { history, make, shown, said } = startHistory()
  const before = shown()
  make({ type: 'removeTab', tabId: tabId(1) })
  await history.undo()
  expect(shown()).toBe(before)
  expect(said).toEqual([expect.stringMatching(/^Undid closing /)])
  await history.redo()
  expect(shown()).not.toBe(before)
})

test('[W-550] looking at a tab is no step, and something new ends what could be redone', async () => {
  const { history, make, shown, said } = startHistory()
  make({ type: 'activateTab', tabId: tabId(2) })
  await history.undo()
  expect(said).toEqual(['Nothing to undo'])
  make({ type: 'retitleTab', tabId: tabId(1), title: 'One' })
  await history.undo()
  make({ type: 'retitleTab', tabId: tabId(1), title: 'Two' })
  const now = shown()
  await history.redo()
  expect(said.at(-1)).toBe('Nothing to redo')
  expect(shown()).toBe(now)
})

test('[W-550] keys that are pressed fast undo one step each', async () => {
  const { store, history, make } = startHistory()
  const { layout } = store.getSnapshot()
  for (const change of SOME) make(change)
  await Promise.all(SOME.map(() => history.undo()))
  expect(store.getSnapshot().layout).toEqual(layout)
})

test('[W-550] the oldest of more than a hundred steps are forgotten', async () => {
  const { history, make, said, store } = startHistory()
  for (let at = 0; at < 130; at += 1) make({ type: 'retitleTab', tabId: tabId(1), title: `Title ${at}` })
  for (let at = 0; at < 101; at += 1) await history.undo()
  expect(said.at(-1)).toBe('Nothing to undo')
  expect(tabs(store.getSnapshot().layout)[0]?.title).toBe('Title 29')
})

test('[W-551] what somebody else has done meanwhile stays, and what they have done again is said', async () => {
  const { store, sent, history, make, said } = startHistory()
  make({ type: 'retitleTab', tabId: tabId(1), title: 'Mine' })
  make({ type: 'retitleTab', tabId: tabId(3), title: 'Mine as well' })
  const { layout, version } = store.getSnapshot()
  const theirs = JSON.parse(JSON.stringify(layout).replace('"Mine"', '"Theirs"')) as typeof layout
  store.receive({ type: 'changed', version: version + 1, layout: theirs, ids: sent.map(({ id }) => id) })
  await history.undo()
  expect(tabs(store.getSnapshot().layout).map(({ title }) => title)).toContain('Theirs')
  expect(tabs(store.getSnapshot().layout).map(({ title }) => title)).not.toContain('Mine as well')
  await history.undo()
  expect(said.at(-1)).toMatch(/^refused: /)
  expect(tabs(store.getSnapshot().layout).map(({ title }) => title)).toContain('Theirs')
})

test('[W-551] a change that the server refused is no step, nor is a closing that was undone otherwise', async () => {
  const { store, sent, history, make, said } = startHistory()
  make({ type: 'retitleTab', tabId: tabId(1), title: 'Mine' })
  store.receive({ type: 'refused', id: sent.at(-1)?.id ?? '', code: 'not_permitted', message: 'No.' })
  make({ type: 'removeTab', tabId: tabId(2) })
  history.forgetClosing(tabId(2))
  await history.undo()
  expect(said.at(-1)).toBe('Nothing to undo')
})
