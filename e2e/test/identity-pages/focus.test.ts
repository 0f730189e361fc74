import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount, newHandle, openSession } from '../installation/accounts.ts'
import { heading, shows, useBench } from './bench.ts'
import { openIntent } from './intents.ts'

const bench = useBench()
const part = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const hasFocus = (page: Page, name: string) => shows(part(page, name).and(page.locator(':focus')))

test('[W-157] a second Enter, Escape or a click beside does not lose a key', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto(`${bench.site.url}/account`)
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Nightly build')
  await page.keyboard.press('Enter')
  const warning = dialog.getByText('Copy the key now. It is not shown again.')
  await warning.waitFor()
  expect(await shows(dialog.getByRole('region', { name: 'The key' }).and(page.locator(':focus')))).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await warning.isVisible()).toBe(true)
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
})

deepTest('[W-157] nor does an Escape while it is being made', async () => {
  await using visit = await bench.visitAs({ isAdmin: true })
  const { page } = visit
  const held = Promise.withResolvers<void>()
  await page.route('**/auth/invitations', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${bench.site.url}/account/people`)
  await page.getByRole('button', { name: 'Invite someone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.keyboard.press('Escape')
  held.resolve()
  expect(await shows(dialog.getByText('Copy the link now. It is not shown again.'))).toBe(true)
})

test('[W-162] after a session has ended the focus is on the heading', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await openSession(bench.site, visit.account, { kind: 'application', label: 'One' })
  await page.goto(`${bench.site.url}/account`)
  const end = page.getByRole('button', { name: 'End the session of One' })
  await end.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End the session' }).click()
  await end.waitFor({ state: 'detached' })
  expect(await hasFocus(page, 'Sessions')).toBe(true)
})

deepTest('[W-162] and after an account was disabled', async () => {
  // The first page of the list is in the order of handles.
  const grace = await makeAccount(bench.site, newHandle('aa'))
  await using visit = await bench.visitAs({ isAdmin: true })
  const { page } = visit
  await page.goto(`${bench.site.url}/account/people`)
  await page.getByRole('button', { name: `Disable ${grace.handle}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable the account' }).click()
  await page.getByRole('button', { name: `Enable ${grace.handle}` }).waitFor()
  expect(await hasFocus(page, 'Accounts')).toBe(true)
})

deepTest('[W-162] and after trying again, in a part and on a page', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_FAILED/] })
  const { page } = visit
  await page.route('**/auth/passkeys', (route) => route.abort())
  await page.goto(`${bench.site.url}/account`)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute('**/auth/passkeys')
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await hasFocus(page, 'Passkeys')).toBe(true)
  await page.route('**/auth/session', (route) => route.abort())
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute('**/auth/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  const question = heading(page, 'Let an application act for you?')
  expect(await shows(question.and(page.locator(':focus')))).toBe(true)
})

deepTest('[W-162] a sign-up that is incomplete has the focus on the first field to mend', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-up?with=passkey`)
  const submit = page.getByRole('button', { name: 'Sign up with a passkey' })
  const field = (name: RegExp) => page.getByRole('textbox', { name }).and(page.locator(':focus'))
  await submit.click()
  expect(await shows(field(/^Handle/))).toBe(true)
  await page.keyboard.type('some-handle')
  await submit.click()
  expect(await shows(field(/^Name/))).toBe(true)
})

deepTest('[W-162] so has one whose handle is taken', async () => {
  await using visit = await bench.visit({ expectedFaults: [/409/] })
  const { page } = visit
  const taken = await makeAccount(bench.site, newHandle('taken'))
  await page.goto(`${bench.site.url}/sign-up?with=passkey`)
  const handle = page.getByRole('textbox', { name: /^Handle/ })
  await handle.fill(taken.handle)
  await page.getByRole('textbox', { name: /^Name/ }).fill('Somebody')
  await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
  expect(await shows(handle.and(page.locator(':focus')))).toBe(true)
  expect(await page.getByText('This handle is taken.').isVisible()).toBe(true)
})

test('[W-163] a member whom nobody knows is told at the field', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/404/] })
  const { page } = visit
  const labs = newHandle('labs')
  await page.goto(`${bench.site.url}/account`)
  await page.getByRole('button', { name: 'Create an organization' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Handle/ }).fill(labs)
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Labs')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: `Members of ${labs}` }).click()
  const field = dialog.getByRole('textbox', { name: 'Person’s handle' })
  await field.fill('nobody-at-all')
  await dialog.getByRole('button', { name: 'Add' }).click()
  expect(await shows(dialog.getByText('No one here has this handle.'))).toBe(true)
  expect(await field.getAttribute('aria-invalid')).toBe('true')
})
