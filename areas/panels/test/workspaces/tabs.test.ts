import { expect, test } from 'vitest'
import { findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import { takePanels } from '../start.ts'
import { addTab, editor, makeWorkspaceOf, readCurrent, splitWith, verdict } from './current.ts'

const SOME_ID = '11111111-1111-4111-8111-111111111111'
const OTHER_ID = '22222222-2222-4222-8222-222222222222'

test('[D-54] the current workspace names each tab with all that is needed to act on it', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const first = await addTab(ada, at, { initialState: { url: 'https://example.com/' } })
  const second = await addTab(ada, at, {
    panelType: 'sandbox',
    displayName: 'Blink',
    displayIcon: 'lightbulb',
    activate: false,
  })
  const current = await readCurrent(ada, at)
  expect(current).toEqual({
    owner: 'ada',
    repo: 'board',
    version: 2,
    layout: {
      root: {
        type: 'leaf',
        id: first.panelId,
        activeTabId: first.tabId,
        tabs: [
          { id: first.tabId, panel: findBuiltInOfKind('webview')?.id, title: 'Web view' },
          { id: second.tabId, panel: findBuiltInOfKind('sandbox')?.id, title: 'Blink', icon: 'lightbulb' },
        ],
      },
    },
    tabs: [
      {
        tabId: first.tabId,
        panelId: first.panelId,
        panelType: findBuiltInOfKind('webview')?.id,
        kind: 'webview',
        displayName: 'Web view',
        displayIcon: 'globe',
        isActive: true,
        state: { url: 'https://example.com/' },
      },
      {
        tabId: second.tabId,
        panelId: first.panelId,
        panelType: findBuiltInOfKind('sandbox')?.id,
        kind: 'sandbox',
        displayName: 'Blink',
        displayIcon: 'lightbulb',
        isActive: false,
        state: {},
      },
    ],
    browsers: 0,
    isSharing: false,
  })
})

test('[D-55] what panels show is for those who may act on them', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  await addTab(ada, at, { initialState: { url: 'https://example.com/' } })
  await addTab(ada, at, { panelType: 'sandbox', initialState: { isHeaderHidden: true } })
  await addTab(ada, at, { panelType: 'code-editor', initialState: { text: 'secret' } })
  const seen = async (scope: string) => {
    const key = node.as('ada', { label: scope, scopes: [`${scope}:ada/board`] })
    return (await readCurrent(key, at)).tabs.filter(({ state }) => Object.keys(state).length > 0)
  }
  const kinds = async (scope: string) => (await seen(scope)).map(({ kind }) => kind)
  expect(await kinds('workspace')).toEqual(['webview', 'sandbox', 'code-editor'])
  expect(await kinds('panels')).toEqual(['webview', 'sandbox', 'code-editor'])
  expect(await kinds('webview')).toEqual(['webview'])
  expect(await kinds('sandbox')).toEqual(['sandbox'])
  expect(await kinds('screenshot')).toEqual([])
  node.access.grant('carl', 'ada', 'read')
  expect((await readCurrent(node.as('carl'), at)).tabs[2]?.state).toEqual({ text: 'secret' })
})

test('[D-56] a tab goes to the leaf that is named, else to the first', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const first = await addTab(ada, at, { panelType: findBuiltInOfKind('system-log')?.id })
  const right = await splitWith(ada, at)
  expect((await addTab(ada, at)).panelId).toBe(first.panelId)
  expect((await addTab(ada, at, { panelId: right.panelId })).panelId).toBe(right.panelId)
  const answers = [
    [{ panelType: 'toaster' }, '404 panel_type_not_found'],
    [{ panelType: 'web' }, '404 panel_type_not_found'],
    [{ panelType: `ada/${SOME_ID}` }, '404 panel_type_not_found'],
    [{ panelType: `patchbay/${SOME_ID}` }, '404 panel_type_not_found'],
    [{ panelType: "ada/'; drop table workspaces" }, '404 panel_type_not_found'],
    [{ panelType: 'webview', panelId: SOME_ID }, '404 panel_not_found'],
    [{ panelType: 'webview', panelId: 'main' }, '400 invalid_request'],
    [{ panelType: 'webview', displayName: '' }, '400 invalid_request'],
    [{ panelType: 'webview', color: 'red' }, '400 invalid_request'],
    [{}, '400 invalid_request'],
  ] as const
  for (const [body, expected] of answers)
    expect([body, await verdict(ada.send('POST', `${at}/current/tabs`, body))]).toEqual([body, expected])
})

