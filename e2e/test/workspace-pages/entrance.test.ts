import { randomBytes } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { shows } from '../identity-pages/bench.ts'
import { makeAccount } from '../installation/accounts.ts'
import { tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

deepTest('[W-251] who is not signed in is led to sign in, and back', async () => {
  const workspace = await bench.make()
  await using visit = await bench.visit()
  await visit.page.goto(bench.site.url + workspace.path)
  const link = visit.page.getByRole('link', { name: 'Sign in' })
  expect(await link.getAttribute('href')).toBe(`/sign-in?return_to=${encodeURIComponent(workspace.path)}`)
})

deepTest('[W-251] a workspace that is not there can be made on the spot', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  await page.goto(`${bench.site.url}/workspaces/${account.handle}/new.board`)
  await page.getByText('Workspace not found').waitFor()
  await page.getByRole('button', { name: /^Make / }).click()
  expect(await shows(page.getByRole('button', { name: 'Add the first panel' }))).toBe(true)
})

deepTest('[W-251] a workspace of somebody else is not shown', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  await using visit = await bench.visitAs()
  await visit.page.goto(bench.site.url + workspace.path)
  expect(
    await shows(visit.page.getByText(/You do not have access to this workspace|Workspace not found/)),
  ).toBe(true)
  expect(await visit.page.getByRole('tab').count()).toBe(0)
})

test('[W-270] an empty workspace offers the first panel', async () => {
  const workspace = await bench.make()
  await using visit = await bench.open(workspace)
  await visit.page.getByRole('button', { name: 'Add the first panel' }).click()
  expect(await shows(visit.page.getByRole('dialog', { name: 'Add a panel' }))).toBe(true)
})

deepTest('[W-275] workspaces are listed, made and opened', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  await page.goto(`${bench.site.url}/workspaces`)
  await page.getByText('None yet.').waitFor()
  const field = page.getByRole('textbox', { name: 'Repository' })
  await field.fill('no slashes/here')
  await page.getByRole('button', { name: 'Create and open' }).click()
  await page.getByText('Letters, digits, dots, underscores and hyphens').waitFor()
  await field.fill('Lamp_2')
  await page.getByRole('button', { name: 'Create and open' }).click()
  await page.getByRole('button', { name: 'Add the first panel' }).waitFor()
  await page.getByRole('link', { name: 'Patchbay, all workspaces' }).click()
  await page.getByRole('link', { name: `${account.handle}/Lamp_2` }).click()
  await page.getByRole('button', { name: 'Add the first panel' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/workspaces/${account.handle}/Lamp_2`)
})

test('[W-273] who may only look turns tabs for themselves, and has no control for changes', async () => {
  const member = await makeAccount(bench.site, `looks-${randomBytes(3).toString('hex')}`)
  const workspace = await bench.make({ members: [member] })
  const { panelId } = await workspace.add('code-editor')
  await workspace.add('system-log', { panelId })
  await using visit = await bench.open(workspace, { as: member })
  const { page } = visit
  await page.getByText('View only').waitFor()
  expect(await page.getByRole('button', { name: /^Add|^Actions/ }).count()).toBe(0)
  await tabNamed(page, 'Code editor').click()
  await page.locator('[role=tab][aria-selected=true][aria-label="Code editor"]').waitFor()
  await tabNamed(page, 'Code editor').press('Delete')
  await workspace.call('PATCH', `:workspace/current/tabs/${(await workspace.current()).tabs[0]?.tabId}`, {
    displayName: 'Left wheel',
  })
  await page.locator('[role=tab][aria-selected=true][aria-label="Left wheel"]').waitFor()
  await waitUntil('nothing was changed', async () => (await workspace.drawn()) === 'Left wheel System log*')
})
