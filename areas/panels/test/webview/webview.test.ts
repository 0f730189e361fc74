import { Problem } from '@patchbay/contracts/core'
import { PANEL_SHOWN_HEADER } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { listActions } from '../../src/access/action.store.ts'
import { listPanelStates } from '../../src/workspaces/panel-state.store.ts'
import { AT, codeOf, makeTabs, removeTab, splitOff, startCalls, takeCalls } from './calls.ts'
import { openBrowser } from './stand-in.ts'

const PATH = '/api/panels/webview/ada/board'

test('[D-140] the panel is the active tab of the named leaf; a leaf that is not there, or empty, is not found', async () => {
  await using calls = await takeCalls()
  const [web, second] = await makeTabs(calls.node, ['webview', 'webview'])
  const ada = calls.as('ada')
  const act = (panelId: string) => ada.send('PATCH', PATH, { panelId, action: 'refresh' })
  expect((await act(web.panelId)).status).toBe(204)
  expect((await listPanelStates(calls.node.db, AT)).map(({ tabId }) => tabId)).toEqual([web.tabId])
  for (const unknown of [web.tabId, second?.tabId ?? '', 'no-uuid', 'x'.repeat(100)])
    expect(await codeOf(await act(unknown))).toEqual([404, 'panel_not_found'])
  await removeTab(calls.node, web.tabId)
  await removeTab(calls.node, second?.tabId ?? '')
  expect(await codeOf(await act(web.panelId))).toEqual([404, 'panel_not_found'])
})

test('[D-141] a tabId that is not the active tab is refused', async () => {
  await using calls = await takeCalls()
  const [front, back] = await makeTabs(calls.node, ['webview', 'webview'])
  const ada = calls.as('ada')
  const act = (tabId: string | undefined) =>
    ada.send('PATCH', PATH, { panelId: front.panelId, tabId, action: 'refresh' })
  for (const wrong of [back?.tabId, '00000000-0000-4000-8000-000000000000']) {
    const answer = await act(wrong)
    const body = (await answer.json()) as { code: string; detail: string }
    expect([answer.status, body.code]).toEqual([409, 'panel_mismatch'])
    expect(body.detail).toContain(front.tabId)
  }
  expect(await listPanelStates(calls.node.db, AT)).toEqual([])
  expect((await act(front.tabId)).status).toBe(204)
})

test('[D-142] an active tab of another kind is refused with words that say what is there', async () => {
  await using calls = await takeCalls()
  const [first, ...others] = await makeTabs(calls.node, ['webview', 'sandbox', 'code-editor', 'of-bob'])
  expect(first.tabId).not.toBe('')
  for (const [index, kind] of ['sandbox', 'code-editor', 'web'].entries()) {
    const { panelId } = await splitOff(calls.node, others[index] ?? first)
    const answer = await calls.as('ada').send('PATCH', PATH, { panelId, action: 'refresh' })
    const body = (await answer.json()) as { code: string; detail: string }
    expect([answer.status, body.code]).toEqual([409, 'panel_mismatch'])
    expect(body.detail).toContain(`kind "${kind}"`)
  }
})

test('[D-143] navigate stores the address as a browser would write it', async () => {
  await using calls = await takeCalls()
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  const navigate = (url: unknown) => calls.as('ada').send('PATCH', PATH, { panelId, action: 'navigate', url })
  for (const [given, shown] of [
    ['https://Example.org', 'https://example.org/'],
    ['http://example.org:80/a/../b c'.replace(' ', '%20'), 'http://example.org/b%20c'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ]) {
    expect((await navigate(given)).status).toBe(204)
    const [now] = await listPanelStates(calls.node.db, AT)
    expect(now?.state).toEqual({ url: shown, refresh: now?.revision })
  }
  const last = await listPanelStates(calls.node.db, AT)
  for (const wrong of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://[',
    'https://ada:secret@example.org/',
    'https://ada@example.org/',
    `https://example.org/${'ä'.repeat(1_000)}`,
    'https://a b',
    '',
    7,
  ])
    expect(await codeOf(await navigate(wrong))).toEqual([400, 'invalid_request'])
  expect(await listPanelStates(calls.node.db, AT)).toEqual(last)
})

