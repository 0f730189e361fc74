import { randomUUID } from 'node:crypto'
import { depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { tabs } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import type { TestBrowser } from './browser.ts'
import { addTab, RULES } from './changes.ts'
import { BOARD, startTwoNodes, storedLayout } from './start-control.ts'

const TABS = depth({ common: 50, deep: 200 })

test(`[D-111] of ${TABS * 5} changes at once none is lost, and everybody ends with the same layout`, async () => {
  await using nodes = await startTwoNodes()
  await using cleanup = new AsyncDisposableStack()
  const browsers: TestBrowser[] = []
  for (const node of [nodes.one, nodes.two, nodes.one, nodes.two])
    browsers.push(cleanup.use(await node.open()))
  const ids = Array.from({ length: TABS }, () => randomUUID())
  const sent: Promise<unknown>[] = []
  // Tabs, each added by one of five parties and then renamed four times by the same.
  for (const [index, tabId] of ids.entries()) {
    const browser = browsers[index % 5]
    const steps = [
      addTab(`tab ${index}`, 'webview', tabId),
      ...[1, 2, 3, 4].map((step) => ({ type: 'retitleTab' as const, tabId, title: `tab ${index} v${step}` })),
    ]
    if (browser === undefined)
      sent.push(
        (async () => {
          for (const step of steps) {
            const made = await changeLayout(nodes.one.db, BOARD, [step], { rules: RULES, now: new Date() })
            if (made.outcome !== 'changed') throw new Error(`it was ${made.outcome}`)
            nodes.one.control.notify(BOARD)
          }
        })(),
      )
    else for (const step of steps) sent.push(browser.answered(browser.change(step)))
  }
  expect(sent.length).toBe((TABS / 5) * (4 * 5 + 1))
  await Promise.all(sent)
  const { layout, version } = await storedLayout(nodes.one)
  expect(version).toBe(TABS * 5)
  expect(new Set(tabs(layout).map(({ title }) => title))).toEqual(
    new Set(ids.map((_, index) => `tab ${index} v4`)),
  )
  for (const browser of browsers) {
    await waitUntil('the last version is seen', () => browser.all('changed').at(-1)?.version === version, {
      deadlineMs: 20_000,
    })
    expect(browser.all('changed').at(-1)?.layout).toEqual(layout)
    expect(browser.all('refused')).toEqual([])
    const versions = browser.all('changed').map((message) => message.version)
    expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  }
}, 120_000)

test('[D-109] each confirmation comes with a layout that contains what it confirms', async () => {
  await using nodes = await startTwoNodes()
  await using mine = await nodes.one.open()
  await using far = await nodes.two.open()
  const own = new Map<string, string>()
  for (let index = 0; index < 60; index += 1) {
    for (const browser of [mine, far]) {
      const change = addTab(`tab ${index}`)
      own.set(browser.change(change), change.tab.id)
    }
  }
  await Promise.all([...own.keys()].map((id, index) => (index % 2 === 0 ? mine : far).answered(id)))
  for (const browser of [mine, far]) {
    let newest = 0
    for (const { version, layout, ids } of browser.all('changed')) {
      expect(version).toBeGreaterThanOrEqual(newest)
      newest = version
      const present = new Set(tabs(layout).map(({ id }) => id))
      for (const id of ids) expect(present.has(own.get(id) ?? '')).toBe(true)
    }
  }
}, 60_000)
