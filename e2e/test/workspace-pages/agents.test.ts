import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

deepTest(
  '[W-263] who acts on a panel is named on its tab, and the list tells what was done and why',
  async () => {
    const workspace = await bench.make()
    const { panelId } = await workspace.add('webview')
    await using visit = await bench.visit()
    const { page } = visit
    await page.clock.install()
    await bench.openIn(visit, workspace)
    await workspace.call('PATCH', '/api/panels/webview/:ref', {
      panelId,
      action: 'setHeaderHidden',
      hidden: false,
      reason: 'so that you see the address',
    })
    const tab = tabNamed(page, 'Web view')
    await tab.getByText('Nightly agent: showed the address bar').waitFor()
    await page.getByRole('button', { name: 'Agents' }).click()
    const done = page.getByRole('list', { name: 'Activity' })
    await done.getByText('“so that you see the address”').waitFor()
    expect(await done.getByRole('listitem').first().innerText()).toContain('Nightly agent')
    await page.keyboard.press('Escape')
    await page.clock.fastForward(20_000)
    await tab.getByText('Nightly agent').waitFor({ state: 'detached' })
  },
)

test('[W-264] the access of an agent is ended and given back with one press', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('webview')
  const act = () => workspace.call('PATCH', '/api/panels/webview/:ref', { panelId, action: 'refresh' })
  await act()
  await using visit = await bench.open(workspace)
  const { page } = visit
  await page.getByRole('button', { name: 'Agents' }).click()
  await page.getByRole('button', { name: 'End access: Nightly agent' }).click()
  await page.getByRole('button', { name: 'Give back: Nightly agent' }).waitFor()
  await expect(act()).rejects.toThrow(/403 .*access_ended/)
  await page.getByRole('button', { name: 'Give back: Nightly agent' }).click()
  await page.getByRole('button', { name: 'End access: Nightly agent' }).waitFor()
  await act()
})

test('[W-278] of two browsers each says whether commands run in it', async () => {
  const workspace = await bench.make()
  await using first = await bench.open(workspace)
  await using second = await bench.open(workspace)
  const pages = [first.page, second.page]
  const oneActs = waitUntil('one of two acts', async () => {
    const here = pages.map((page) => page.getByText('Commands run in this browser, of 2').count())
    const there = pages.map((page) => page.getByText('Commands run in another browser, of 2').count())
    const counts = await Promise.all([...here, ...there])
    return counts.filter((count) => count === 1).length === 2
  })
  await expect(oneActs).resolves.toBeUndefined()
})

deepTest(
  '[W-267] a picture without sharing is refused, and the person is told who asks and why',
  async () => {
    const workspace = await bench.make()
    const { tabId } = await workspace.add('code-editor')
    await using visit = await bench.open(workspace)
    const { page } = visit
    const shoot = () =>
      workspace.call('PATCH', ':workspace/current/screenshot', {
        scope: 'panel',
        tabId,
        reason: 'I want to see whether it turns',
      })
    await expect(shoot()).rejects.toThrow(/504 .*sharing_not_enabled/)
    const dialog = page.getByRole('dialog', { name: 'Share for screenshots?' })
    await dialog.getByText('I want to see whether it turns').waitFor()
    expect(await dialog.innerText()).toContain('Nightly agent')
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Capture', exact: true }).waitFor()
  },
)
