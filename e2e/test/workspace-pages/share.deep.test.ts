import type { Capture } from '@patchbay/contracts/panels'
import { type Browser, openPage, startChromium } from '@patchbay/testkit/chromium'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { panelNamed, tabNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()
let browser: Browser
beforeAll(async () => {
  // The windowless one has nothing to share.
  browser = await startChromium({ isWhole: true, args: ['--auto-accept-this-tab-capture'] })
})
afterAll(() => browser.close())

const shoot = async (workspace: Workspace, request: Record<string, unknown>) =>
  (await workspace.call('PATCH', ':workspace/current/screenshot', {
    timeoutMs: 20_000,
    ...request,
  })) as Capture

test('[W-267][W-268] once shared, a tab behind another is captured and put back; the monitor ends it', async () => {
  const workspace = await bench.make()
  const { panelId, tabId } = await workspace.add('code-editor')
  await workspace.add('system-log', { panelId })
  await using visit = await openPage(browser, { viewport: { width: 900, height: 600 } })
  const { page } = visit
  await bench.openIn(visit, workspace)
  await expect(shoot(workspace, { scope: 'panel', tabId })).rejects.toThrow(/504 .*sharing_not_enabled/)
  await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const monitor = page.getByRole('button', { name: 'Sharing this page' })
  await monitor.waitFor()

  const panel = await shoot(workspace, { scope: 'panel', tabId })
  const box = await panelNamed(page, 'System log').boundingBox()
  expect(panel).toMatchObject({ wasActivated: true, tabId, engine: 'restriction-target' })
  expect([panel.width / panel.scale, panel.height / panel.scale]).toEqual([box?.width, box?.height])
  expect(await tabNamed(page, 'System log').getAttribute('aria-selected')).toBe('true')
  expect(await workspace.drawn()).toBe('Code editor System log*')

  const whole = await shoot(workspace, { scope: 'workspace' })
  expect(whole.width / whole.scale).toBe(900)
  await monitor.click()
  await page.getByRole('menuitem', { name: 'Stop sharing this page' }).click()
  await page.getByRole('button', { name: 'Capture', exact: true }).waitFor()
  await expect(shoot(workspace, { scope: 'workspace' })).rejects.toThrow(/504 .*sharing_not_enabled/)
})
