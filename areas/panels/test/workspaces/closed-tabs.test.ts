import type { ClosedTab } from '@patchbay/contracts/panels'
import { SettableClock } from '@patchbay/testkit/clock'
import { expect, test } from 'vitest'
import { findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import { createHousekeeping } from '../../src/housekeeping.store.ts'
import { uuidOf } from '../access.ts'
import type { TestCaller } from '../caller.ts'
import { startPanels, takePanels } from '../start.ts'
import { addTab, makeWorkspaceOf, readCurrent, splitWith, verdict } from './current.ts'

const SOME_ID = '11111111-1111-4111-8111-111111111111'
const DAY = 24 * 60 * 60_000

const close = (caller: TestCaller, at: string, tabId: string) =>
  verdict(caller.send('DELETE', `${at}/current/tabs/${tabId}`))
const reopen = (caller: TestCaller, at: string, tabId: string) =>
  verdict(caller.send('POST', `${at}/closed-tabs/${tabId}/reopen`))

async function listClosed(caller: TestCaller, at: string): Promise<ClosedTab[]> {
  const answer = await caller.ask(`${at}/closed-tabs`)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { items: ClosedTab[] }).items
}

test('[D-303][D-304] L1: a closed tab is listed, and comes back with its text, title, icon and place', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const first = await addTab(ada, at)
  const { tabId } = await addTab(ada, at, {
    panelType: 'code-editor',
    displayName: 'Blink',
    displayIcon: 'lightbulb',
    initialState: { text: 'loop()' },
  })
  await addTab(ada, at, { panelType: 'sandbox' })
  const before = await readCurrent(ada, at)
  expect(await listClosed(ada, at)).toEqual([])
  expect(await close(ada, at, tabId)).toBe('204')
  expect(await close(ada, at, first.tabId)).toBe('204')
  const closed = await listClosed(ada, at)
  expect(closed.map((tab) => tab.tabId)).toEqual([first.tabId, tabId])
  expect(closed[1]).toMatchObject({ kind: 'code-editor', displayName: 'Blink', displayIcon: 'lightbulb' })
  expect(JSON.stringify(closed)).not.toContain('loop()')
  expect(await reopen(ada, at, first.tabId)).toBe('201')
  expect(await reopen(ada, at, tabId)).toBe('201')
  const after = await readCurrent(ada, at)
  const plain = ({ tabs }: typeof before) => tabs.map((tab) => ({ ...tab, isActive: true }))
  expect(plain(after)).toEqual(plain(before))
  expect(await listClosed(ada, at)).toEqual([])
})

test('[D-303] that a page had a text to decide on is not kept: it is not there when the tab comes back', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at, {
    panelType: 'code-editor',
    initialState: { text: 'loop()', conflict: 'a-page' },
  })
  expect(await close(ada, at, tabId)).toBe('204')
  expect(await reopen(ada, at, tabId)).toBe('201')
  const { tabs } = await readCurrent(ada, at)
  expect(tabs.find((tab) => tab.tabId === tabId)?.state).toEqual({ text: 'loop()' })
})

test('[D-303] a tab that an import leaves out is kept as well', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { layout, version } = await readCurrent(ada, at)
  const { tabId } = await addTab(ada, at, { panelType: 'code-editor', initialState: { text: 'kept' } })
  expect(await verdict(ada.send('PUT', `${at}/current`, { version: version + 1, layout }))).toBe('200')
  expect((await listClosed(ada, at)).map((tab) => tab.tabId)).toEqual([tabId])
  expect(await reopen(ada, at, tabId)).toBe('201')
  expect((await readCurrent(ada, at)).tabs[0]?.state).toEqual({ text: 'kept' })
})

