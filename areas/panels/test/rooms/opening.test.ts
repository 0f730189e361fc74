import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import { noteActionAlone, patchPanelState } from '../../src/workspaces/panel-state.store.ts'
import { createTestAccess, uuidOf } from '../access.ts'
import { connect } from './browser.ts'
import { addTab, RULES } from './changes.ts'
import { BOARD, startControl } from './start-control.ts'

async function refusalOf(url: string, handle: string, headers: Record<string, string>): Promise<number> {
  const socket = connect(url, handle, headers)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  socket.on('error', () => undefined)
  socket.terminate()
  return response.statusCode ?? 0
}

test('[D-100] only a person in their browser can connect, and only from a page of ours', async () => {
  await using node = await startControl()
  expect(await refusalOf(node.url, 'ada', { 'x-test-credential': 'api_key agent' })).toBe(403)
  expect(await refusalOf(node.url, 'ada', { 'x-test-credential': 'application tool' })).toBe(403)
  expect(await refusalOf(node.url, 'ada', { origin: 'https://evil.example' })).toBe(403)
  await using browser = await node.open()
  expect(browser.all('opened')).toHaveLength(1)
})

test('[D-101] who opens nothing is sent away, and a workspace is opened first and once', async () => {
  await using node = await startControl({ timings: { openWithinMs: 300 } })
  await using stays = await node.open()
  await using idle = await node.open({ opens: false })
  await using early = await node.open({ opens: false })
  early.send({ type: 'attention', isVisible: true, isFocused: true, isSharing: false })
  await using twice = await node.open()
  twice.send({
    type: 'open',
    ...BOARD,
    browserId: twice.browserId,
    isVisible: true,
    isFocused: true,
    isSharing: false,
  })
  expect(await early.closed()).toBe('policy_violation')
  expect(await twice.closed()).toBe('policy_violation')
  expect(await idle.closed()).toBe('nothing_opened')
  expect(stays.socket.readyState).toBe(stays.socket.OPEN)
})

test('[D-102] who may not read learns nothing of whether the workspace exists', async () => {
  await using node = await startControl()
  await using stranger = await node.open({ handle: 'eve' })
  await using guesser = await node.open({ handle: 'eve', at: { owner: 'ada', repo: 'nothing' } })
  await using mistaken = await node.open({ at: { owner: 'ada', repo: 'nothing' } })
  expect(await stranger.closed()).toBe('workspace_not_permitted')
  expect(await guesser.closed()).toBe('workspace_not_permitted')
  expect(await mistaken.closed()).toBe('workspace_gone')
})

test('[D-103] a page gets all there is to show, in pieces if it is much', async () => {
  const access = createTestAccess()
  access.grant('bob', 'ada', 'read')
  await using node = await startControl({ access })
  const now = new Date()
  const texts = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100_000).slice(0, 100_000))
  for (const [index, text] of texts.entries()) {
    const change = addTab(`tab ${index}`, 'code-editor')
    await changeLayout(node.db, BOARD, [change], { rules: RULES, now })
    await patchPanelState(node.db, BOARD, { tabId: change.tab.id, patch: { text } }, now)
  }
  const agent = {
    personId: uuidOf('ada'),
    handle: 'ada',
    credential: { kind: 'api_key', id: uuidOf('key'), label: 'agent' },
  } as const
  for (let index = 0; index < 25; index += 1)
    await noteActionAlone(node.db, BOARD, { caller: agent, tabId: null, action: `act ${index}` }, now)

  await using browser = await node.open()
  const opened = await browser.heard('opened')
  expect(opened).toMatchObject({ version: 20, mayChange: true })
  expect(opened.actions.map(({ action }) => action)).toEqual(
    Array.from({ length: 20 }, (_, index) => `act ${index + 5}`),
  )
  expect(opened.actions[0]).toMatchObject({
    by: { kind: 'api_key', name: 'agent', handle: 'ada' },
    at: now.toISOString(),
  })
  const states = () => [opened, ...browser.all('states')].flatMap((message) => message.states)
  await waitUntil('all states are there', () => states().length >= 20)
  expect(states().map(({ state }) => state['text'])).toEqual(texts)
  expect(browser.received.every((message) => JSON.stringify(message).length < 700_000)).toBe(true)

  await using reader = await node.open({ handle: 'bob' })
  expect(await reader.heard('opened')).toMatchObject({ version: 20, mayChange: false })
})

test('[D-104] unknown types are ignored, wrong changes refused, and other wrong messages end the connection', async () => {
  await using node = await startControl()
  await using browser = await node.open()
  browser.send({ type: 'telepathy', id: 'x' })
  browser.send({ type: 'change', id: 'c-1', change: 'sideways' })
  browser.send({ type: 'state', id: 's-1', tabId: 'no uuid', patch: {} })
  expect(await browser.answered('c-1')).toMatchObject({ type: 'refused', code: 'invalid_message' })
  expect(await browser.answered('s-1')).toMatchObject({ type: 'refused', code: 'invalid_message' })
  const wrong = [
    'no json',
    '[]',
    '{}',
    '{"type":"change","change":{}}',
    '{"type":"attention"}',
    '{"type":"taken"}',
  ]
  for (const text of wrong) {
    await using other = await node.open()
    other.socket.send(text)
    expect([text, await other.closed()]).toEqual([text, 'policy_violation'])
  }
  await using loud = await node.open()
  loud.socket.send(Buffer.from('binary'))
  expect(await loud.closed()).toBe('unsupported_data')
  expect(browser.socket.readyState).toBe(browser.socket.OPEN)
})
