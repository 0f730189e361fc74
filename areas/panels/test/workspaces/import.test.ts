import { expect, test } from 'vitest'
import { findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import { planned } from '../planned.ts'
import { takePanels } from '../start.ts'
import { addTab, makeWorkspaceOf, readCurrent, verdict } from './current.ts'

const idOf = (kind: string) => findBuiltInOfKind(kind)?.id ?? ''
const LEAF = '33333333-3333-4333-8333-333333333333'

test('[D-62] an import needs the version that was read', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  await addTab(ada, at)
  const { version, layout } = await readCurrent(ada, at)
  await addTab(ada, at)
  const late = await ada.send('PUT', `${at}/current`, { version, layout })
  expect([late.status, await late.json()]).toMatchObject([409, { code: 'layout_changed', version: 2 }])
  expect((await readCurrent(ada, at)).tabs).toHaveLength(2)
  const made = await ada.send('PUT', `${at}/current`, { version: 2, layout })
  expect([made.status, await made.json()]).toEqual([200, { version: 3 }])
  expect(await readCurrent(ada, at)).toMatchObject({ version: 3, layout })
})

test('[D-62] a layout with faults is refused with each of them', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const wrong = { root: { type: 'leaf', id: 'main', tabs: [], activeTabId: null, color: 'red' } }
  const answer = await ada.send('PUT', `${at}/current`, { version: 0, layout: wrong })
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    {
      code: 'invalid_request',
      errors: [
        { in: 'body', pointer: '/layout/root/id', message: 'must be a UUID in lower case' },
        { in: 'body', pointer: '/layout/root', message: 'has the unknown key "color"' },
      ],
    },
  ])
  for (const layout of [null, [], { root: null }, { root: {} }, {}, { root: { type: 'split' }, more: 1 }])
    expect(await verdict(ada.send('PUT', `${at}/current`, { version: 0, layout }))).toBe(
      '400 invalid_request',
    )
})

test('[D-62] tabs that stay keep what they show, unless they are another panel now', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const initialState = { isHeaderHidden: true }
  const stays = await addTab(ada, at, { initialState })
  const turns = await addTab(ada, at, { initialState })
  const tabs = [
    { id: stays.tabId, panel: idOf('webview'), title: 'Renamed' },
    { id: turns.tabId, panel: idOf('sandbox'), title: 'Other' },
  ]
  const layout = { root: { type: 'leaf', id: LEAF, tabs, activeTabId: stays.tabId } }
  expect(await verdict(ada.send('PUT', `${at}/current`, { version: 2, layout }))).toBe('200')
  expect((await readCurrent(ada, at)).tabs.map(({ kind, state }) => [kind, state])).toEqual([
    ['webview', initialState],
    ['sandbox', {}],
  ])
})

test('[D-62] panels that the catalog lacks, and two of a singleton', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const put = (panels: readonly string[]) => {
    const tabs = panels.map((panel, index) => ({
      id: `4444444${index}-4444-4444-8444-444444444444`,
      panel,
      title: 'T',
    }))
    const layout = { root: { type: 'leaf', id: LEAF, tabs, activeTabId: tabs[0]?.id } }
    return verdict(ada.send('PUT', `${at}/current`, { version: 0, layout }))
  }
  expect(await put([idOf('webview'), `ada/${LEAF}`])).toBe('404 panel_type_not_found')
  expect(await put([idOf('viewer-3d'), idOf('viewer-3d')])).toBe('409 singleton_exists')
  expect(await put([idOf('viewer-3d'), idOf('webview'), idOf('system-log'), idOf('system-log')])).toBe('200')
})

const COMING = '55555555-5555-4555-8555-555555555555'
const holding = (panel: string, title = 'Before') => ({
  root: { type: 'leaf', id: LEAF, tabs: [{ id: COMING, panel, title }], activeTabId: COMING } as const,
})

test('[D-340] F5: what is coming can be neither added, nor split off, nor imported', async () => {
  using _coming = planned('schematic-editor')
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  for (const panelType of ['schematic-editor', idOf('schematic-editor')]) {
    expect(await verdict(ada.send('POST', `${at}/current/tabs`, { panelType }))).toBe(
      '409 panel_type_planned',
    )
    const beside = { panelType, direction: 'right' }
    expect(await verdict(ada.send('POST', `${at}/current/splits`, beside))).toBe('409 panel_type_planned')
  }
  const layout = holding(idOf('schematic-editor'))
  expect(await verdict(ada.send('PUT', `${at}/current`, { version: 0, layout }))).toBe(
    '409 panel_type_planned',
  )
  expect((await readCurrent(ada, at)).tabs).toEqual([])
})

test('[D-340] F5: a layout that held it before can be read, changed and imported as it is, and not reopened', async () => {
  using _coming = planned('schematic-editor')
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const layout = holding(idOf('schematic-editor'))
  await node.db
    .updateTable('workspaces')
    .set({ layout: JSON.stringify(layout) })
    .execute()
  expect((await readCurrent(ada, at)).tabs).toMatchObject([
    { kind: 'schematic-editor', displayName: 'Before' },
  ])
  const renamed = holding(idOf('schematic-editor'), 'After')
  expect(await verdict(ada.send('PUT', `${at}/current`, { version: 0, layout: renamed }))).toBe('200')
  expect(await verdict(ada.send('DELETE', `${at}/current/tabs/${COMING}`))).toBe('204')
  expect(await verdict(ada.send('POST', `${at}/closed-tabs/${COMING}/reopen`, {}))).toBe(
    '409 panel_type_planned',
  )
})