test('[D-304] a leaf that went with its tab is made again where it was', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const left = await addTab(ada, at)
  const right = await splitWith(ada, at, { panelType: 'sandbox', panelId: left.panelId })
  await close(ada, at, right.tabId)
  expect((await readCurrent(ada, at)).layout.root.type).toBe('leaf')
  expect(await reopen(ada, at, right.tabId)).toBe('201')
  expect((await readCurrent(ada, at)).layout.root).toMatchObject({
    direction: 'row',
    children: [{ id: left.panelId }, { tabs: [{ id: right.tabId }] }],
  })
})

test('[D-304] what was never closed is 404, what is open is answered, a singleton that is there again is 409', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  expect(await reopen(ada, at, SOME_ID)).toBe('404 panel_not_found')
  const { tabId } = await addTab(ada, at)
  expect(await reopen(ada, at, tabId)).toBe('201')
  const only = await addTab(ada, at, { panelType: 'viewer-3d' })
  await close(ada, at, only.tabId)
  await addTab(ada, at, { panelType: 'viewer-3d' })
  expect(await reopen(ada, at, only.tabId)).toBe('409 singleton_exists')
  expect(await reopen(node.as('eve'), at, only.tabId)).toMatch(/^40[34]/)
  expect(await verdict(node.as('eve').ask(`${at}/closed-tabs`))).toMatch(/^40[34]/)
})

test('[D-304] of many that reopen one tab at once all are answered, and it is there once', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at, { panelType: 'code-editor', initialState: { text: 'x' } })
  await close(ada, at, tabId)
  const answers = await Promise.all(Array.from({ length: 10 }, () => reopen(ada, at, tabId)))
  expect(new Set(answers)).toEqual(new Set(['201']))
  const { tabs } = await readCurrent(ada, at)
  expect(tabs.map((tab) => [tab.tabId, tab.state])).toEqual([[tabId, { text: 'x' }]])
})

test('[D-60][D-303] a tab that is added anew under the id of a closed one shows nothing of before', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at, { panelType: 'code-editor', initialState: { text: 'old' } })
  await close(ada, at, tabId)
  await addTab(ada, at, { panelType: 'code-editor', tabId })
  expect((await readCurrent(ada, at)).tabs[0]?.state).toEqual({})
  expect(await listClosed(ada, at)).toEqual([])
})

test.each([
  { what: 'the last 50', rows: 60, text: '', kept: 50 },
  { what: '8 MiB of what they showed', rows: 12, text: 'x'.repeat(1_000_000), kept: 9 },
])('[D-305] a workspace keeps $what', async ({ rows, text, kept }) => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at)
  const state = JSON.stringify({ text })
  const older = Array.from({ length: rows }, (_, age) => ({
    owner: 'ada',
    repo: 'board',
    tab_id: uuidOf(`closed ${age}`),
    panel: findBuiltInOfKind('webview')?.id ?? '',
    title: String(age),
    place: JSON.stringify({ leafId: SOME_ID, index: 0 }),
    state,
    size: state.length,
    closed_at: new Date(Date.now() - (age + 1) * 60_000),
  }))
  await node.db.insertInto('closed_tabs').values(older).execute()
  await close(ada, at, tabId)
  const names = (await listClosed(ada, at)).map(({ displayName }) => displayName)
  expect(names).toEqual(['Web view', ...older.map(({ title }) => title)].slice(0, kept))
})

test('[D-305] after 30 days a closed tab is not found, and housekeeping deletes it', async () => {
  const clock = new SettableClock(new Date())
  await using node = await startPanels({ clock })
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at)
  await close(ada, at, tabId)
  const rows = async () => (await node.db.selectFrom('closed_tabs').select('tab_id').execute()).length
  clock.advance(29 * DAY)
  await createHousekeeping(node.deps).sweep()
  expect([await rows(), (await listClosed(ada, at)).length]).toEqual([1, 1])
  clock.advance(2 * DAY)
  expect(await listClosed(ada, at)).toEqual([])
  expect(await reopen(ada, at, tabId)).toBe('404 panel_not_found')
  await createHousekeeping(node.deps).sweep()
  expect(await rows()).toBe(0)
})
