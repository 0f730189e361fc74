import { expect, test } from 'vitest'
import type { TestCaller } from '../caller.ts'
import { startPanels, takePanels } from '../start.ts'
import { addTab, editor, makeWorkspaceOf, readCurrent, splitWith, verdict } from '../workspaces/current.ts'

const NOBODY = '11111111-1111-4111-8111-111111111111'

/** Every call on a workspace, as one that would succeed for its owner or fail for a reason of its own. */
function changesOf(at: string, tabId: string, splitId: string) {
  const tab = { panelType: 'webview' }
  return [
    ['PUT', at, undefined],
    ['POST', `${at}/current/tabs`, tab],
    ['POST', `${at}/current/splits`, { ...tab, direction: 'left' }],
    ['PATCH', `${at}/current/tabs/${tabId}`, { isActive: true }],
    ['PATCH', `${at}/current/splits/${splitId}`, { sizes: [1, 2] }],
    ['PUT', `${at}/current`, { version: 0, layout: { root: {} } }],
    ['DELETE', `${at}/current/tabs/${tabId}`, undefined],
    ['DELETE', at, undefined],
  ] as const
}

async function furnished(ada: TestCaller, repo = 'board') {
  const at = await makeWorkspaceOf(ada, 'ada', repo)
  const { tabId } = await addTab(ada, at)
  await splitWith(ada, at)
  const current = await readCurrent(ada, at)
  return { at, tabId, current, calls: changesOf(at, tabId, current.layout.root.id) }
}

test('[D-75] strangers are 401, others 403 whether or not the workspace is there', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const { at, current, calls } = await furnished(ada)
  const nowhere = changesOf(editor('ada', 'nowhere'), NOBODY, NOBODY)
  for (const [method, path, body] of [...calls, ...nowhere]) {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const stranger = node.ask(path, { method, ...json, headers })
    expect([method, path, await verdict(stranger)]).toEqual([method, path, '401 sign_in_required'])
    const other = node.as('bob').send(method, path, body)
    expect([method, path, await verdict(other)]).toEqual([method, path, '403 not_permitted'])
  }
  for (const path of [`${at}/current`, `${editor('ada', 'nowhere')}/current`]) {
    expect(await verdict(node.ask(path))).toBe('401 sign_in_required')
    expect(await verdict(node.as('bob').ask(path))).toBe('403 not_permitted')
  }
  expect(await verdict(ada.ask(`${editor('ada', 'nowhere')}/current`))).toBe('404 workspace_not_found')
  expect(await readCurrent(ada, at)).toEqual(current)
})

test('[D-76] a key for one workspace touches no other', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const { current, at, calls } = await furnished(ada, 'other')
  await makeWorkspaceOf(ada, 'ada', 'board')
  await makeWorkspaceOf(node.as('bob'), 'bob', 'board')
  node.access.grant('ada', 'bob', 'write')
  const key = node.as('ada', { label: 'one', scopes: ['panels:ada/board'] })
  for (const [method, path, body] of calls)
    expect(await verdict(key.send(method, path, body))).toBe('403 not_permitted')
  expect(await verdict(key.ask(`${at}/current`))).toBe('403 not_permitted')
  for (const elsewhere of [editor('bob'), editor('ada', 'Board'), editor('ada', 'board2')]) {
    expect(await verdict(key.ask(`${elsewhere}/current`))).toBe('403 not_permitted')
    const tab = { panelType: 'webview' }
    expect(await verdict(key.send('POST', `${elsewhere}/current/tabs`, tab))).toBe('403 not_permitted')
    expect(await verdict(key.send('PUT', elsewhere))).toBe('403 not_permitted')
  }
  await addTab(key, editor('ada'))
  expect(await readCurrent(ada, at)).toEqual(current)
})

test('[D-77] the layout is changed with the scope workspace alone', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const { at, current, calls } = await furnished(ada)
  for (const scope of ['webview', 'sandbox', 'screenshot']) {
    const key = node.as('ada', { label: scope, scopes: [`${scope}:ada/board`, `${scope}:ada/*`] })
    for (const [method, path, body] of calls)
      expect([scope, method, path, await verdict(key.send(method, path, body))]).toEqual([
        scope,
        method,
        path,
        '403 not_permitted',
      ])
    expect((await readCurrent(key, at)).layout).toEqual(current.layout)
  }
  const packages = node.as('ada', { label: 'packages', scopes: ['packages:ada/*'] })
  expect(await verdict(packages.ask(`${at}/current`))).toBe('403 not_permitted')
  node.access.grant('carl', 'ada', 'read')
  for (const [method, path, body] of calls)
    expect(await verdict(node.as('carl').send(method, path, body))).toBe('403 not_permitted')
  expect(await readCurrent(node.as('carl'), at)).toEqual(current)
  expect(await readCurrent(ada, at)).toEqual(current)
  const layout = node.as('ada', { label: 'layout', scopes: ['workspace:ada/board'] })
  const answers: string[] = []
  for (const [method, path, body] of calls) answers.push(await verdict(layout.send(method, path, body)))
  expect(answers).toEqual([
    '200',
    '201',
    '201',
    '200',
    '400 invalid_request',
    '400 invalid_request',
    '204',
    '204',
  ])
})

test('[D-78] a credential makes so many calls a minute on one workspace', async () => {
  await using node = await startPanels({ settings: { actionsPerMinute: 5 } })
  const browser = node.as('ada', { kind: 'browser', label: 'chromium' })
  const at = await makeWorkspaceOf(browser, 'ada')
  const elsewhere = await makeWorkspaceOf(browser, 'ada', 'elsewhere')
  const wild = node.as('ada', { label: 'wild' })
  const answers = await Promise.all(Array.from({ length: 12 }, () => wild.ask(`${at}/current`)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(refused).toHaveLength(7)
  for (const answer of refused) {
    const seconds = Number(answer.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(await answer.json()).toMatchObject({ code: 'rate_limited', retry_after_seconds: seconds })
  }
  const tab = { panelType: 'webview' }
  expect(await verdict(wild.send('POST', `${at}/current/tabs`, tab))).toBe('429 rate_limited')
  expect(await verdict(wild.send('PUT', at))).toBe('429 rate_limited')
  expect(await verdict(wild.ask(`${elsewhere}/current`))).toBe('200')
  expect(await verdict(node.as('ada', { label: 'calm' }).ask(`${at}/current`))).toBe('200')
  for (let call = 0; call < 10; call += 1) expect(await verdict(browser.ask(`${at}/current`))).toBe('200')
})
