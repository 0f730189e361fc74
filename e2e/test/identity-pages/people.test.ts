import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount, newHandle } from '../installation/accounts.ts'
import { publish } from '../packages-pages/publishing.ts'
import { shows, useBench } from './bench.ts'
import { signIn } from './people.ts'

const bench = useBench()
const people = () => `${bench.site.url}/account/people`

test('[W-149] an administrator disables an account and enables it again', async () => {
  // The first page of the list is in the order of handles.
  const account = await makeAccount(bench.site, newHandle('aa'))
  await using other = await bench.visit()
  await signIn(bench.site, other.page, account)
  await using visit = await bench.visitAs({ isAdmin: true })
  const { page } = visit
  const { handle } = account
  await page.goto(`${bench.site.url}/account`)
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('button', { name: `Disable ${handle}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable the account' }).click()
  const entry = page
    .getByRole('list', { name: 'Accounts' })
    .locator(':scope > li', { has: page.getByRole('button', { name: new RegExp(`able ${handle}$`) }) })
  expect(await shows(entry.getByText('Disabled'))).toBe(true)
  await other.page.goto(`${bench.site.url}/account`)
  expect(await shows(other.page.getByRole('button', { name: 'Sign in with a passkey' }))).toBe(true)
  await page.getByRole('button', { name: `Enable ${handle}` }).click()
  expect(await shows(page.getByRole('button', { name: `Disable ${handle}` }))).toBe(true)
})

test('[W-472] R7: who disables an account quarantines its packages with it', async () => {
  const account = await makeAccount(bench.site, newHandle('aa'))
  const { handle } = account
  const identifier = `com.example.${handle}`
  await publish(bench.site, account, { identifier })
  await using visit = await bench.visitAs({ isAdmin: true })
  const { page } = visit
  await page.goto(people())
  await page.getByRole('button', { name: `Disable ${handle}` }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText(`Quarantine the packages of ${handle}`).click()
  await dialog.getByRole('button', { name: 'Disable the account' }).click()
  expect(await shows(page.getByRole('button', { name: `Enable ${handle}` }))).toBe(true)
  const answer = await fetch(`${bench.site.url}/registry/packages/${identifier}`)
  expect([answer.status, await answer.json()]).toMatchObject([451, { reason: 'The account is disabled.' }])
})

deepTest('[W-149] an invitation is shown once, and works', async () => {
  await using visit = await bench.visitAs({ isAdmin: true })
  const { page } = visit
  await page.goto(people())
  await page.getByRole('button', { name: 'Invite someone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Make them an administrator').click()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('Copy the link now. It is not shown again.').waitFor()
  const link = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(await page.content()).not.toContain(link)
  await using invited = await bench.visit()
  await invited.page.goto(link)
  expect(await shows(invited.page.getByText('This link makes you an administrator'))).toBe(true)
})

deepTest('[W-149] others are told that the page is not for them', async () => {
  await using visit = await bench.visitAs()
  await visit.page.goto(people())
  expect(await shows(visit.page.getByText('This page is for administrators'))).toBe(true)
  expect(await visit.page.getByRole('list', { name: 'Accounts' }).count()).toBe(0)
})
