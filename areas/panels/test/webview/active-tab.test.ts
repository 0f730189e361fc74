import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import { listPanelStates } from '../../src/workspaces/panel-state.store.ts'
import { trashWorkspace } from '../../src/workspaces/trash.store.ts'
import { createCaller } from '../caller.ts'
import { AT, type Calls, codeOf, makeTabs, removeTab, takeCalls } from './calls.ts'

const PATH = '/api/panels/webview/ada/board'

async function activate({ node }: Calls, tabId: string): Promise<void> {
  const { outcome } = await changeLayout(node.db, AT, [{ type: 'activateTab', tabId }], {
    rules: { isSingleton: () => false },
    now: new Date(),
  })
  expect(outcome).toBe('changed')
}

test('[D-281] an action meets the tab that is active now, whatever the node has seen before', async () => {
  await using calls = await takeCalls()
  const [first, second, sandbox] = await makeTabs(calls.node, ['webview', 'webview', 'sandbox'])
  const { panelId, tabId } = first
  const act = (more: object = {}) =>
    calls.as('ada').send('PATCH', PATH, { panelId, action: 'refresh', ...more })
  const latest = async () => (await listPanelStates(calls.node.db, AT)).at(-1)?.tabId
  for (let time = 0; time < 3; time += 1) expect((await act()).status).toBe(204)
  expect(await latest()).toBe(tabId)
  await activate(calls, second?.tabId ?? '')
  expect(await codeOf(await act({ tabId }))).toEqual([409, 'panel_mismatch'])
  expect((await act()).status).toBe(204)
  expect(await latest()).toBe(second?.tabId)
  expect((await act({ tabId: second?.tabId })).status).toBe(204)
  expect(await codeOf(await act({ tabId }))).toEqual([409, 'panel_mismatch'])
  await activate(calls, sandbox?.tabId ?? '')
  expect(await codeOf(await act())).toEqual([409, 'panel_mismatch'])
  for (const tab of [first, second, sandbox]) await removeTab(calls.node, tab?.tabId ?? '')
  expect(await codeOf(await act())).toEqual([404, 'panel_not_found'])
})

test('[D-281] nor does it act in a workspace that was made again under the name', async () => {
  await using calls = await takeCalls()
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  const ada = calls.as('ada')
  const act = (leaf: string) => ada.send('PATCH', PATH, { panelId: leaf, action: 'refresh' })
  for (let time = 0; time < 2; time += 1) expect((await act(panelId)).status).toBe(204)
  const caller = await calls.node.access.requirePrincipal({ headers: ada.headers })
  await trashWorkspace(calls.node.db, AT, { id: randomUUID(), caller: caller, now: new Date() })
  expect(await codeOf(await act(panelId))).toEqual([404, 'workspace_not_found'])
  const [again] = await makeTabs(calls.node, ['webview'])
  expect(await codeOf(await act(panelId))).toEqual([404, 'panel_not_found'])
  expect((await act(again.panelId)).status).toBe(204)
  expect((await listPanelStates(calls.node.db, AT)).map(({ tabId }) => tabId)).toEqual([again.tabId])
})

test('[D-281] an access that was ended, or a right that was taken, is refused at the next call', async () => {
  await using calls = await takeCalls()
  const { node } = calls
  const [{ panelId }] = await makeTabs(node, ['webview'])
  const agent = calls.as('ada')
  const act = (caller = agent) => caller.send('PATCH', PATH, { panelId, action: 'refresh' })
  for (let time = 0; time < 2; time += 1) expect((await act()).status).toBe(204)
  const before = await listPanelStates(node.db, AT)
  const person = createCaller(node.url, 'ada', { kind: 'browser' })
  const { credential } = await node.access.requirePrincipal({ headers: agent.headers })
  const access = `/api/workspaces/editor/ada/board/access/${credential.id}`
  expect((await person.send('PUT', access, { isEnded: true })).status).toBe(204)
  expect(await codeOf(await act())).toEqual([403, 'access_ended'])
  expect(await codeOf(await act(calls.as('bob')))).toEqual([403, 'not_permitted'])
  const other = calls.as('ada', { label: 'other', scopes: ['sandbox:ada/board'] })
  expect(await codeOf(await act(other))).toEqual([403, 'not_permitted'])
  expect(await listPanelStates(node.db, AT)).toEqual(before)
  expect((await person.send('PUT', access, { isEnded: false })).status).toBe(204)
  expect((await act()).status).toBe(204)
})