test('[D-57] a tab that is added again is there once', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const body = { tabId: SOME_ID, initialState: { url: 'https://one.example/' } }
  const added = await Promise.all(Array.from({ length: 10 }, () => addTab(ada, at, body)))
  expect(new Set(added.map(({ panelId }) => panelId)).size).toBe(1)
  const split = await splitWith(ada, at, { tabId: OTHER_ID })
  expect(await splitWith(ada, at, { tabId: OTHER_ID })).toEqual(split)
  expect(await addTab(ada, at, { ...body, initialState: { url: 'https://two.example/' } })).toEqual({
    tabId: SOME_ID,
    panelId: added[0]?.panelId,
    version: 2,
  })
  const { tabs, version } = await readCurrent(ada, at)
  expect(version).toBe(2)
  expect(tabs.map(({ tabId }) => tabId)).toEqual([SOME_ID, OTHER_ID])
  expect(tabs[0]?.state).toEqual({ url: 'https://one.example/' })
  for (const tabId of [SOME_ID, split.panelId]) {
    const other = { panelType: 'sandbox', tabId }
    expect(await verdict(ada.send('POST', `${at}/current/tabs`, other))).toBe('400 invalid_request')
  }
})

test('[D-58] a split goes beside a leaf, or to the border', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const middle = await addTab(ada, at, { displayName: 'middle' })
  await splitWith(ada, at, { displayName: 'left', direction: 'left' })
  await splitWith(ada, at, { displayName: 'above', direction: 'up', panelId: middle.panelId })
  await splitWith(ada, at, { displayName: 'bottom', direction: 'down' })
  const { layout } = await readCurrent(ada, at)
  expect(layout.root).toMatchObject({
    direction: 'column',
    sizes: [0.5, 0.5],
    children: [
      {
        direction: 'row',
        children: [
          { tabs: [{ title: 'left' }] },
          {
            direction: 'column',
            children: [{ tabs: [{ title: 'above' }] }, { tabs: [{ title: 'middle' }] }],
          },
        ],
      },
      { tabs: [{ title: 'bottom' }] },
    ],
  })
  const wrong = { panelType: 'webview', direction: 'inwards' }
  expect(await verdict(ada.send('POST', `${at}/current/splits`, wrong))).toBe('400 invalid_request')
  const nowhere = { panelType: 'webview', direction: 'left', panelId: SOME_ID }
  expect(await verdict(ada.send('POST', `${at}/current/splits`, nowhere))).toBe('404 panel_not_found')
})

test('[D-59] one call moves, renames and activates a tab, or does nothing', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const one = await addTab(ada, at, { displayName: 'one' })
  const two = await addTab(ada, at, { displayName: 'two' })
  const right = await splitWith(ada, at, { displayName: 'right' })
  const patch = (body: object, tabId = one.tabId) => ada.send('PATCH', `${at}/current/tabs/${tabId}`, body)
  const titles = async () =>
    (await readCurrent(ada, at)).tabs.map(
      ({ displayName, isActive, panelId }) =>
        `${panelId === right.panelId ? 'R' : 'L'}:${displayName}${isActive ? '*' : ''}`,
    )
  expect(await titles()).toEqual(['L:one', 'L:two*', 'R:right*'])
  expect(await verdict(patch({ isActive: true }))).toBe('200')
  expect(await titles()).toEqual(['L:one*', 'L:two', 'R:right*'])
  expect(await verdict(patch({ displayName: 'uno', displayIcon: 'box' }))).toBe('200')
  expect(await verdict(patch({ displayIcon: 'cpu' }))).toBe('200')
  expect((await readCurrent(ada, at)).tabs[0]).toMatchObject({ displayName: 'uno', displayIcon: 'cpu' })
  expect(await verdict(patch({ moveTo: { index: 1 } }))).toBe('200')
  expect(await titles()).toEqual(['L:two', 'L:uno*', 'R:right*'])
  const all = { displayName: 'eins', moveTo: { panelId: right.panelId, index: 0 }, isActive: true }
  expect(await verdict(patch(all))).toBe('200')
  expect(await titles()).toEqual(['L:two*', 'R:eins*', 'R:right'])
  const { version } = await readCurrent(ada, at)
  const half = { displayName: 'lost', moveTo: { panelId: SOME_ID } }
  expect(await verdict(patch(half))).toBe('404 panel_not_found')
  expect(await verdict(patch({ isActive: true }, SOME_ID))).toBe('404 panel_not_found')
  for (const body of [
    {},
    { reason: 'because' },
    { moveTo: {} },
    { moveTo: { index: 0, direction: 'left' } },
    { isActive: false },
    { moveTo: { index: -1 } },
  ])
    expect([body, await verdict(patch(body))]).toEqual([body, '400 invalid_request'])
  expect((await readCurrent(ada, at)).version).toBe(version)
  expect(await verdict(patch({ moveTo: { direction: 'up' } }, two.tabId))).toBe('200')
  expect((await readCurrent(ada, at)).layout.root).toMatchObject({ direction: 'column' })
})

