import { PERSON_COLORS, type PresentPage, personColor } from '@patchbay/contracts/panels'
import { expect, test, vi } from 'vitest'
import { AGENT_PRESENT_MS, initialsOf, leadsTo, peopleOf } from '../../src/workspace/presence/people.ts'
import { createPresence } from '../../src/workspace/presence/presence.ts'
import type { SeenAction } from '../../src/workspace/store/snapshot.ts'
import { layoutOf, leaf, tabId } from './layouts.ts'
import { startStore } from './start-store.ts'

const page = (handle: string, more: Partial<PresentPage> = {}): PresentPage => ({
  pageId: `page of ${handle}`,
  handle,
  name: handle,
  color: personColor(handle),
  tabId: null,
  following: null,
  isVisible: true,
  since: '2026-11-18T10:00:00.000Z',
  ...more,
})

const acted = (name: string, seenAt: number, more: Partial<SeenAction> = {}): SeenAction => ({
  id: 1,
  tabId: tabId(1),
  by: { kind: 'api_key', name, handle: 'ada' },
  action: 'webview navigate',
  at: '2026-11-18T10:00:00.000Z',
  seenAt,
  times: 1,
  ...more,
})

const noActions = { actions: [], pageId: 'page of me' }
const ageless = () => 0

test('[W-620] everybody counts once, with the page that they used last, and oneself does not', () => {
  const pages = [
    page('bob', { pageId: 'b2', tabId: tabId(2), since: '2026-11-18T10:05:00.000Z' }),
    page('me'),
    page('carl', { isVisible: false, since: '2026-11-18T10:01:00.000Z' }),
    page('bob', { pageId: 'b1', tabId: tabId(1) }),
    page('me', { pageId: 'my other page' }),
  ]
  const people = peopleOf({ ...noActions, pages }, ageless)
  expect(people.map(({ key, pages: count, tabId: at, isAway }) => [key, count, at, isAway])).toEqual([
    ['bob', 2, tabId(2), false],
    ['carl', 1, undefined, true],
  ])
})

test('[W-621] agents are there by the name of their key until some time after they acted, at the panel they acted on', () => {
  const actions = [
    acted('Left', 1, { tabId: tabId(2) }),
    acted('Left', 2, { tabId: null }),
    acted('Old', 3),
    acted('Ada herself', 4, { by: { kind: 'browser', name: 'Ada herself', handle: 'ada' } }),
  ]
  const ageOf = ({ by }: SeenAction) => (by.name === 'Old' ? AGENT_PRESENT_MS : 0)
  const people = peopleOf({ pages: [page('me')], pageId: 'page of me', actions }, ageOf)
  expect(people).toMatchObject([
    { kind: 'agent', name: 'Left', handle: 'ada', color: personColor('ada'), tabId: tabId(2) },
  ])
})

test('[W-624] who follows whom is found through others, also where they go round in a circle', () => {
  const pages = [
    page('a', { following: 'b' }),
    page('b', { following: 'c' }),
    page('c', { following: 'd' }),
    page('d', { following: 'c' }),
    page('e', { following: 'me' }),
  ]
  const people = peopleOf({ ...noActions, pages }, ageless)
  const [a, , , , e] = people
  if (a === undefined || e === undefined) throw new Error('nobody is there')
  expect(leadsTo(e, 'me', people)).toBe(true)
  expect(leadsTo(a, 'c', people)).toBe(true)
  expect(leadsTo(a, 'me', people)).toBe(false)
})

test('[W-627] a person has one color, and initials of whatever name', () => {
  expect(personColor('ada')).toBe(personColor('ada'))
  const colors = new Set(Array.from({ length: 200 }, (_, number) => personColor(`person-${number}`)))
  expect([...colors].toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: PERSON_COLORS }, (_, color) => color),
  )
  expect(['Ada King Lovelace', 'grace', 'x-y_z', '👩🏽‍🚀 Öl', ''].map((name) => initialsOf(name, 2))).toEqual(
    ['AL', 'G', 'XZ', '👩🏽‍🚀Ö', ''],
  )
})

/** A page with the tabs 1 and 2, in which tab 1 shows; `dock` shows whatever it is told to. */
function startPresence() {
  const { store, open } = startStore()
  const sent: unknown[] = []
  const told: string[] = []
  let shown = tabId(1)
  let time = 1_000
  const dock = {
    currentTab: () => shown,
    shownBeside: () => shown,
    follow: vi.fn<(tab: string) => boolean>((tab) => {
      shown = tab
      return true
    }),
  }
  const presence = createPresence({
    store,
    dock: () => dock,
    send: ({ tabId: at, following }) => sent.push(following === null ? at : `${at} after ${following}`),
    now: () => time,
    date: () => Date.parse('2026-11-18T10:00:30.000Z'),
    tell: (title) => told.push(title),
  })
  presence.start()
  open(layoutOf(leaf(1, 1, 2)))
  return {
    presence,
    store,
    open,
    dock,
    sent,
    told,
    show: (tab: string) => void (shown = tab),
    wait: (ms: number) => void (time += ms),
    hear: (...pages: PresentPage[]) =>
      store.receive({ type: 'people', you: 'page of me', pages: [page('me'), ...pages] }),
  }
}

