import type { BrowserCommand } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { becomesOwner, openBrowser } from '../rooms/browser.ts'
import { startPanels } from '../start.ts'
import { makeTabs } from './calls.ts'
import { startPair } from './pair.ts'

const PATH = '/api/panels/webview/ada/board'

test('[D-146] the acting browser of the other node shows it, and every browser learns of it', async () => {
  await using pair = await startPair()
  const [a, b] = pair.nodes
  const [{ panelId, tabId }] = await makeTabs(a, ['webview'])
  await using other = await openBrowser(a.url)
  await using acting = await openBrowser(b.url)
  await becomesOwner(acting)
  const act = async (action: object) => {
    const body = { panelId, reason: 'To see', ...action }
    expect((await a.as('ada').send('PATCH', PATH, body)).status).toBe(204)
  }
  const url = 'https://example.org/'
  await act({ action: 'navigate', url })
  expect(acting.commands.at(-1)?.command).toMatchObject({ kind: 'show', tabId, state: { url } })
  await act({ action: 'setHeaderHidden', hidden: true })
  await act({ action: 'setProxyEnabled', enabled: true })
  await act({ action: 'refresh' })
  const last = acting.commands.at(-1)?.command as Extract<BrowserCommand, { kind: 'show' }> | undefined
  const state = { url, isHeaderHidden: true, isProxyEnabled: true, refresh: expect.any(Number) }
  expect(last).toEqual({ kind: 'show', tabId, revision: expect.any(Number), state })
  expect(acting.commands).toHaveLength(4)
  expect(other.commands).toEqual([])
  for (const browser of [other, acting]) {
    const { states } = await browser.heard(
      'states',
      (one) => one.states[0]?.state['refresh'] === last?.revision,
    )
    expect(states).toEqual([{ tabId, revision: last?.revision, state }])
    const { actions } = await browser.heard(
      'acted',
      (one) => one.actions.at(-1)?.action === 'webview refresh',
    )
    expect(actions.at(-1)).toMatchObject({ tabId, by: { name: 'agent' }, reason: 'To see' })
  }
  await using late = await openBrowser(a.url, { isFocused: false })
  expect((await late.heard('opened')).states).toEqual([{ tabId, revision: expect.any(Number), state }])
}, 60_000)

test('[D-145] a browser that never says that it is done delays the answer by 2 s, none by nothing', async () => {
  await using node = await startPanels()
  const [{ panelId }] = await makeTabs(node, ['webview'])
  const act = async () => {
    const begunAt = performance.now()
    expect((await node.as('ada').send('PATCH', PATH, { panelId, action: 'refresh' })).status).toBe(204)
    return performance.now() - begunAt
  }
  expect(await act()).toBeLessThan(1_900)
  await using silent = await openBrowser(node.url, {
    onCommand: ({ id }, browser) => browser.send({ type: 'taken', id }),
  })
  await becomesOwner(silent)
  const elapsed = await act()
  expect(elapsed).toBeGreaterThan(1_900)
  expect(elapsed).toBeLessThan(15_000)
}, 60_000)

test('[D-334] O6: a page that goes while actions are under way carries out as many as were answered as shown, or more', async () => {
  await using node = await startPanels()
  const [{ panelId, tabId }] = await makeTabs(node, ['webview'])
  const act = async () => {
    const { status, headers } = await node.as('ada').send('PATCH', PATH, { panelId, action: 'refresh' })
    expect(status).toBe(204)
    return headers.get('x-panel-shown')
  }
  const answered = [await act()]
  let executed = 0
  // Every third command reaches the page, and the page goes without having carried it out.
  for (let life = 0; life < 3; life += 1) {
    let received = 0
    await using page = await openBrowser(node.url, {
      onCommand: ({ id }, browser) => {
        received += 1
        browser.send({ type: 'taken', id })
        if (received === 3) {
          browser.socket.terminate()
          return
        }
        executed += 1
        browser.send({ type: 'done', id })
      },
    })
    await becomesOwner(page)
    for (let action = 0; action < 3; action += 1) answered.push(await act())
  }
  const ofOnePage = ['yes', 'yes', 'no']
  const told = answered.map((each) => (each === 'yes' ? 'yes' : 'no'))
  expect(told).toEqual(['no', ...ofOnePage, ...ofOnePage, ...ofOnePage])
  expect(executed).toBe(told.filter((each) => each === 'yes').length)
  // Nothing is lost by it: whoever comes next shows the last of them.
  await using late = await openBrowser(node.url)
  const [state] = (await late.heard('opened')).states
  expect(state).toMatchObject({ tabId, state: { refresh: state?.revision } })
}, 60_000)
