import type { Capture } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { type BrowserOptions, becomesOwner, openBrowser } from '../rooms/browser.ts'
import type { PanelsNode } from '../start.ts'
import { codeOf, makeTabs } from '../webview/calls.ts'
import { startPair } from '../webview/pair.ts'
import { makePng, PATH, uploadPath } from './pictures.ts'

/** A page that shares once it was told to, and hands pictures in at its own node. */
function photographer(node: PanelsNode, isSharing: () => boolean): BrowserOptions['onCommand'] {
  const handIn = (captureId: string) =>
    node.as('ada', { kind: 'browser' }).ask(uploadPath(captureId), {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: makePng(64, 48),
    })
  const picture = { engine: 'restriction-target', width: 64, height: 48, scale: 1, wasActivated: false }
  return ({ id, command }, browser) => {
    browser.send({ type: 'taken', id })
    if (command.kind !== 'screenshot') return
    if (!isSharing())
      browser.send({ type: 'failed', id, code: 'sharing_not_enabled', message: 'the person was asked' })
    else void handIn(command.captureId).then(() => browser.send({ type: 'done', id, picture }))
  }
}

test('[D-180][D-181] a picture comes from the browser of the other node, once the person shares', async () => {
  await using pair = await startPair()
  const [a, b] = pair.nodes
  const [{ tabId }] = await makeTabs(a, ['webview'])
  let isSharing = false
  await using browser = await openBrowser(b.url, { onCommand: photographer(b, () => isSharing) })
  await becomesOwner(browser)
  const take = () => a.as('ada').send('PATCH', PATH, { scope: 'panel', tabId, reason: 'To check the page' })
  expect(await codeOf(await take())).toEqual([504, 'sharing_not_enabled'])
  expect(browser.commands.at(-1)?.command).toMatchObject({
    by: { name: 'agent' },
    reason: 'To check the page',
  })
  isSharing = true
  browser.attend({ isSharing })
  const taken = (await (await take()).json()) as Capture
  expect(taken).toMatchObject({ scope: 'panel', tabId, width: 64, height: 48 })
  const png = await a.as('ada').ask(new URL(taken.url).pathname)
  expect((await png.arrayBuffer()).byteLength).toBe(taken.bytes)
  const many = await Promise.all(Array.from({ length: 10 }, take))
  expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
}, 60_000)

test('[D-181][D-182] a browser that says nothing is late, or does not share', async () => {
  await using pair = await startPair()
  const [a, b] = pair.nodes
  await makeTabs(a, ['webview'])
  const take = () => a.as('ada').send('PATCH', PATH, { scope: 'workspace', timeoutMs: 1_000 })
  expect(await codeOf(await take())).toEqual([409, 'workspace_not_open'])
  await using browser = await openBrowser(b.url, {
    onCommand: ({ id }, page) => page.send({ type: 'taken', id }),
  })
  await becomesOwner(browser)
  expect(await codeOf(await take())).toEqual([504, 'sharing_not_enabled'])
  browser.attend({ isSharing: true })
  await expect
    .poll(async () => (await a.panels.control.browsers({ owner: 'ada', repo: 'board' }))[0]?.isSharing, {
      timeout: 20_000,
    })
    .toBe(true)
  expect(await codeOf(await take())).toEqual([504, 'deadline_exceeded'])
}, 60_000)
