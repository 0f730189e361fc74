import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount, newHandle } from '../installation/accounts.ts'
import { heading, plugInAuthenticator, shows, useBench } from './bench.ts'
import { openIntent } from './intents.ts'
import { acceptAtIssuer, forgetPeopleOfIssuer } from './issuer.ts'
import { signIn } from './people.ts'

const bench = useBench()

deepTest(
  '[W-120] somebody new signs up with an issuer in the midst of it, and finds the request again',
  async () => {
    await forgetPeopleOfIssuer(bench.site)
    await using visit = await bench.visit()
    const { page } = visit
    const intent = await openIntent(bench.site)
    await page.goto(intent.auth_url)
    await heading(page, 'Sign in to review this request').waitFor()
    expect(await page.getByText(intent.confirmation_code).count()).toBe(0)
    await page.getByRole('button', { name: 'Continue with Acme' }).click()
    await acceptAtIssuer(page, 'ada')
    await heading(page, 'Choose your handle and name').waitFor()
    await page.getByRole('textbox', { name: /^Handle/ }).fill(newHandle())
    await page.getByRole('button', { name: 'Create account' }).click()
    expect(await shows(page.getByText(intent.confirmation_code))).toBe(true)
    expect(page.url()).toBe(`${bench.site.url}/approve`)
    await page.getByRole('button', { name: 'Approve' }).click()
    expect(await shows(heading(page, 'Done'))).toBe(true)
  },
)

test('[W-120] so does somebody who signs up with a passkey, and later signs in with it', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await plugInAuthenticator(page)
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  await page.getByRole('link', { name: 'Create an account with a passkey' }).click()
  await page.getByRole('textbox', { name: /^Handle/ }).fill(newHandle('passkey-person'))
  await page.getByRole('textbox', { name: /^Name/ }).fill('Passkey Person')
  await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
  expect(await shows(page.getByText(intent.confirmation_code))).toBe(true)

  await page.getByRole('button', { name: 'Not you? Switch account' }).click()
  await heading(page, 'Sign in to review this request').waitFor()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  expect(await shows(page.getByText(intent.confirmation_code))).toBe(true)
  expect(await page.getByRole('main').getByText('Passkey Person').isVisible()).toBe(true)
})

test('[W-121] switching the account keeps the request', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Not you? Switch account' }).click()
  await heading(page, 'Sign in to review this request').waitFor()
  const other = await makeAccount(bench.site, newHandle('grace'), { name: 'Grace' })
  await signIn(bench.site, page, other)
  await page.reload()
  expect(await shows(page.getByText(intent.confirmation_code))).toBe(true)
  expect(await page.getByRole('main').getByText(other.handle).isVisible()).toBe(true)
})

test('[W-107] a sign-in that changed in another tab is noticed, and nothing is approved for the wrong person', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/403/] })
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  const other = await makeAccount(bench.site, newHandle('grace'), { name: 'Grace' })
  await signIn(bench.site, page, other)
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await shows(page.getByText('Your sign-in has changed in another tab'))).toBe(true)
  expect(await shows(page.getByRole('main').getByText(other.handle))).toBe(true)
  const status = await fetch(`${bench.site.url}/auth/intents/${intent.token}/status`)
  expect(await status.json()).toEqual({ state: 'pending' })
})

deepTest('[W-107] a session that was ended elsewhere leads to signing in', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/401/] })
  const { page, account } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await bench.site.db.deleteFrom('sessions').where('person_id', '=', account.id).execute()
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await shows(heading(page, 'Sign in to review this request'))).toBe(true)
})
