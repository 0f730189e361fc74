import type { Page } from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { makeWorkspace, panelNamed, useWorkspaces, type Workspace } from '../workspace-pages/workspace.ts'
import { sendValues } from './motor.ts'
import { connectSimulated } from './simulated.ts'

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
  const name = dialog(page).getByRole('textbox', { name: 'Name', exact: true })
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
  await dialog(page).getByRole('button', { name: 'Manage probe' }).click()
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

test('[W-820][W-821][W-825] an agent asks for it; what moves is armed there, for agents too, and stopped; a fitting panel is opened and bound', async () => {
  const workspace = await bench.make()
  await using _servo = await connectSimulated(workspace, 'servo')
  await using visit = await bench.open(workspace)
  const { page } = visit
  const place = workspace.path.slice('/workspaces/'.length)
  const { key } = (await workspace.callAsOwner('POST', '/auth/keys', {
    name: 'Night agent',
    scopes: [`devices:command:${place}`],
  })) as { key: string }
  const commandAsAgent = async () => {
    const answer = await fetch(`${bench.site.url}/api/workspaces/editor/${place}/devices/servo/commands`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'target', value: 5, reason: 'center the arm', timeoutMs: 20_000 }),
    })
    return answer.status
  }
  expect(await commandAsAgent()).toBe(409)
  const ask = page.getByText('Night agent wants to use servo: center the arm.')
  await ask.waitFor()
  await page.getByRole('button', { name: 'Devices', exact: true }).click()
  await dialog(page).waitFor()
  const servo = entry(page, 'servo')
  const arming = async () => {
    const { device } = (await workspace.callAsOwner('GET', ':workspace/devices/servo')) as {
      device: { arming: { isForAgents: boolean } | null }
    }
    return device.arming?.isForAgents
  }
  await servo.getByRole('button', { name: 'Arm…' }).click()
  const question = page.getByRole('dialog', { name: /^Arm / })
  await question.getByText('Scripts and agents may command it too').click()
  await question.getByRole('button', { name: 'Arm', exact: true }).click()
  await servo.getByText(/^Armed by .+ left \(for agents too\)$/).waitFor()
  expect(await arming()).toBe(true)
  expect(await commandAsAgent()).toBe(200)
  await servo.getByRole('button', { name: 'Disarm' }).click()
  await servo.getByRole('button', { name: 'Arm…' }).waitFor()
  expect(await arming()).toBeUndefined()
  await dialog(page).getByRole('button', { name: 'Emergency stop' }).click()
  await dialog(page).getByRole('button', { name: 'Release…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
  await dialog(page).getByRole('button', { name: 'Release…' }).waitFor({ state: 'detached' })

  const open = async () => {
    await servo.getByRole('button', { name: 'Open panel for servo' }).click()
    const fitting = page.getByRole('menuitem')
    expect((await fitting.allInnerTexts())[0]).toBe('Servo control')
    await fitting.first().click()
    await dialog(page).waitFor({ state: 'detached' })
    await panelNamed(page, 'Servo control').getByText('Target angle').first().waitFor()
  }
  await open()
  await openDialog(page)
  await open()
  await expect
    .poll(async () => (await workspace.current()).tabs.map(({ state }) => state))
    .toMatchObject([{ bindings: { target: 'servo/target', position: 'servo/angle' } }])
})

test('[W-822] a device is granted to another workspace by its name, and taken from it after a question', async () => {
  const workspace = await bench.make()
  const { owner } = workspace
  const other = await makeWorkspace(bench, owner, owner.handle, 'other')
  for (const [at, name] of [
    [workspace, 'probe'],
    [workspace, 'taken'],
    [other, 'taken'],
  ] as const)
    await at.callAsOwner('POST', ':workspace/devices', { name })
  await using visit = await bench.open(workspace, {
    expectedFaults: [/409 .*\/grants\//, /403 .*\/grants\//],
  })
  const { page } = visit
  await openDialog(page)
  const grant = async (device: string, to: string) => {
    const section = dialog(page).getByRole('region', { name: `Other workspaces that use ${device}` })
    if (!(await section.isVisible()))
      await dialog(page)
        .getByRole('button', { name: `Manage ${device}` })
        .click()
    await section.getByRole('textbox', { name: 'Workspace' }).fill(to)
    await section.getByRole('button', { name: 'Grant access' }).click()
    return section
  }
  const taken = await grant('taken', `${owner.handle}/other`)
  await taken.getByText('That workspace has another device of this name.').waitFor()
  const probe = await grant('probe', 'nobody/nothing')
  await probe.getByText('There is no such workspace that you may change.').waitFor()
  await grant('probe', `${owner.handle}/other`)
  await probe.getByRole('listitem').getByText(`${owner.handle}/other`).waitFor()
  expect(await deviceNames(other)).toEqual(['probe', 'taken'])
  await probe.getByRole('button', { name: `End access of ${owner.handle}/other` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End access' }).click()
  await probe.getByText('Only this workspace uses it.').waitFor()
  expect(await deviceNames(other)).toEqual(['taken'])
})
