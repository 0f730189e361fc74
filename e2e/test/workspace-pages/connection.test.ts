import type { Page } from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

/** A line between the page and the server that can be cut. Everything on it goes through unchanged. */
async function cuttable(page: Page) {
  const open = new Set<() => Promise<void>>()
  let isCut = false
  let tries = 0
  await page.routeWebSocket(/\/api\/workspaces\/socket$/, async (line) => {
    tries += 1
    if (isCut) return await line.close({ code: 4001 })
    const server = line.connectToServer()
    open.add(async () => {
      await line.close({ code: 4001 })
      await server.close({ code: 1000 })
    })
  })
  return {
    tries: () => tries,
    async cut() {
      isCut = true
      for (const close of open) await close()
      open.clear()
    },
    mend() {
      isCut = false
    },
  }
}

test('[W-254][W-255] what is done without a connection is kept, and is there for everybody afterwards', async () => {
  const workspace = await bench.make()
  const { panelId, tabId } = await workspace.add('motor-control')
  await workspace.add('led-control', { panelId })
  await using visit = await bench.visit()
  const { page } = visit
  const line = await cuttable(page)
  await bench.openIn(visit, workspace)
  await tabNamed(page, 'LED control').waitFor()
  await line.cut()
  await page.getByText('The connection was lost').waitFor()
  await tabNamed(page, 'LED control').press('Delete')
  await tabNamed(page, 'LED control').waitFor({ state: 'detached' })
  await workspace.call('PATCH', `:workspace/current/tabs/${tabId}`, { displayName: 'Left wheel' })
  expect(await workspace.drawn()).toBe('Left wheel LED control*')
  const before = line.tries()
  await waitUntil('it tries again by itself', () => line.tries() > before + 2)
  line.mend()
  await tabNamed(page, 'Left wheel').waitFor()
  await page.getByText('The connection was lost').waitFor({ state: 'detached' })
  await waitUntil('the change is stored', async () => (await workspace.drawn()) === 'Left wheel*')
})

test('[W-372] a browser that goes offline says so at once, and is back as soon as there is a way', async () => {
  const workspace = await bench.make()
  await workspace.add('motor-control')
  await using visit = await bench.open(workspace, { expectedFaults: [/ERR_INTERNET_DISCONNECTED/] })
  const { page } = visit
  await tabNamed(page, 'Motor control').waitFor()
  await page.context().setOffline(true)
  await page.getByText('The connection was lost').waitFor()
  await page.getByText('Reconnecting', { exact: true }).waitFor({ state: 'attached' })
  await page.context().setOffline(false)
  await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
  expect(await page.getByText('The connection was lost').count()).toBe(0)
})
