import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount, newHandle, openSession } from '../installation/accounts.ts'
import { heading, plugInAuthenticator, shows, useBench } from './bench.ts'

const bench = useBench()
const account = () => `${bench.site.url}/account`

test('[W-145] sessions are listed with what they are, and this one is marked', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await openSession(bench.site, visit.account, {
    kind: 'application',
    label: 'Board Studio',
    userAgent: 'board-studio/2.1 darwin',
    network: '198.51.100.7',
    ageMs: 2 * 3_600_000,
  })
  await page.goto(account())
  const sessions = page.getByRole('list', { name: 'Your sessions' })
  const studio = sessions.getByRole('listitem').filter({ hasText: 'Board Studio' }).first()
  await studio.waitFor()
  const text = await studio.innerText()
  for (const part of ['Application', 'board-studio on macOS', '198.51.100.7', 'Opened 2 hours ago']) {
    expect(text).toContain(part)
  }
  const mine = sessions.getByRole('listitem').filter({ hasText: 'This browser' }).first()
  expect(await mine.getByRole('button').count()).toBe(0)
})

deepTest('[W-145] one session is ended after a question, or all others at once', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  for (const label of ['One', 'Two', 'Three']) {
    await openSession(bench.site, visit.account, { kind: 'application', label })
  }
  await page.goto(account())
  const entry = (label: string) => page.getByRole('button', { name: `End the session of ${label}` })
  await entry('One').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click()
  expect(await shows(entry('One'))).toBe(true)
  await entry('One').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End the session' }).click()
  await entry('One').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
  await entry('Two').waitFor({ state: 'detached' })
  expect(await entry('Three').count()).toBe(0)
  expect(await page.getByText('This browser').isVisible()).toBe(true)
})

test('[W-146] a passkey is added with a name, and removed after a question', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await plugInAuthenticator(page)
  await page.goto(account())
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Create passkey' }).isEnabled()).toBe(false)
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Test device')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await dialog.waitFor({ state: 'detached' })
  const remove = page.getByRole('button', { name: 'Remove the passkey Test device' })
  expect(await shows(remove)).toBe(true)
})

deepTest('[W-146] the last way to sign in stays, and the reason is told', async () => {
  await using visit = await bench.visit({ expectedFaults: [/409/] })
  const { page } = visit
  await plugInAuthenticator(page)
  await page.goto(`${bench.site.url}/sign-up?with=passkey`)
  await page.getByRole('textbox', { name: /^Handle/ }).fill(newHandle('one-passkey'))
  await page.getByRole('textbox', { name: /^Name/ }).fill('One')
  await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
  await page.getByRole('button', { name: /^Remove the passkey/ }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Remove the passkey' }).click()
  expect(await shows(question.getByText('This is your last way to sign in'))).toBe(true)
})

test('[W-147] a key is shown once, with a warning, and is gone after the dialog', async () => {
  await using visit = await bench.visitAs({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto(account())
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Nightly build')
  await dialog.getByRole('button', { name: /Area$/ }).click()
  await page.getByRole('option', { name: 'Panels: all of it' }).click()
  const target = dialog.getByRole('textbox', { name: /^Owner and repository/ })
  await target.fill('nonsense')
  expect(await dialog.getByRole('button', { name: 'Create key' }).isEnabled()).toBe(false)
  await target.fill(`${visit.account.handle}/motor-bench`)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  expect(await shows(dialog.getByText('Copy the key now. It is not shown again.'))).toBe(true)
  await dialog.getByRole('button', { name: 'Copy: The key' }).click()
  await dialog.getByText('Copied to the clipboard.').waitFor()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  const whoami = await fetch(`${bench.site.url}/auth/whoami`, { headers: { 'x-api-key': key } })
  expect(await whoami.json()).toMatchObject({ person: { handle: visit.account.handle } })
  await dialog.getByRole('button', { name: 'Done' }).click()
  const entry = page.getByRole('list', { name: 'Your API keys' }).getByRole('listitem').first()
  expect(await entry.innerText()).toContain(`panels:${visit.account.handle}/motor-bench`)
  expect(await page.content()).not.toContain(key)
  await page.getByRole('button', { name: 'Revoke the key Nightly build' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke the key' }).click()
  expect(await shows(page.getByText('No API keys yet.'))).toBe(true)
})

test('[W-156] on a small screen the buttons of a tall dialog stay in view', async () => {
  await using visit = await bench.visitAs({ viewport: { width: 390, height: 560 } })
  const { page } = visit
  await page.goto(account())
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add a scope' }).click()
  const box = await dialog.getByRole('button', { name: 'Create key' }).boundingBox()
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(560)
})

test('[W-148] an organization is made, and its members change', async () => {
  const grace = await makeAccount(bench.site, newHandle('grace'))
  const labs = newHandle('labs')
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto(account())
  await page.getByRole('button', { name: 'Create an organization' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Handle/ }).fill(labs)
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Labs')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: `Members of ${labs}` }).click()
  await dialog.getByRole('textbox', { name: 'Person’s handle' }).fill(grace.handle)
  await dialog.getByRole('button', { name: 'Add' }).click()
  const role = dialog.getByRole('button', { name: new RegExp(`Role of ${grace.handle}`) })
  await role.click()
  await page.getByRole('option', { name: 'Maintainer' }).click()
  expect(await shows(dialog.getByRole('button', { name: /^Maintainer Role of/ }))).toBe(true)
  await dialog.getByRole('button', { name: `Remove ${grace.handle}` }).click()
  await role.waitFor({ state: 'detached' })
  expect(await dialog.getByRole('button', { name: 'Leave the organization' }).isVisible()).toBe(true)
})

test('[W-150] signing out shows the way back in, and nothing of the account', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto(account())
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  expect(await shows(heading(page, 'Account').and(page.locator(':focus')))).toBe(true)
  expect(await page.getByRole('heading', { name: 'Sessions' }).count()).toBe(0)
})
