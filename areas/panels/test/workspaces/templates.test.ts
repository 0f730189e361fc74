import { pathFault } from '@patchbay/contracts/content'
import { WORKSPACE_TEMPLATES } from '@patchbay/contracts/panels'
import { checkLayout, tabs } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import { findBuiltIn } from '../../src/catalog/built-in-panels.ts'
import { checkPanelState } from '../../src/workspaces/panel-state.ts'
import { workspaceFrom } from '../../src/workspaces/template.ts'
import { TEMPLATES } from '../../src/workspaces/templates.ts'
import { startPanels, takePanels } from '../start.ts'
import { readCurrent, verdict } from './current.ts'

const IDS = WORKSPACE_TEMPLATES.map(({ id }) => id)
const BOARD = '/api/workspaces/editor/ada/board'

test.each(IDS)('[D-385] %s is a layout of panels that work, with states that fit', (id) => {
  const made = workspaceFrom(TEMPLATES[id], () => crypto.randomUUID())
  expect(checkLayout(made.layout)).toEqual([])
  for (const tab of tabs(made.layout)) {
    const panel = findBuiltIn(tab.panel)
    expect(panel).toMatchObject({ availability: 'ready' })
    expect(checkPanelState(panel?.kind ?? '', made.states.get(tab.id) ?? {})).toBeUndefined()
  }
  const singletons = tabs(made.layout).filter(({ panel }) => findBuiltIn(panel)?.singleton === true)
  expect(new Set(singletons.map(({ panel }) => panel)).size).toBe(singletons.length)
  expect(Object.keys(made.files)).toContain('README.md')
  expect(Object.keys(made.files).map(pathFault).filter(Boolean)).toEqual([])
  const again = workspaceFrom(TEMPLATES[id], () => crypto.randomUUID())
  const idsOf = (layout: unknown) => JSON.stringify(layout).match(/"id":"[^"]+"/g) ?? []
  const others = new Set<string>(idsOf(again.layout))
  expect(idsOf(made.layout).filter((one) => others.has(one))).toEqual([])
})

test('[D-384] a workspace begins with all of its template, and one that is there gets nothing of it', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  expect(await verdict(ada.send('PUT', BOARD, { template: 'robot' }))).toBe('201')
  const { version, tabs: shown } = await readCurrent(ada, BOARD)
  expect(version).toBe(0)
  expect(shown.map(({ kind }) => kind)).toEqual([
    'files',
    'script-runner',
    'system-log',
    'viewer-3d',
    'webview',
  ])
  expect(shown[1]?.state['code']).toContain('gains')
  expect(node.written).toMatchObject([{ at: 'ada/board', by: 'ada' }])
  expect(Object.keys(node.written[0]?.files ?? {})).toEqual(['README.md', 'main.js', 'config/robot.json'])
  expect(await verdict(ada.send('PUT', BOARD, { template: 'course' }))).toBe('200')
  expect((await readCurrent(ada, BOARD)).tabs).toEqual(shown)
  expect(node.written).toHaveLength(1)
  const listed = await (await ada.ask('/api/workspaces/editor/ada')).json()
  expect(listed).toMatchObject({ items: [{ repo: 'board', tabs: 5 }] })
  for (const template of ['spaceship', 7, null])
    expect(await verdict(ada.send('PUT', `${BOARD}-2`, { template }))).toBe('400 invalid_request')
  expect(await verdict(ada.send('PUT', `${BOARD}-2`, {}))).toBe('201')
})

test('[D-384] what a template holds can be changed like anything else', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  await ada.send('PUT', BOARD, { template: 'board-bring-up' })
  const { tabs: shown } = await readCurrent(ada, BOARD)
  const runner = shown.find(({ kind }) => kind === 'script-runner')
  expect(await verdict(ada.send('DELETE', `${BOARD}/current/tabs/${runner?.tabId}`))).toBe('204')
  expect(await verdict(ada.send('POST', `${BOARD}/closed-tabs/${runner?.tabId}/reopen`, {}))).toBe('201')
  const after = await readCurrent(ada, BOARD)
  expect(after.tabs.find(({ kind }) => kind === 'script-runner')?.state).toEqual(runner?.state)
})

test.each(['before', 'in'])(
  '[D-384] where its files cannot be written, %s the transaction, there is no workspace',
  async (when) => {
    await using node = await startPanels({
      async prepareFiles() {
        if (when === 'before') throw new Error('no object store')
        return () => Promise.reject(new Error('no room'))
      },
    })
    const ada = node.as('ada')
    expect(await verdict(ada.send('PUT', BOARD, { template: 'robot' }))).toBe('500 internal_error')
    expect(await node.db.selectFrom('workspaces').select('repo').execute()).toEqual([])
    expect(await node.db.selectFrom('panel_states').select('repo').execute()).toEqual([])
  },
)