test('[W-622] following shows what they use, again and again, and says so to the others', () => {
  const { presence, dock, sent, hear } = startPresence()
  expect(sent).toEqual([tabId(1)])
  hear(page('bob', { tabId: tabId(2) }))
  presence.follow('bob')
  expect(dock.follow.mock.calls).toEqual([[tabId(2)]])
  expect(sent.at(-1)).toBe(`${tabId(2)} after bob`)
  hear(page('bob', { tabId: tabId(2), following: 'carl' }))
  expect(dock.follow).toHaveBeenCalledTimes(1)
  hear(page('bob', { tabId: tabId(1) }))
  expect(dock.follow).toHaveBeenLastCalledWith(tabId(1))
  expect(sent.at(-1)).toBe(`${tabId(1)} after bob`)
})

test('[W-622] a tab that is not here yet is shown as soon as it is', () => {
  const { presence, dock, hear } = startPresence()
  hear(page('bob', { tabId: tabId(2) }))
  dock.follow.mockReturnValueOnce(false)
  presence.follow('bob')
  presence.look()
  expect(dock.follow.mock.calls).toEqual([[tabId(2)], [tabId(2)]])
  presence.look()
  expect(dock.follow).toHaveBeenCalledTimes(2)
})

test('[W-623] it ends with the use of another panel, and not with that of the same; and when they leave', () => {
  const { presence, sent, told, hear } = startPresence()
  hear(page('bob', { tabId: tabId(2) }))
  presence.follow('bob')
  presence.use(tabId(2))
  expect(presence.following.get()?.key).toBe('bob')
  presence.use(tabId(1))
  expect(presence.following.get()).toBeUndefined()
  expect(sent.at(-1)).not.toContain('after')
  presence.follow('bob')
  hear()
  expect(presence.following.get()).toBeUndefined()
  expect(told).toHaveLength(1)
  presence.follow('bob')
  expect(presence.following.get()).toBeUndefined()
})

test('[W-624] whoever follows oneself is not followed, and a following that closes a circle ends', () => {
  const { presence, told, dock, hear } = startPresence()
  hear(page('bob', { tabId: tabId(2), following: 'me' }))
  presence.follow('bob')
  expect(presence.following.get()).toBeUndefined()
  hear(page('bob', { tabId: tabId(2) }), page('carl'))
  presence.follow('bob')
  hear(page('bob', { tabId: tabId(1), following: 'carl' }), page('carl', { following: 'me' }))
  expect(presence.following.get()).toBeUndefined()
  expect(dock.follow).not.toHaveBeenCalledWith(tabId(1))
  expect(told).toHaveLength(2)
})

test('[W-625] what the page looks at is said once, again to a server that has forgotten, and not while a change is under way', () => {
  const { presence, store, open, sent, show } = startPresence()
  presence.look()
  expect(sent).toEqual([tabId(1)])
  store.change({ type: 'activateTab', tabId: tabId(2) })
  show(tabId(2))
  presence.use(tabId(2))
  expect(sent).toEqual([tabId(1)])
  store.receive({ type: 'changed', version: 2, layout: store.getSnapshot().layout, ids: ['m1'] })
  expect(sent).toEqual([tabId(1), tabId(2)])
  store.setLink('away')
  presence.use(tabId(2))
  open(store.getSnapshot().layout)
  expect(sent).toEqual([tabId(1), tabId(2), tabId(2)])
})

test('[W-621][W-623] an agent that is followed and does nothing more is gone after its time', () => {
  vi.useFakeTimers()
  try {
    const { presence, store, dock, told, hear, wait } = startPresence()
    hear()
    store.receive({ type: 'acted', actions: [acted('Robot', 0, { tabId: tabId(2) })] })
    const [robot] = presence.people.get()
    presence.follow(robot?.key ?? '')
    expect(dock.follow).toHaveBeenLastCalledWith(tabId(2))
    wait(AGENT_PRESENT_MS)
    vi.advanceTimersByTime(AGENT_PRESENT_MS)
    expect(presence.people.get()).toEqual([])
    expect(presence.following.get()).toBeUndefined()
    expect(told).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})
