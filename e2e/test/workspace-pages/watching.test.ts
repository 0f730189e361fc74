import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

deepTest('[W-371] what an agent does is spoken, with the tab', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('webview', { displayName: 'Docs' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await tabNamed(page, 'Docs').waitFor()
  const spoken = () => page.locator('output').allTextContents()
  expect(await spoken()).not.toContain('Nightly agent added a panel, Docs')
  const act = (action: object) => workspace.call('PATCH', '/api/panels/webview/:ref', { panelId, ...action })
  await act({ action: 'setHeaderHidden', hidden: true })
  await waitUntil('it is spoken', async () =>
    (await spoken()).includes('Nightly agent hid the address bar, Docs'),
  )
  await act({ action: 'setHeaderHidden', hidden: false })
  await waitUntil('the next is spoken', async () =>
    (await spoken()).includes('Nightly agent showed the address bar, Docs'),
  )
})

test('[W-373] tabs that do not fit are listed in a menu, which turns to one', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('code-editor')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await tabNamed(page, 'Code editor').waitFor()
  const all = page.getByRole('button', { name: /^All \d+ tabs$/ })
  expect(await all.count()).toBe(0)
  for (let number = 1; number <= 12; number += 1)
    await workspace.add('system-log', {
      panelId,
      displayName: `A lamp with number ${number}`,
      activate: false,
    })
  await page.getByRole('button', { name: 'All 13 tabs' }).click()
  await page.getByRole('menuitemradio', { name: 'A lamp with number 12' }).click()
  await page.locator('[role=tab][aria-selected=true][aria-label="A lamp with number 12"]').waitFor()
  await waitUntil('the tab has the focus', async () =>
    tabNamed(page, 'A lamp with number 12').evaluate((tab) => tab === document.activeElement),
  )
  await waitUntil('everybody sees it', async () => (await workspace.drawn()).endsWith('number 12*'))
})

test('[W-426] F10: the active tab is in view, whoever activates it and however narrow its leaf is', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('code-editor')
  const lamps: string[] = []
  for (let number = 1; number <= 12; number += 1) {
    const displayName = `A lamp with number ${number}`
    lamps.push((await workspace.add('system-log', { panelId, displayName })).tabId)
  }
  await using visit = await bench.open(workspace)
  const { page } = visit
  const isInView = (title: string) => async () =>
    await tabNamed(page, title).evaluate((tab) => {
      const list = tab.closest('.dv-tabs-container')?.getBoundingClientRect()
      const { left, right } = tab.getBoundingClientRect()
      const isActive = tab.getAttribute('aria-selected') === 'true'
      return isActive && list !== undefined && left >= list.left - 1 && right <= list.right + 1
    })
  await expect
    .poll(isInView('A lamp with number 12'), { message: 'when the page opens', timeout: 20_000 })
    .toBe(true)
  await workspace.call('PATCH', `:workspace/current/tabs/${lamps[5]}`, { isActive: true })
  await expect
    .poll(isInView('A lamp with number 6'), { message: 'when an agent activates it', timeout: 20_000 })
    .toBe(true)
  await page.setViewportSize({ width: 500, height: 600 })
  await expect
    .poll(isInView('A lamp with number 6'), { message: 'in a narrow window', timeout: 20_000 })
    .toBe(true)
  await tabNamed(page, 'A lamp with number 6').focus()
  for (let count = 0; count < 4; count += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Space')
  await expect
    .poll(isInView('A lamp with number 2'), { message: 'when the keyboard activates it', timeout: 20_000 })
    .toBe(true)
  await page.setViewportSize({ width: 390, height: 700 })
  await workspace.call('PATCH', `:workspace/current/tabs/${lamps[11]}`, { isActive: true })
  await expect.poll(isInView('A lamp with number 12'), { message: 'on a phone', timeout: 20_000 }).toBe(true)
})

test('[W-374][W-376] in forced colors the tab in front has a line; one control is a monitor', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('code-editor')
  await workspace.add('system-log', { panelId })
  await using visit = await bench.open(workspace, { forcedColors: 'active' })
  const { page } = visit
  await tabNamed(page, 'System log').waitFor()
  const [front, behind] = await Promise.all([
    tabNamed(page, 'System log').evaluate((tab) => getComputedStyle(tab).borderTop),
    tabNamed(page, 'Code editor').evaluate((tab) => getComputedStyle(tab).borderTop),
  ])
  expect(front).toMatch(/^3px solid/)
  expect(front).not.toBe(behind)
  expect(await page.locator('header svg[class*="lucide-monitor"]').count()).toBe(1)
})