test('[D-60] with a tab goes what it held', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at, { panelType: 'sandbox', initialState: { isHeaderHidden: true } })
  const stays = await addTab(ada, at, { initialState: { url: 'https://example.com/' } })
  const where = { owner: 'ada', repo: 'board', tab_id: tabId }
  const soon = new Date(Date.now() + 60_000)
  const evaluation = { ...where, credential_id: SOME_ID, code: '1', timeout_ms: 100, created_at: soon }
  await node.db
    .insertInto('sandbox_evals')
    .values([
      { ...evaluation, id: SOME_ID, status: 'queued', expires_at: soon },
      { ...evaluation, id: OTHER_ID, status: 'executed', expires_at: soon },
    ])
    .execute()
  await node.db
    .insertInto('proxy_tickets')
    .values({
      ...where,
      token_hash: Buffer.alloc(32),
      person_id: SOME_ID,
      session_id: SOME_ID,
      network: '127.0.0.1',
      expires_at: soon,
    })
    .execute()
  expect(await verdict(ada.send('DELETE', `${at}/current/tabs/${tabId}`))).toBe('204')
  expect(await verdict(ada.send('DELETE', `${at}/current/tabs/${tabId}`))).toBe('404 panel_not_found')
  expect(await node.db.selectFrom('sandbox_evals').select('id').execute()).toEqual([{ id: OTHER_ID }])
  expect(await node.db.selectFrom('proxy_tickets').selectAll().execute()).toEqual([])
  expect(await node.db.selectFrom('panel_states').select('tab_id').execute()).toEqual([
    { tab_id: stays.tabId },
  ])
  await addTab(ada, at, { panelType: 'sandbox', tabId })
  expect((await readCurrent(ada, at)).tabs.find((tab) => tab.tabId === tabId)?.state).toEqual({})
})

test('[D-61] a split is resized in any unit', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  await addTab(ada, at)
  await splitWith(ada, at)
  const { root } = (await readCurrent(ada, at)).layout
  const resize = (sizes: readonly unknown[], id = root.id) =>
    verdict(ada.send('PATCH', `${at}/current/splits/${id}`, { sizes }))
  expect(await resize([300, 100])).toBe('200')
  expect((await readCurrent(ada, at)).layout.root).toMatchObject({ sizes: [0.75, 0.25] })
  expect(await resize([1, 1, 1])).toBe('400 invalid_request')
  expect(await resize([1, 0])).toBe('400 invalid_request')
  expect(await resize([1, '1'])).toBe('400 invalid_request')
  expect(await resize([1, 1], SOME_ID)).toBe('404 panel_not_found')
})

test('[D-63] an initial state that does not fit is refused with words that name the key', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const refuse = async (panelType: string, initialState: object) => {
    const answer = await ada.send('POST', `${editor('ada')}/current/tabs`, { panelType, initialState })
    expect(answer.status).toBe(400)
    return ((await answer.json()) as { detail: string }).detail
  }
  expect(await refuse('webview', { url: 'javascript:alert(1)' })).toContain('url must match')
  expect(await refuse('webview', { refresh: 7 })).toContain('"refresh" is set by the server alone')
  expect(await refuse('webview', { adress: 'x' })).toContain('has no "adress"')
  expect(await refuse('system-log', { url: 'https://example.com/' })).toContain('has no "url"')
  expect((await readCurrent(ada, at)).version).toBe(0)
})
