import { randomUUID } from 'node:crypto'
import { waitUntil } from '@patchbay/testkit/processes'
import { tabs } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import { findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import { noteActionAlone, patchPanelState } from '../../src/workspaces/panel-state.store.ts'
import { trashWorkspace } from '../../src/workspaces/trash.store.ts'
import { createTestAccess, uuidOf } from '../access.ts'
import { planned } from '../planned.ts'
import type { TestBrowser } from './browser.ts'
import { addTab, RULES } from './changes.ts'
import { BOARD, FIRST_LEAF, startControl, startTwoNodes, storedLayout } from './start-control.ts'

const AGENT = {
  personId: uuidOf('ada'),
  handle: 'ada',
  credential: { kind: 'api_key', id: uuidOf('key'), label: 'agent' },
} as const

test('[D-105] a change of one page is seen by the pages of every node, and confirmed to its own', async () => {
  await using nodes = await startTwoNodes()
  await using mine = await nodes.one.open()
  await using beside = await nodes.one.open()
  await using far = await nodes.two.open()
  const id = mine.change(addTab('Docs'))
  expect(await mine.answered(id)).toMatchObject({ type: 'changed', version: 1, ids: [id] })
  const { layout } = await storedLayout(nodes.one)
  expect(tabs(layout).map(({ title }) => title)).toEqual(['Docs'])
  for (const other of [beside, far])
    expect(await other.heard('changed')).toMatchObject({ version: 1, ids: [], layout })
})

test('[D-106][D-340] F5: what cannot be made is refused by its reason, and changes nothing', async () => {
  await using node = await startControl()
  await using browser = await node.open()
  const viewer = addTab('Viewer', 'viewer-3d')
  await browser.answered(browser.change(viewer))
  const codeOf = async (message: Record<string, unknown>) => {
    const id = randomUUID()
    browser.send({ type: 'change', id, ...message })
    const answer = await browser.answered(id)
    return answer.type === 'refused' ? answer.code : answer.type
  }
  expect(await codeOf({ change: addTab('Another', 'viewer-3d') })).toBe('singleton_exists')
  expect(await codeOf({ change: { type: 'removeTab', tabId: randomUUID() } })).toBe('no_such_tab')
  expect(await codeOf({ change: { type: 'removeTab', tabId: 'first' } })).toBe('invalid_change')
  expect(await codeOf({ change: { type: 'explode' } })).toBe('invalid_change')
  const { layout, version } = await storedLayout(node)
  expect(await codeOf({ change: { type: 'replace', layout } })).toBe('invalid_change')
  const unknown = { ...addTab('Odd'), tab: { ...addTab('Odd').tab, panel: `ada/${randomUUID()}` } }
  expect(await codeOf({ change: unknown })).toBe('panel_type_not_found')
  {
    using _coming = planned('schematic-editor')
    expect(await codeOf({ change: addTab('Board', 'schematic-editor') })).toBe('panel_type_planned')
  }
  expect(await codeOf({ change: addTab('Page'), initialState: { url: 'ftp://x' } })).toBe('invalid_state')
  expect(await codeOf({ change: addTab('Page'), initialState: { refresh: 7 } })).toBe('invalid_state')
  expect(await storedLayout(node)).toEqual({ layout, version })
  expect(version).toBe(1)
})

test('[D-383] a page puts the layout back that it expects to be there, and nothing over what others did', async () => {
  await using node = await startControl()
  await using mine = await node.open()
  await using other = await node.open()
  const docs = addTab('Docs')
  await mine.answered(mine.change(docs))
  const before = await storedLayout(node)
  await mine.answered(mine.change(addTab('More')))
  const after = await storedLayout(node)
  const back = { type: 'replace', layout: before.layout, expected: after.layout } as const
  const tab = { ...docs.tab, id: randomUUID() }
  const planted = { root: { type: 'leaf', id: FIRST_LEAF, tabs: [tab], activeTabId: tab.id } } as const
  expect(await mine.answered(mine.change({ ...back, layout: planted }))).toMatchObject({
    code: 'invalid_change',
  })
  expect(await storedLayout(node)).toEqual(after)
  expect(await mine.answered(mine.change(back))).toMatchObject({ type: 'changed', version: 3 })
  expect((await storedLayout(node)).layout).toEqual(before.layout)
  expect(await node.db.selectFrom('closed_tabs').select('title').execute()).toEqual([{ title: 'More' }])
  await other.answered(other.change({ type: 'retitleTab', tabId: docs.tab.id, title: 'Theirs' }))
  const forth = { type: 'replace', layout: after.layout, expected: before.layout } as const
  const late = { ...forth, layout: { root: { ...before.layout.root, id: randomUUID() } } } as typeof forth
  expect(await mine.answered(mine.change(late))).toMatchObject({ code: 'layout_changed' })
  expect(tabs((await storedLayout(node)).layout)).toMatchObject([{ title: 'Theirs' }])
})

test('[D-107] a page whose person may only read can change nothing', async () => {
  const access = createTestAccess()
  access.grant('bob', 'ada', 'read')
  await using node = await startControl({ access })
  await using reader = await node.open({ handle: 'bob' })
  expect(await reader.heard('opened')).toMatchObject({ mayChange: false })
  expect(await reader.answered(reader.change(addTab('Mine')))).toMatchObject({ code: 'not_permitted' })
  const id = randomUUID()
  reader.send({ type: 'state', id, tabId: randomUUID(), patch: {} })
  expect(await reader.answered(id)).toMatchObject({ code: 'not_permitted' })
  expect((await storedLayout(node)).version).toBe(0)
  expect(reader.isOwner()).toBe(false)
})

test('[D-108] the changes of a page are made in the order in which it sent them', async () => {
  await using node = await startControl()
  await using browser = await node.open({ opens: false })
  const tabId = randomUUID()
  // Sent in one go, before the workspace is even open, each on the result of the one before.
  browser.send({
    type: 'open',
    ...BOARD,
    browserId: browser.browserId,
    isVisible: true,
    isFocused: true,
    isSharing: false,
  })
  const ids = [browser.change(addTab('first', 'webview', tabId))]
  for (let index = 0; index < 150; index += 1)
    ids.push(browser.change({ type: 'retitleTab', tabId, title: `title ${index}` }))
  const last = ids.at(-1) ?? ''
  expect(await browser.answered(last)).toMatchObject({ type: 'changed', version: 151 })
  expect(browser.all('refused')).toEqual([])
  expect(browser.all('changed').flatMap((message) => message.ids)).toEqual(ids)
  expect(tabs((await storedLayout(node)).layout)).toMatchObject([{ title: 'title 149' }])
})

test('[D-110] what a panel shows is checked, stored and told to every page', async () => {
  await using nodes = await startTwoNodes()
  await using mine = await nodes.one.open()
  await using far = await nodes.two.open()
  const { tab } = addTab('Docs')
  const added = randomUUID()
  mine.send({
    type: 'change',
    id: added,
    change: addTab('Docs', 'webview', tab.id),
    initialState: { url: 'https://one.example/' },
  })
  await mine.answered(added)
  const shows = (url: string) => ({ tabId: tab.id, state: { url } })
  expect((await far.heard('states')).states).toMatchObject([shows('https://one.example/')])
  expect((await mine.heard('states')).states).toMatchObject([shows('https://one.example/')])

  const state = async (patch: Record<string, unknown>, tabId = tab.id) => {
    const id = randomUUID()
    mine.send({ type: 'state', id, tabId, patch })
    return await mine.answered(id)
  }
  expect(await state({ url: 'https://two.example/' })).toMatchObject({ type: 'states' })
  await far.heard('states', ({ states }) => states.some((one) => one.state['url'] === 'https://two.example/'))
  expect(await state({ url: 'javascript:alert(1)' })).toMatchObject({ code: 'invalid_state' })
  expect(await state({ refresh: 9 })).toMatchObject({ code: 'invalid_state' })
  expect(await state({ url: 'https://x.example/' }, randomUUID())).toMatchObject({ code: 'no_such_tab' })
  expect(await state({ url: null })).toMatchObject({ type: 'states' })
  const rows = await nodes.one.db.selectFrom('panel_states').select('state').execute()
  expect(rows).toEqual([{ state: {} }])
})

/** A code editor with a text, and pages of it on two nodes. */
async function startEditing(nodes: Awaited<ReturnType<typeof startTwoNodes>>) {
  const mine = await nodes.one.open()
  const far = await nodes.two.open()
  const { tab } = addTab('Text', 'code-editor')
  const id = randomUUID()
  mine.send({
    type: 'change',
    id,
    change: addTab('Text', 'code-editor', tab.id),
    initialState: { text: 'base' },
  })
  await mine.answered(id)
  const [told] = (await far.heard('states')).states
  const base = told?.revision ?? Number.NaN
  const send = (browser: TestBrowser, text: string, on = base, message = randomUUID()) => {
    browser.send({ type: 'state', id: message, tabId: tab.id, patch: { text }, base: on })
    return browser.answered(message)
  }
  const stored = async () =>
    (await nodes.one.db.selectFrom('panel_states').select('state').execute()).map(
      ({ state }) => state['text'],
    )
  return { mine, far, base, send, stored, tabId: tab.id }
}

test('[D-310] L2: of two pages that store at the same moment one wins, and the other is told what is there', async () => {
  await using nodes = await startTwoNodes()
  const { mine, far, send, stored } = await startEditing(nodes)
  await using _mine = mine
  await using _far = far
  const answers = await Promise.all([send(mine, 'of mine'), send(far, 'of far')])
  const [kept] = await stored()
  const refused = answers.filter(({ type }) => type === 'refused')
  expect(refused).toMatchObject([{ code: 'state_changed', shown: { state: { text: kept } } }])
  expect(answers[kept === 'of mine' ? 1 : 0]).toBe(refused[0])
})

test('[D-310] L2: what a page sends behind its own text is stored, until somebody else has stored another', async () => {
  await using nodes = await startTwoNodes()
  const { mine, far, base, send, stored, tabId } = await startEditing(nodes)
  await using _mine = mine
  await using _far = far
  // Before the first is answered: all of them know the same revision.
  const answers = await Promise.all(['m', 'mi', 'mine'].map((text) => send(mine, text)))
  expect(answers.map(({ type }) => type)).toEqual(['states', 'states', 'states'])
  const { states } = await far.heard('states', (one) =>
    one.states.some(({ state }) => state['text'] === 'mine'),
  )
  expect(await send(far, 'theirs', states.at(-1)?.revision)).toMatchObject({ type: 'states' })
  expect(await send(mine, 'mine again')).toMatchObject({ code: 'state_changed' })
  expect(await stored()).toEqual(['theirs'])
  // Without a base nothing is asked: whoever names a file need not know its text.
  const id = randomUUID()
  mine.send({ type: 'state', id, tabId, patch: { fileName: 'a.py' } })
  expect(await mine.answered(id)).toMatchObject({ type: 'states' })
  expect(await send(mine, 'mine again', base)).toMatchObject({
    code: 'state_changed',
    shown: { state: { text: 'theirs', fileName: 'a.py' } },
  })
})

test('[D-310] L2: a text that is sent again after a lost connection is confirmed again', async () => {
  await using nodes = await startTwoNodes()
  const { mine, far, base, send, stored } = await startEditing(nodes)
  await using _far = far
  const id = randomUUID()
  await send(mine, 'mine', base, id)
  await mine[Symbol.asyncDispose]()
  await using again = await nodes.one.open()
  expect(await send(again, 'mine', base, id)).toMatchObject({ type: 'states', ids: [id] })
  expect(await send(again, 'mine, and more')).toMatchObject({ type: 'states' })
  expect(await stored()).toEqual(['mine, and more'])
})

test('[D-112] a change that is sent again is confirmed again and made once', async () => {
  await using node = await startControl()
  const change = addTab('Docs')
  const id = randomUUID()
  {
    await using first = await node.open()
    await first.answered(first.change(change, id))
  }
  await using again = await node.open()
  again.change(change, id)
  expect(await again.answered(id)).toMatchObject({ type: 'changed', version: 1, ids: [id] })
  expect(tabs((await storedLayout(node)).layout)).toHaveLength(1)
})

test('[D-113] without a wake-up, pages see changes, states and actions all the same', async () => {
  await using node = await startControl({ timings: { sweepMs: 300 } })
  await using browser = await node.open()
  const now = new Date()
  const change = addTab('Docs')
  // Straight into the tables: nobody is notified.
  await changeLayout(node.db, BOARD, [change], { rules: RULES, now })
  await browser.heard('changed', ({ version }) => version === 1)
  await patchPanelState(node.db, BOARD, { tabId: change.tab.id, patch: { url: 'https://x.example/' } }, now)
  await browser.heard('states', ({ states }) => states.some(({ tabId }) => tabId === change.tab.id))
  await noteActionAlone(node.db, BOARD, { caller: AGENT, tabId: null, action: 'look' }, now)
  expect(await browser.heard('acted')).toMatchObject({ actions: [{ action: 'look' }] })
})

test('[D-114] the pages of a workspace that is removed are told so', async () => {
  await using nodes = await startTwoNodes()
  await using mine = await nodes.one.open()
  await using far = await nodes.two.open()
  await trashWorkspace(nodes.one.db, BOARD, { id: randomUUID(), caller: AGENT, now: new Date() })
  nodes.one.control.notify(BOARD)
  expect(await mine.closed()).toBe('workspace_gone')
  expect(await far.closed()).toBe('workspace_gone')
})

test('[D-115] every page sees each action once, in order', async () => {
  await using nodes = await startTwoNodes()
  await using mine = await nodes.one.open()
  await using far = await nodes.two.open()
  const actions = Array.from({ length: 30 }, (_, index) => `act ${index}`)
  for (const [index, action] of actions.entries()) {
    const reason = index === 0 ? { reason: 'because' } : {}
    await noteActionAlone(nodes.one.db, BOARD, { caller: AGENT, tabId: null, action, ...reason }, new Date())
    nodes.one.control.notify(BOARD)
  }
  for (const browser of [mine, far]) {
    const seen = () => browser.all('acted').flatMap((message) => message.actions)
    await waitUntil('all actions are seen', () => seen().length >= actions.length, { deadlineMs: 20_000 })
    expect(seen().map(({ action }) => action)).toEqual(actions)
    expect(seen()[0]).toMatchObject({ reason: 'because', by: { kind: 'api_key', name: 'agent' } })
  }
})

test('[D-115] of many actions between two looks none is left out', async () => {
  await using node = await startControl()
  await using browser = await node.open()
  const actions = Array.from({ length: 60 }, (_, index) => `act ${index}`)
  for (const action of actions)
    await noteActionAlone(node.db, BOARD, { caller: AGENT, tabId: null, action }, new Date())
  node.control.notify(BOARD)
  const seen = () => browser.all('acted').flatMap((message) => message.actions.map(({ action }) => action))
  await waitUntil('the last is seen', () => seen().includes('act 59'), { deadlineMs: 20_000 })
  expect(seen()).toEqual(actions)
})

test('[D-106] a panel that others have added can be placed, and once if it says so', async () => {
  await using node = await startControl()
  await using browser = await node.open()
  const uuid = randomUUID()
  await node.db
    .insertInto('catalog_panels')
    .values({
      owner: 'ada',
      panel_uuid: uuid,
      name: 'Own',
      description: 'Own page',
      category: 'Utility',
      icon: 'globe',
      url: 'https://own.example/',
      singleton: true,
      created_at: new Date(),
    })
    .execute()
  const own = () => ({
    type: 'addTab' as const,
    tab: { id: randomUUID(), panel: `ada/${uuid}`, title: 'Own' },
    at: { leafId: FIRST_LEAF },
  })
  expect(await browser.answered(browser.change(own()))).toMatchObject({ type: 'changed' })
  expect(await browser.answered(browser.change(own()))).toMatchObject({ code: 'singleton_exists' })
  expect(findBuiltInOfKind('webview')?.singleton).toBe(false)
})

test('[D-270] a workspace that is made again under its name is another one: pages of the first are closed', async () => {
  await using nodes = await startTwoNodes()
  await using mine = await nodes.one.open()
  await using far = await nodes.two.open()
  for (const title of ['one', 'two']) await mine.answered(mine.change(addTab(title)))
  // In one go: nobody could look in between. The new one has a version that the old one had.
  const change = addTab('new')
  const root = { type: 'leaf', id: FIRST_LEAF, tabs: [change.tab], activeTabId: change.tab.id }
  const now = new Date()
  const made = {
    version: 1,
    layout: JSON.stringify({ root }),
    tab_count: 1,
    created_at: now,
    changed_at: now,
  }
  await nodes.one.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('workspaces').execute()
    await tx
      .insertInto('workspaces')
      .values({ ...BOARD, ...made })
      .execute()
  })
  nodes.one.control.notify(BOARD)
  for (const browser of [mine, far]) expect(await browser.closed()).toBe('workspace_gone')
  await using again = await nodes.one.open()
  expect(await again.heard('opened')).toMatchObject({ version: 1, layout: { root: { tabs: [change.tab] } } })
})