test('[D-144] each action keeps what the others have set, and refresh is a new number each time', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['webview'])
  const act = async (action: object) => {
    expect((await calls.as('ada').send('PATCH', PATH, { panelId, ...action })).status).toBe(204)
    return (await listPanelStates(calls.node.db, AT))[0]
  }
  await act({ action: 'navigate', url: 'https://example.org/' })
  await act({ action: 'setHeaderHidden', hidden: true })
  await act({ action: 'setProxyEnabled', enabled: true })
  const first = await act({ action: 'refresh' })
  const second = await act({ action: 'refresh' })
  const common = { url: 'https://example.org/', isHeaderHidden: true, isProxyEnabled: true }
  expect(first).toEqual({ tabId, revision: first?.revision, state: { ...common, refresh: first?.revision } })
  expect(second?.state['refresh']).toBeGreaterThan(Number(first?.state['refresh']))
  expect((await act({ action: 'setHeaderHidden', hidden: false }))?.state).toMatchObject({
    ...common,
    isHeaderHidden: false,
  })
})

test('[D-321] C3: where there is no proxy, none is turned on, and turning it off is no fault', async () => {
  await using calls = await startCalls({ settings: { proxyUrl: undefined } })
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  const set = (enabled: boolean) =>
    calls.as('ada').send('PATCH', PATH, { panelId, action: 'setProxyEnabled', enabled })
  expect(await codeOf(await set(true))).toEqual([409, 'proxy_not_available'])
  expect(await listPanelStates(calls.node.db, AT)).toEqual([])
  expect(await listActions(calls.node.db, AT, { after: 0, limit: 9 })).toEqual([])
  expect((await set(false)).status).toBe(204)
})

test('[D-145] the answer is 204 whatever becomes of the browser', async () => {
  await using calls = await takeCalls()
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  const act = async () => {
    const begunAt = performance.now()
    const answer = await calls.as('ada').send('PATCH', PATH, { panelId, action: 'refresh' })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    return performance.now() - begunAt
  }
  await act()
  calls.control.browser = openBrowser()
  for (const outcome of ['timeout', 'lost', 'no_browser'] as const) {
    calls.control.answer = () => ({ outcome })
    await act()
  }
  calls.control.answer = () => ({ outcome: 'failed', code: 'no_such_tab', message: 'not there yet' })
  await act()
  calls.control.answer = () => Promise.reject(new Problem('bus_unavailable'))
  await act()
  expect(calls.control.options.every(({ deadlineMs, canRepeat }) => deadlineMs === 2_000 && canRepeat)).toBe(
    true,
  )
  expect((await listPanelStates(calls.node.db, AT))[0]?.state['refresh']).toBe(7)
})

test('[D-334] O6: beside 204 the answer says whether it is shown', async () => {
  await using calls = await takeCalls()
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  const act = async () => {
    const { status, headers } = await calls.as('ada').send('PATCH', PATH, { panelId, action: 'refresh' })
    return [status, headers.get(PANEL_SHOWN_HEADER)]
  }
  expect(await act()).toEqual([204, 'nobody'])
  calls.control.browser = openBrowser()
  expect(await act()).toEqual([204, 'yes'])
  for (const outcome of ['timeout', 'lost'] as const) {
    calls.control.answer = () => ({ outcome })
    expect(await act()).toEqual([204, 'later'])
  }
  calls.control.answer = () => Promise.reject(new Problem('bus_unavailable'))
  expect(await act()).toEqual([204, 'later'])
})

