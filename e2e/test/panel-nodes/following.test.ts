import { randomBytes } from 'node:crypto'
import type { Page } from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { makeOrganization } from '../packages-pages/publishing.ts'
import { makeWorkspace, tabNamed } from '../workspace-pages/workspace.ts'
import { useNodes } from './nodes.ts'

const bench = useNodes()

const turnsTo = (page: Page, title: string) =>
  waitUntil(
    `the page turns to ${title}`,
    async () =>
      (await page.locator('.dv-active-group .dv-tab[aria-selected=true]').getAttribute('aria-label')) ===
      title,
  )

test('[J-102] on two nodes one person follows another from panel to panel, until that one leaves', {
  timeout: 60_000,
}, async () => {
  const { nodes } = bench
  const word = randomBytes(3).toString('hex')
  const ada = await makeAccount(nodes, `ada-${word}`, { name: 'Ada Lovelace' })
  const bob = await makeAccount(nodes, `bob-${word}`, { name: 'Bob Noyce' })
  await makeOrganization(nodes, `labs-${word}`, [
    { account: ada, role: 'owner' },
    { account: bob, role: 'maintainer' },
  ])
  const site = { ...nodes, url: nodes.one.url }
  const atOne = await makeWorkspace({ site }, ada, `labs-${word}`, 'lamp')
  const { panelId } = await atOne.add('code-editor')
  await atOne.add('system-log', { panelId, displayName: 'Log' })
  await atOne.add('sandbox', { panelId, direction: 'right' })
  const shared = { owner: ada, path: atOne.path, atOne, atOther: atOne }
  await using first = await bench.open(shared, { node: nodes.one })
  await using second = await bench.open({ ...shared, owner: bob }, { node: nodes.other })
  const { page } = first
  await tabNamed(second.page, 'Sandbox').click()
  await page.getByRole('button', { name: /^People here/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Bob Noyce — Sandbox' })
  await row.getByRole('button', { name: 'Follow Bob Noyce' }).click()
  const stop = page.getByRole('button', { name: 'Stop following Bob Noyce' })
  await stop.waitFor()
  await turnsTo(page, 'Sandbox')
  expect(await page.getByRole('status').allInnerTexts()).toContainEqual(
    expect.stringContaining('Following Bob Noyce'),
  )
  for (const title of ['Code editor', 'Sandbox', 'Log']) {
    await tabNamed(second.page, title).click()
    await turnsTo(page, title)
  }
  await second.page.close()
  await stop.waitFor({ state: 'detached' })
  await page.getByText('Bob Noyce left the workspace').waitFor()
})
