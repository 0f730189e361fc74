import { expect, test } from 'vitest'
import { type CurrentTab, findTab, findTabs } from '../../src/workspace/index.ts'

const tab = (
  tabId: string,
  panelId: string,
  displayName: string,
  kind: string,
  isActive: boolean,
): CurrentTab => ({ tabId, panelId, displayName, kind, isActive, panelType: '', displayIcon: '', state: {} })

const tabs = [
  tab('t1', 'left', 'Docs', 'webview', true),
  tab('t2', 'left', 'Try it', 'sandbox', false),
  tab('t3', 'right', 'docs', 'webview', true),
]

test('[CL-108] a tab is found by id, by its panel, by its title in any case, and by its kind', () => {
  expect(findTab({ tabs }, { tabId: 't2' })?.tabId).toBe('t2')
  expect(findTab({ tabs }, { title: ' TRY it' })?.tabId).toBe('t2')
  expect(findTab({ tabs }, { kind: 'sandbox' })?.tabId).toBe('t2')
  expect(findTab({ tabs }, { kind: 'webview', panelId: 'right' })?.tabId).toBe('t3')
  expect(findTab({ tabs }, { title: 'none' })).toBeUndefined()
})

test('[CL-108] a panel alone is its tab that shows; with something else it may be any of its tabs', () => {
  expect(findTab({ tabs }, { panelId: 'left' })?.tabId).toBe('t1')
  expect(findTab({ tabs }, { panelId: 'left', kind: 'sandbox' })?.tabId).toBe('t2')
})

test('[CL-108] of several that fit none is guessed, and all can be seen', () => {
  expect(findTab({ tabs }, { title: 'docs' })).toBeUndefined()
  expect(findTabs({ tabs }, { title: 'docs' }).map(({ tabId }) => tabId)).toEqual(['t1', 't3'])
})
