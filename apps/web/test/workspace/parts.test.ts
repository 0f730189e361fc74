import type { CatalogPanel } from '@patchbay/contracts/panels'
import { applyChange } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import { backoffMs } from '../../src/server/backoff.ts'
import { workspaceOf } from '../../src/workspace/address.ts'
import { addingOf, shelvesOf } from '../../src/workspace/panel-choice.ts'
import { createLogStore } from '../../src/workspace/workspace-session.ts'
import { drawn, layoutOf, leaf, leafId, panelId, tabId } from './layouts.ts'

const panel = (number: number, more: Partial<CatalogPanel> = {}): CatalogPanel => ({
  id: panelId(number),
  kind: 'webview',
  name: `Panel ${number}`,
  description: 'Shows something',
  category: 'Utility',
  icon: 'globe',
  singleton: false,
  availability: 'ready',
  ...more,
})

test('[W-255] tries are 0.2 to 5 seconds apart, longer each time, with chance in it', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((failures) => backoffMs(failures, 1))).toEqual([
    200, 400, 800, 1600, 3200, 5000, 5000,
  ])
  expect([0, 3, 50].map((failures) => backoffMs(failures, 0))).toEqual([200, 800, 2500])
})

test('[W-261] panels stand by category, those that fit every word', () => {
  const all = [
    panel(1, { name: 'Motor control', category: 'Control' }),
    panel(2, { name: 'Web view' }),
    panel(3, { name: 'Code editor', category: 'Development' }),
  ]
  const shelves = (words: string) =>
    shelvesOf(all, layoutOf(leaf(1)), words).map(
      ({ title, choices }) => `${title}: ${choices.map((choice) => choice.panel.name).join()}`,
    )
  expect(shelves('')).toEqual(['Development: Code editor', 'Control: Motor control', 'Utility: Web view'])
  expect(shelves('  MOTOR contr ')).toEqual(['Control: Motor control'])
  expect(shelves('motor editor')).toEqual([])
})

test('[W-375][W-480] F5: what works stands by category, and after it what is coming, which cannot be chosen', () => {
  const coming = (number: number) => panel(number, { availability: 'planned', category: 'Development' })
  const shelves = shelvesOf([coming(1), panel(2), coming(3), panel(4)], layoutOf(leaf(1)), '')
  expect(
    shelves.map(({ title, choices }) => [
      title,
      ...choices.map(({ panel: { name }, isAddable }) => `${name} ${isAddable}`),
    ]),
  ).toEqual([
    ['Utility', 'Panel 2 true', 'Panel 4 true'],
    ['Coming', 'Panel 1 false', 'Panel 3 false'],
  ])
})

test('[W-261] what may be there once, and is, says why it cannot be added', () => {
  const single = panel(1, { singleton: true })
  const obstacles = (tabs: readonly number[]) =>
    shelvesOf([single, panel(2)], layoutOf(leaf(1, ...tabs)), '')[0]?.choices.map(({ obstacle }) => obstacle)
  expect(obstacles([2])).toEqual([undefined, undefined])
  expect(obstacles([1, 2])).toEqual(['Already open; only one is allowed', undefined])
})

test('[W-261] a panel goes to the leaf that was asked for, or to the first one', () => {
  const layout = layoutOf(leaf(1, 1))
  for (const wanted of [leafId(1), leafId(7), undefined]) {
    const change = addingOf(layout, panel(5, { name: 'Tab 5' }), wanted, () => tabId(5))
    const outcome =
      change === undefined ? undefined : applyChange(layout, change, { isSingleton: () => false })
    expect(outcome?.layout === undefined ? undefined : drawn(outcome.layout)).toBe('1 5*')
  }
})

test('[W-274] the log keeps the latest 1,000 lines and tells who follows it', () => {
  const log = createLogStore(() => new Date(0))
  let told = 0
  const leave = log.subscribe(() => {
    told += 1
  })
  const before = log.entries()
  for (let at = 0; at < 1_005; at += 1) log.add({ source: 'workspace', level: 'info', text: `line ${at}` })
  expect([log.entries().length, log.entries()[0]?.text, log.entries().at(-1)?.text]).toEqual([
    1_000,
    'line 5',
    'line 1004',
  ])
  expect(log.entries()).toBe(log.entries())
  expect(log.entries()).not.toBe(before)
  leave()
  log.add({ source: 'workspace', level: 'info', text: 'unheard' })
  expect(told).toBe(1_005)
})

test.each([
  ['/workspaces/ada/lamp', { owner: 'ada', repo: 'lamp' }],
  ['/workspaces/ada/Lamp.v2/', { owner: 'ada', repo: 'Lamp.v2' }],
  ['/workspaces/ada', undefined],
  ['/workspaces/ada/..', undefined],
  ['/workspaces/ada/lamp/more', undefined],
  ['/workspaces/%E0%A4%A/lamp', undefined],
  ['/workspaces/Not A Handle/lamp', undefined],
])('[W-251] which workspace %s names', (path, expected) => {
  expect(workspaceOf(path)).toEqual(expected)
})
