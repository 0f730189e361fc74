import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

test('[W-371] what an agent does is spoken, with the tab', async () => {
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
  const { panelId } = await workspace.add('motor-control')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await tabNamed(page, 'Motor control').waitFor()
  const all = page.getByRole('button', { name: /^All \d+ tabs$/ })
  expect(await all.count()).toBe(0)
  for (let number = 1; number <= 12; number += 1)
    await workspace.add('led-control', {
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

test('[W-374][W-376] in forced colours the tab in front has a line; one control is a monitor', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('motor-control')
  await workspace.add('led-control', { panelId })
  await using visit = await bench.open(workspace, { forcedColors: 'active' })
  const { page } = visit
  await tabNamed(page, 'LED control').waitFor()
  const [front, behind] = await Promise.all([
    tabNamed(page, 'LED control').evaluate((tab) => getComputedStyle(tab).borderTop),
    tabNamed(page, 'Motor control').evaluate((tab) => getComputedStyle(tab).borderTop),
  ])
  expect(front).toMatch(/^3px solid/)
  expect(front).not.toBe(behind)
  expect(await page.locator('header svg[class*="lucide-monitor"]').count()).toBe(1)
})
