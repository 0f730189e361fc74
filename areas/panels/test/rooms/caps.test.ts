import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '@patchbay/kernel/postgres'
import { expect, test } from 'vitest'
import { moveRevision } from '../../src/locks.store.ts'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import { createTestAccess } from '../access.ts'
import type { TestBrowser } from './browser.ts'
import { addTab, RULES } from './changes.ts'
import { BOARD, startControl } from './start-control.ts'

test('[D-245] nobody takes every place of a workspace', { timeout: 60_000 }, async () => {
  const access = createTestAccess()
  access.grant('bob', 'ada', 'read')
  access.grant('carl', 'ada', 'read')
  await using node = await startControl({ access })
  await using pages = new AsyncDisposableStack()
  const open = async (handle: string): Promise<TestBrowser> => pages.use(await node.open({ handle }))
  for (let page = 0; page < 24; page += 1) expect((await open('bob')).all('opened')).toHaveLength(1)
  expect(await (await open('bob')).closed()).toBe('too_many_connections')
  for (let page = 0; page < 24; page += 1) expect((await open('ada')).all('opened')).toHaveLength(1)
  for (let page = 0; page < 16; page += 1) expect((await open('carl')).all('opened')).toHaveLength(1)
  expect(await (await open('carl')).closed()).toBe('too_many_connections')
})

test('[D-246] a page that sends more than can be made waits at its own end, and all of it is made', {
  timeout: 120_000,
}, async () => {
  await using node = await startControl()
  const change = addTab('text', 'code-editor')
  await changeLayout(node.db, BOARD, [change], { rules: RULES, now: new Date() })
  await using browser = await node.open()
  await browser.heard('opened')
  const isHeld = Promise.withResolvers<undefined>()
  const release = Promise.withResolvers<undefined>()
  const holding = inTransaction(node.db, async (tx) => {
    await moveRevision(tx, BOARD, null)
    isHeld.resolve(undefined)
    await release.promise
  })
  await isHeld.promise
  const ids = Array.from({ length: 120 }, () => randomUUID())
  for (const [number, id] of ids.entries())
    browser.send({
      type: 'state',
      id,
      tabId: change.tab.id,
      patch: { text: `${number} `.padEnd(250_000, 'x') },
    })
  // Everything that would be read is read by now: what is left has stopped to become less.
  let [left, looks] = [-1, 0]
  while (looks < 4) {
    looks = left === browser.socket.bufferedAmount ? looks + 1 : 0
    left = browser.socket.bufferedAmount
    await pause(200)
  }
  expect(left).toBeGreaterThan(1_000_000)
  release.resolve(undefined)
  await holding
  for (const id of ids) expect(await browser.answered(id)).toMatchObject({ type: 'states' })
  const { state } = await node.db.selectFrom('panel_states').select('state').executeTakeFirstOrThrow()
  expect(state['text']).toMatch(/^119 x/)
})
