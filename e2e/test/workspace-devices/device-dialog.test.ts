import type { Page } from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { useWorkspaces, type Workspace } from '../workspace-pages/workspace.ts'
import { sendValues } from './motor.ts'

const bench = useWorkspaces({ canSimulate: true, environment: { PATCHBAY_MQTT_PORT: '0' } })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Devices of this workspace' })
const entry = (page: Page, name: string) =>
  dialog(page).getByRole('listitem').filter({ hasText: name }).first()

async function openDialog(page: Page): Promise<void> {
  await page.keyboard.press('Control+K')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').fill('devices')
  await palette.getByRole('option', { name: 'Devices', exact: true }).click()
  await dialog(page).waitFor()
}

async function deviceNames(workspace: Workspace): Promise<string[]> {
  const { items } = (await workspace.callAsOwner('GET', ':workspace/devices')) as {
    items: { name: string }[]
  }
  return items.map(({ name }) => name)
}

test('[W-771][W-772] a device is added, its key is shown until the dialog closes, and its status follows', async () => {
  const workspace = await bench.make()
  await using visit = await bench.open(workspace, { expectedFaults: [/409 .*\/devices/] })
  const { page } = visit
  await openDialog(page)
  await dialog(page).getByText('No devices yet.').waitFor()
  const name = dialog(page).getByRole('textbox', { name: 'Name' })
  await name.fill('probe')
  await name.press('Enter')
  const key = dialog(page).getByText(/^pbd_/)
  await key.waitFor()
  await dialog(page)
    .getByText(/^pb\/.*\/probe$/)
    .waitFor()
  await entry(page, 'probe').getByText('Never connected').waitFor()
  await sendValues(bench.site.url, await key.innerText(), { temperature: 21.5 })
  await entry(page, 'probe').getByText('Online').waitFor({ timeout: 30_000 })
  await entry(page, 'probe').getByText('1 channel').waitFor({ timeout: 30_000 })
  await name.fill('probe')
  await name.press('Enter')
  await dialog(page).getByText('This workspace has a device of this name.').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await openDialog(page)
  await entry(page, 'probe').waitFor()
  expect(await dialog(page).getByText(/^pbd_/).count()).toBe(0)
})

test('[W-773] a new key and a removal ask first', async () => {
  const workspace = await bench.make()
  const { key: old } = (await workspace.callAsOwner('POST', ':workspace/devices', { name: 'probe' })) as {
    key: string
  }
  await using visit = await bench.open(workspace)
  const { page } = visit
  await openDialog(page)
  await dialog(page).getByRole('button', { name: 'New key for probe' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'New key' }).click()
  const key = dialog(page).getByText(/^pbd_/)
  await key.waitFor()
  await expect(sendValues(bench.site.url, old, { temperature: 1 })).rejects.toThrow('401')
  await sendValues(bench.site.url, await key.innerText(), { temperature: 1 })
  await dialog(page).getByRole('button', { name: 'Remove probe' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await waitUntil('it is gone', async () => (await deviceNames(workspace)).length === 0, {
    deadlineMs: 60_000,
  })
  await dialog(page).getByText('No devices yet.').waitFor({ timeout: 30_000 })
})
