import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { startPlainPage } from './plain-page.ts'
import { panelNamed, tabNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()

async function eventually(workspace: Workspace, drawn: string): Promise<void> {
  await waitUntil(`the layout is ${drawn}`, async () => (await workspace.drawn()) === drawn)
}

test('[W-252] a workspace is shown as it was left', async () => {
  const workspace = await bench.make()
  const first = await workspace.add('webview')
  await workspace.add('code-editor', { panelId: first.panelId, direction: 'right' })
  await workspace.add('system-log', { panelId: first.panelId, activate: false })
  const { layout } = await workspace.current()
  await workspace.call('PATCH', `:workspace/current/splits/${layout.root.id}`, { sizes: [1, 3] })
  await using visit = await bench.open(workspace)
  const { page } = visit
  for (const round of ['first', 'after a reload']) {
    expect([round, await page.getByRole('tab').allInnerTexts()]).toEqual([
      round,
      ['Web view', 'System log', 'Code editor'],
    ])
    expect(await tabNamed(page, 'Web view').getAttribute('aria-selected')).toBe('true')
    expect(await tabNamed(page, 'System log').getAttribute('aria-selected')).toBe('false')
    const border = await page.getByRole('separator').boundingBox()
    expect(Math.abs((border?.x ?? 0) - 320)).toBeLessThan(5)
    await page.reload()
    await tabNamed(page, 'Web view').waitFor()
  }
})

deepTest(
  '[W-257] a tab is dragged to a leaf, to a side, among tabs and to the border; its frame stays',
  async () => {
    await using plain = await startPlainPage()
    const workspace = await bench.make()
    const first = await workspace.add('webview', { initialState: { url: plain.url } })
    await workspace.add('code-editor', { panelId: first.panelId, direction: 'right' })
    await workspace.add('system-log', { panelId: first.panelId, activate: false })
    await using visit = await bench.open(workspace)
    const { page } = visit
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Load 1').waitFor()
    const webView = tabNamed(page, 'Web view')
    await webView.dragTo(panelNamed(page, 'Code editor'))
    await eventually(workspace, 'row(System log* | Code editor Web view*)')
    const box = await panelNamed(page, 'System log').boundingBox()
    await webView.dragTo(panelNamed(page, 'System log'), {
      targetPosition: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) - 20 },
    })
    await eventually(workspace, 'row(column(System log* | Web view*) | Code editor*)')
    await webView.dragTo(tabNamed(page, 'Code editor'), { targetPosition: { x: 4, y: 10 } })
    await eventually(workspace, 'row(System log* | Web view* Code editor)')
    await webView.dragTo(page.locator('.dv-dockview'), { targetPosition: { x: 4, y: 300 }, force: true })
    await eventually(workspace, 'row(Web view* | System log* | Code editor*)')
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Load 1').waitFor()
    expect(plain.loads()).toBe(1)
  },
)

deepTest('[W-258] a border is dragged and pushed with the arrow keys', async () => {
  const workspace = await bench.make()
  const first = await workspace.add('system-log')
  await workspace.add('code-editor', { panelId: first.panelId, direction: 'right' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  const border = page.getByRole('separator', { name: 'Border between System log and Code editor' })
  await border.and(page.locator('[aria-valuenow="50"]')).waitFor()
  await page.mouse.move(640, 400)
  await page.mouse.down()
  await page.mouse.move(900, 400, { steps: 4 })
  await page.mouse.move(960, 400)
  await page.mouse.up()
  const share = async () => {
    const { root } = (await workspace.current()).layout
    return root.type === 'split' ? Math.round((root.sizes[0] ?? 0) * 100) : undefined
  }
  await waitUntil('the border is stored', async () => (await share()) === 75)
  await border.and(page.locator('[aria-valuenow="75"]')).waitFor()
  await border.focus()
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowLeft')
  await waitUntil('the keys are stored', async () => (await share()) === 65)
  await page.locator('[role=separator][aria-valuenow="65"]:focus').waitFor()
  expect(Math.abs(((await border.boundingBox())?.x ?? 0) - 830)).toBeLessThan(8)
})

deepTest(
  '[W-259] what a script changes is shown in place: no frame reloads, and the focus stays',
  async () => {
    await using plain = await startPlainPage()
    const workspace = await bench.make()
    const first = await workspace.add('webview', { initialState: { url: plain.url } })
    const other = await workspace.add('code-editor', { panelId: first.panelId, direction: 'right' })
    await using visit = await bench.open(workspace)
    const { page } = visit
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Load 1').waitFor()
    await tabNamed(page, 'Code editor').focus()
    const move = (moveTo: unknown) =>
      workspace.call('PATCH', `:workspace/current/tabs/${first.tabId}`, { moveTo })
    await move({ panelId: other.panelId })
    await page
      .getByRole('tablist')
      .filter({ hasText: 'Code editor' })
      .getByRole('tab', { name: 'Web view' })
      .waitFor()
    await move({ panelId: other.panelId, direction: 'up' })
    await page.getByRole('separator', { name: 'Border between Web view and Code editor' }).waitFor()
    const { layout } = await workspace.current()
    await workspace.call('PATCH', `:workspace/current/splits/${layout.root.id}`, { sizes: [1, 4] })
    await page.locator('[role=separator][aria-valuenow="20"]').waitFor()
    await workspace.call('PATCH', `:workspace/current/tabs/${first.tabId}`, { displayName: 'The board' })
    await tabNamed(page, 'The board').waitFor()
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Load 1').waitFor()
    expect(plain.loads()).toBe(1)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Code editor')
  },
)
