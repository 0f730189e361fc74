import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { listActions } from '../../src/access/action.store.ts'
import type { Control } from '../../src/control.ts'
import { createChange } from '../../src/workspaces/changing.routes.ts'
import { findWorkspace } from '../../src/workspaces/workspace.store.ts'
import { takePanels } from '../start.ts'
import { addTab, makeWorkspaceOf, readCurrent, splitWith, verdict } from './current.ts'

const AT = { owner: 'ada', repo: 'board' }
const ALL = { after: 0, limit: 100 }

test('[D-65] every change is noted with who, what and why', async () => {
  await using node = await takePanels()
  const key = node.as('ada', { label: 'ci' })
  const browser = node.as('ada', { kind: 'browser', label: 'chromium' })
  const at = await makeWorkspaceOf(browser, 'ada')
  const { tabId } = await addTab(key, at, { reason: 'To show the board.' })
  const split = await splitWith(browser, at)
  const path = `${at}/current/tabs/${tabId}`
  await key.send('PATCH', path, { isActive: true, displayName: 'Board' })
  await key.send('PATCH', path, { moveTo: { direction: 'left' } })
  const { layout } = await readCurrent(key, at)
  await key.send('PATCH', `${at}/current/splits/${layout.root.id}`, { sizes: [1, 3], reason: 'Wider.' })
  await key.send('DELETE', path)
  const { version, layout: rest } = await readCurrent(key, at)
  await browser.send('PUT', `${at}/current`, { version, layout: rest })
  const actions = await listActions(node.db, AT, ALL)
  const ci = { kind: 'api_key', name: 'ci', handle: 'ada' }
  const person = { kind: 'browser', name: 'chromium', handle: 'ada' }
  expect(actions.map(({ by, action, tabId: tab, reason }) => [by, action, tab, reason])).toEqual([
    [ci, 'workspace add tab', tabId, 'To show the board.'],
    [person, 'workspace split', split.tabId, undefined],
    [ci, 'workspace rename tab', tabId, undefined],
    [ci, 'workspace move tab', tabId, undefined],
    [ci, 'workspace resize', null, 'Wider.'],
    [ci, 'workspace remove tab', tabId, undefined],
    [person, 'workspace import', null, undefined],
  ])
})

test('[W-721] what a panel shows is changed over HTTP, noted, and refused where actions do it', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at, { panelType: 'servo-control' })
  const path = `${at}/current/tabs/${tabId}`
  const bindings = { target: 'servo/target' }
  const patch = (body: object, to = path) => verdict(ada.send('PATCH', to, body))
  expect(await patch({ state: { bindings }, displayName: 'Elbow', reason: 'To move it.' })).toBe('200')
  expect((await readCurrent(ada, at)).tabs).toMatchObject([{ displayName: 'Elbow', state: { bindings } }])
  expect(await patch({ state: { bindings: { elbow: 'servo/target' } } })).toBe('400 invalid_request')
  expect(await patch({ state: { bindings: null } })).toBe('200')
  expect((await readCurrent(ada, at)).tabs).toMatchObject([{ state: {} }])
  const web = await addTab(ada, at, { panelType: 'webview' })
  expect(await patch({ state: { isHeaderHidden: true } }, `${at}/current/tabs/${web.tabId}`)).toBe(
    '400 invalid_request',
  )
  expect(await patch({ state: {} }, `${at}/current/tabs/${at.length}`)).toBe('400 invalid_request')
  const noted = (await listActions(node.db, AT, ALL)).filter(({ action }) => action === 'workspace set panel')
  expect(noted.map(({ tabId: tab, reason }) => [tab, reason])).toEqual([
    [tabId, 'To move it.'],
    [tabId, undefined],
  ])
})

test('[D-64] what is refused and what changes nothing is noted nowhere', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at, { panelType: 'viewer-3d' })
  const before = await readCurrent(ada, at)
  const path = `${at}/current/tabs/${tabId}`
  const unchanged = await ada.send('PATCH', path, { isActive: true })
  expect([unchanged.status, await unchanged.json()]).toEqual([200, { version: 1 }])
  const second = { panelType: 'viewer-3d' }
  expect(await verdict(ada.send('POST', `${at}/current/tabs`, second))).toBe('409 singleton_exists')
  const half = { displayName: 'Half', moveTo: { panelId: tabId } }
  expect(await verdict(ada.send('PATCH', path, half))).toBe('404 panel_not_found')
  expect(await readCurrent(ada, at)).toEqual(before)
  expect(await listActions(node.db, AT, ALL)).toHaveLength(1)
})

test('[D-65] the browsers are told once the change can be read, and of nothing else', async () => {
  await using node = await takePanels()
  const at = await makeWorkspaceOf(node.as('ada'), 'ada')
  const caller = await node.access.requirePrincipal({ headers: node.as('ada').headers })
  const told: Promise<number | undefined>[] = []
  const control: Control = {
    ...node.panels.control,
    notify: (ref: WorkspaceRef) =>
      void told.push(findWorkspace(node.db, ref).then((workspace) => workspace?.version)),
  }
  const { tabId } = await addTab(node.as('ada'), at)
  const workspace = await findWorkspace(node.db, AT)
  if (workspace === undefined) throw new Error('no workspace')
  const change = createChange(node.deps, control)
  const rules = { isSingleton: () => false }
  const doing = { name: 'workspace rename tab', tabId }
  const retitle = [{ type: 'retitleTab', tabId, title: 'New' }] as const
  await change({ caller, workspace }, retitle, doing, { rules })
  await change({ caller, workspace }, retitle, doing, { rules })
  const gone = [{ type: 'removeTab', tabId: workspace.layout.root.id }] as const
  await expect(change({ caller, workspace }, gone, doing, { rules })).rejects.toMatchObject({
    code: 'panel_not_found',
  })
  expect(await Promise.all(told)).toEqual([2])
})
