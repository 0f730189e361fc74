import { deepTest } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { setShown } from '../../src/shown-state.store.ts'
import { KnownTargets } from '../../src/webview/known-targets.ts'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import { listPanelStates } from '../../src/workspaces/panel-state.store.ts'
import { removeWorkspace } from '../../src/workspaces/workspace.store.ts'
import { uuidOf } from '../access.ts'
import { createCaller } from '../caller.ts'
import { takePanels } from '../start.ts'
import { AT, type Calls, codeOf, makeTabs, removeTab, takeCalls } from './calls.ts'
import { startPair } from './pair.ts'

const PATH = '/api/panels/webview/ada/board'

async function activate({ node }: Calls, tabId: string): Promise<void> {
  const { outcome } = await changeLayout(node.db, AT, [{ type: 'activateTab', tabId }], {
    rules: { isSingleton: () => false },
    now: new Date(),
  })
  expect(outcome).toBe('changed')
}

test('[D-280] an action meets the tab that is active now, whatever the node has seen before', async () => {
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

test('[D-280] nor does it act in a workspace that was made again under the name', async () => {
  await using calls = await takeCalls()
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  const ada = calls.as('ada')
  const act = (leaf: string) => ada.send('PATCH', PATH, { panelId: leaf, action: 'refresh' })
  for (let time = 0; time < 2; time += 1) expect((await act(panelId)).status).toBe(204)
  const caller = await calls.node.access.requirePrincipal({ headers: ada.headers })
  await removeWorkspace(calls.node.db, AT, caller, new Date())
  expect(await codeOf(await act(panelId))).toEqual([404, 'workspace_not_found'])
  const [again] = await makeTabs(calls.node, ['webview'])
  expect(await codeOf(await act(panelId))).toEqual([404, 'panel_not_found'])
  expect((await act(again.panelId)).status).toBe(204)
  expect((await listPanelStates(calls.node.db, AT)).map(({ tabId }) => tabId)).toEqual([again.tabId])
})

deepTest(
  '[D-280] while one node moves the active tab, the other never writes to the tab that was active before',
  async () => {
    await using pair = await startPair()
    const [a, b] = pair.nodes
    const [first, second] = await makeTabs(a, ['webview', 'webview'])
    const other = second ?? first
    const { panelId } = first
    const act = async (tabId: string) => {
      const answer = await b.as('ada').send('PATCH', PATH, { panelId, tabId, action: 'refresh' })
      return answer.status
    }
    expect(await act(first.tabId)).toBe(204)
    for (let round = 0; round < 20; round += 1) {
      const [now, before] = round % 2 === 0 ? [other, first] : [first, other]
      await changeLayout(a.db, AT, [{ type: 'activateTab', tabId: now.tabId }], {
        rules: { isSingleton: () => false },
        now: new Date(),
      })
      expect(await Promise.all([act(before.tabId), act(now.tabId)])).toEqual([409, 204])
    }
  },
  60_000,
)

test('[D-280] with a mark, nothing is written in another version or another workspace of the name', async () => {
  await using node = await takePanels()
  const [{ tabId }] = await makeTabs(node, ['webview'])
  const credential = { kind: 'api_key', id: uuidOf('key'), label: 'robot' } as const
  const caller = { personId: uuidOf('ada'), handle: 'ada', credential }
  const action = { caller, tabId, action: 'webview refresh' }
  const { created_at: madeAt, version } = await node.db
    .selectFrom('workspaces')
    .select(['created_at', 'version'])
    .executeTakeFirstOrThrow()
  const set = (mark: { madeAt: Date; version: number }) =>
    setShown(node.db, AT, { tabId, set: { url: 'https://example.org/' } }, new Date(), action, mark)
  for (const mark of [
    { madeAt, version: version + 1 },
    { madeAt, version: version - 1 },
    { madeAt: new Date(madeAt.getTime() + 1), version },
  ])
    expect(await set(mark)).toBeUndefined()
  expect(await listPanelStates(node.db, AT)).toEqual([])
  expect(await set({ madeAt, version })).toMatchObject({ tabId, state: { url: 'https://example.org/' } })
})

test('[D-281] an access that was ended, or a right that was taken, is refused although the node knows the panel', async () => {
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

test('[D-280] as many targets are remembered as there is room for, the longest unread first to go', async () => {
  const targets = new KnownTargets()
  const known = { tabId: 't', madeAt: new Date(0), version: 1 }
  for (let number = 0; number < 10_001; number += 1) targets.keep(AT, { panelId: `${number}` }, known)
  expect(targets.find(AT, { panelId: '0' })).toBeUndefined()
  expect(targets.find(AT, { panelId: '1' })).toEqual(known)
  expect(targets.find(AT, { panelId: '1', tabId: 'other' })).toBeUndefined()
  expect(targets.find({ ...AT, repo: 'other' }, { panelId: '1' })).toBeUndefined()
  targets.forget(AT, { panelId: '1' })
  expect(targets.find(AT, { panelId: '1' })).toBeUndefined()
})