test('[D-146] the browser that acts gets the whole state with its revision, the others are woken', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['webview'])
  calls.control.browser = openBrowser()
  const act = (action: object) => calls.as('ada').send('PATCH', PATH, { panelId, ...action })
  await act({ action: 'setHeaderHidden', hidden: true })
  await act({ action: 'navigate', url: 'https://example.org/' })
  const [stored] = await listPanelStates(calls.node.db, AT)
  expect(calls.control.sent.at(-1)).toEqual({ kind: 'show', ...stored })
  expect(stored).toMatchObject({ tabId, state: { isHeaderHidden: true, url: 'https://example.org/' } })
  expect(calls.control.notified).toEqual([AT, AT])
})

test('[D-147] who did what and why is noted', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['webview'])
  const agent = calls.as('ada', { label: 'robot' })
  await agent.send('PATCH', PATH, { panelId, action: 'refresh', reason: 'The page is old' })
  await calls.as('ada', { kind: 'browser', label: 'x' }).send('PATCH', PATH, { panelId, action: 'refresh' })
  const actions = await listActions(calls.node.db, AT, { after: 0, limit: 10 })
  expect(actions).toMatchObject([
    {
      tabId,
      by: { kind: 'api_key', name: 'robot', handle: 'ada' },
      action: 'webview refresh',
      reason: 'The page is old',
    },
    { tabId, by: { kind: 'browser', handle: 'ada' }, action: 'webview refresh' },
  ])
  const actors = await calls.node.db.selectFrom('workspace_actors').select(['name', 'last_action']).execute()
  expect(actors).toEqual([{ name: 'robot', last_action: 'webview refresh' }])
})

test('[D-147] what is noted says which host was opened and what was switched', async () => {
  await using calls = await takeCalls()
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  for (const action of [
    { action: 'navigate', url: 'https://Example.org:8443/a?token=secret' },
    { action: 'setHeaderHidden', hidden: true },
    { action: 'setProxyEnabled', enabled: false },
  ])
    expect((await calls.as('ada').send('PATCH', PATH, { panelId, ...action })).status).toBe(204)
  const actions = await listActions(calls.node.db, AT, { after: 0, limit: 10 })
  expect(actions.map(({ action }) => action)).toEqual([
    'webview navigate example.org:8443',
    'webview setHeaderHidden true',
    'webview setProxyEnabled false',
  ])
})

test('[D-149] refusals: 400, 401, 403, 404 and 429', async () => {
  await using calls = await startCalls({ settings: { actionsPerMinute: 3 } })
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  const body = { panelId, action: 'refresh' }
  const ada = calls.as('ada', { kind: 'browser' })
  for (const wrong of [
    {},
    { panelId },
    { panelId, action: 'close' },
    { panelId, action: 'navigate' },
    { panelId, action: 'setHeaderHidden', hidden: 'yes' },
    { panelId, action: 'setProxyEnabled' },
    { ...body, more: 1 },
    { ...body, tabId: 'x' },
    { ...body, reason: 'a\nb' },
    [body],
  ])
    expect(await codeOf(await ada.send('PATCH', PATH, wrong))).toEqual([400, 'invalid_request'])
  const nobody = await fetch(calls.url + PATH, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(await codeOf(nobody)).toEqual([401, 'sign_in_required'])
  for (const scope of ['sandbox:ada/board', 'screenshot:ada/*', 'workspace:ada/board', 'webview:ada/other']) {
    const answer = await calls.as('ada', { label: scope, scopes: [scope] }).send('PATCH', PATH, body)
    expect(await codeOf(answer)).toEqual([403, 'not_permitted'])
  }
  expect(await codeOf(await calls.as('bob').send('PATCH', PATH, body))).toEqual([403, 'not_permitted'])
  const absent = await ada.send('PATCH', '/api/panels/webview/ada/absent', body)
  expect(await codeOf(absent)).toEqual([404, 'workspace_not_found'])
  expect(await listPanelStates(calls.node.db, AT)).toEqual([])
  const agent = calls.as('ada', { label: 'agent', scopes: ['webview:ada/board'] })
  for (let call = 0; call < 3; call += 1) expect((await agent.send('PATCH', PATH, body)).status).toBe(204)
  const limited = await agent.send('PATCH', PATH, body)
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await codeOf(limited)).toEqual([429, 'rate_limited'])
})
