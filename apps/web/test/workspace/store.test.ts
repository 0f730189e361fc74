import { expect, test } from 'vitest'
import { MOST_PENDING } from '../../src/workspace/store/pending.ts'
import { drawn, layoutOf, leaf, leafId, split, splitId, tab, tabId } from './layouts.ts'
import { ONCE_ONLY, startStore } from './start-store.ts'

test('[W-253] a change shows at once and is sent', () => {
  const { store, sent, open } = startStore()
  open()
  expect(store.change({ type: 'activateTab', tabId: tabId(2) })).toBeUndefined()
  expect(drawn(store.getSnapshot().layout)).toBe('1 2*')
  expect(sent).toEqual([{ type: 'change', id: 'm1', change: { type: 'activateTab', tabId: tabId(2) } }])
})

test('[W-253] what the rules forbid is answered in words and not sent', () => {
  const { store, sent, open } = startStore()
  open()
  const singleton = (number: number) =>
    store.change({
      type: 'addTab',
      tab: { ...tab(number), panel: ONCE_ONLY },
      at: { leafId: leafId(1) },
    })
  expect(singleton(3)).toBeUndefined()
  expect(singleton(4)).toMatch(/only one is allowed/)
  expect(sent).toHaveLength(1)
})

test('[W-253] a refused change is taken back and told', () => {
  const { store, told, open } = startStore()
  open()
  store.change({ type: 'removeTab', tabId: tabId(1) })
  expect(drawn(store.getSnapshot().layout)).toBe('2*')
  store.receive({ type: 'refused', id: 'm1', code: 'rate_limited', message: 'Too many requests' })
  expect(drawn(store.getSnapshot().layout)).toBe('1* 2')
  expect(told).toEqual(['Too many requests'])
})

test('[W-428] whoever has made a change can hear that it came to nothing, and hears nothing if it was made', () => {
  const { store, open } = startStore()
  open()
  const lost: number[] = []
  const add = (number: number) =>
    store.change({ type: 'addTab', tab: tab(number), at: { leafId: leafId(1) } }, { text: 'x' }, () =>
      lost.push(number),
    )
  for (const number of [3, 4, 5]) expect(add(number)).toBeUndefined()
  store.receive({ type: 'refused', id: 'm1', code: 'limit_reached', message: 'Too much' })
  expect(lost).toEqual([3])
  const layout = layoutOf(leaf(2, 1, 2, 4))
  store.receive({ type: 'changed', ids: ['m2'], version: 9, layout })
  // The leaf that the third was to go to is not there anymore.
  expect(lost).toEqual([3, 5])
})

test('[W-253] what changes nothing is not sent', () => {
  const { store, sent, open } = startStore()
  open()
  store.change({ type: 'activateTab', tabId: tabId(1) })
  expect(sent).toEqual([])
})

test('[W-254] a pending change stays on top of what others did meanwhile', () => {
  const { store, open } = startStore()
  open()
  store.change({ type: 'retitleTab', tabId: tabId(1), title: 'Tab mine' })
  store.receive({ type: 'changed', version: 2, layout: layoutOf(leaf(1, 3, 1)), ids: [] })
  expect(drawn(store.getSnapshot().layout)).toBe('3* mine')
  const confirmed = { ...tab(1), title: 'Tab mine' }
  const layout = layoutOf({ ...leaf(1, 3), tabs: [tab(3), confirmed] })
  store.receive({ type: 'changed', version: 3, layout, ids: ['m1'] })
  expect(drawn(store.getSnapshot().layout)).toBe('3* mine')
})

test('[W-254] after a lost connection everything unconfirmed is sent again, in order, with the same ids', () => {
  const { store, sent, open } = startStore()
  open()
  store.change({ type: 'activateTab', tabId: tabId(2) })
  store.setLink('away')
  store.change({ type: 'removeTab', tabId: tabId(1) })
  store.setState(tabId(2), { url: 'https://example.com/' })
  expect(sent.map(({ id }) => id)).toEqual(['m1'])
  sent.length = 0
  open()
  expect(sent.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3'])
  expect(drawn(store.getSnapshot().layout)).toBe('2*')
  store.receive({ type: 'changed', version: 9, layout: layoutOf(leaf(1, 2)), ids: ['m1', 'm2'] })
  store.setLink('away')
  sent.length = 0
  open(layoutOf(leaf(1, 2)))
  expect(sent.map(({ id }) => id)).toEqual(['m3'])
})

test('[W-254] what fits no more is dropped and told, but not what was done already', () => {
  const { store, sent, told, open } = startStore()
  open()
  store.setLink('away')
  store.change({ type: 'removeTab', tabId: tabId(1) })
  store.change({ type: 'retitleTab', tabId: tabId(2), title: 'Tab x' })
  open(layoutOf(leaf(1, 5)))
  expect(told).toEqual(['The layout does not contain this tab'])
  expect(sent).toEqual([])
})

test('[W-254] an older layout that arrives late does not come back', () => {
  const { store, open } = startStore()
  open(layoutOf(leaf(1, 1)), { version: 7 })
  store.receive({ type: 'changed', version: 6, layout: layoutOf(leaf(1, 1, 2, 3)), ids: [] })
  expect(drawn(store.getSnapshot().layout)).toBe('1*')
  expect(store.getSnapshot().version).toBe(7)
})

test('[W-255] no more than 500 changes wait for a connection', () => {
  const { store, open } = startStore()
  open(layoutOf(split(1, 'row', [0.5, 0.5], leaf(1, 1), leaf(2, 2))))
  store.setLink('away')
  const resize = (at: number) =>
    store.change({ type: 'resizeSplit', splitId: splitId(1), sizes: [at + 1, MOST_PENDING * 2] })
  for (let at = 0; at < MOST_PENDING; at += 1) expect(resize(at)).toBeUndefined()
  expect(resize(MOST_PENDING)).toMatch(/Too many changes are waiting/)
})
