import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { cuttable } from './cuttable.ts'
import { tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

deepTest(
  '[W-254][W-255] what is done without a connection is kept, and is there for everybody afterwards',
  async () => {
    const workspace = await bench.make()
    const { panelId, tabId } = await workspace.add('code-editor')
    await workspace.add('webview', { panelId })
    await using visit = await bench.visit()
    const { page } = visit
    const line = await cuttable(page, /\/api\/workspaces\/socket$/)
    await bench.openIn(visit, workspace)
    await tabNamed(page, 'Web view').waitFor()
    await line.cut()
    await page.getByText('Connection lost').waitFor()
    await tabNamed(page, 'Web view').press('Delete')
    await tabNamed(page, 'Web view').waitFor({ state: 'detached' })
    await workspace.call('PATCH', `:workspace/current/tabs/${tabId}`, { displayName: 'Left wheel' })
    expect(await workspace.drawn()).toBe('Left wheel Web view*')
    const before = line.tries()
    await waitUntil('it tries again by itself', () => line.tries() > before + depth({ common: 0, deep: 2 }))
    line.mend()
    await tabNamed(page, 'Left wheel').waitFor()
    await page.getByText('Connection lost').waitFor({ state: 'detached' })
    await waitUntil('the change is stored', async () => (await workspace.drawn()) === 'Left wheel*')
  },
)

test('[W-372] a browser that goes offline says so at once, and is back as soon as there is a way', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  await using visit = await bench.open(workspace, { expectedFaults: [/ERR_INTERNET_DISCONNECTED/] })
  const { page } = visit
  await tabNamed(page, 'Code editor').waitFor()
  await page.context().setOffline(true)
  await page.getByText('Connection lost').waitFor()
  await page.getByText('Reconnecting', { exact: true }).waitFor({ state: 'attached' })
  await page.context().setOffline(false)
  await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
  expect(await page.getByText('Connection lost').count()).toBe(0)
})
