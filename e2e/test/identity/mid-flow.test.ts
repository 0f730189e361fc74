import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { expect, test } from 'vitest'
import { startJourney } from './journey/journey.ts'

test('[J-11][J-20] somebody without an account signs in at a provider in the midst of a login, and the login goes on', {
  timeout: 120_000,
}, async () => {
  await using provider = await startOidcProvider()
  const issuer = { id: 'acme', name: 'Acme', issuer: provider.issuer, client_id: 'patchbay' }
  await using journey = await startJourney({ PATCHBAY_OIDC_ISSUERS: JSON.stringify([issuer]) })
  const { site } = journey
  await provider.addClient({
    id: 'patchbay',
    name: 'Patchbay',
    redirectUris: [`${site.url}/auth/oidc/acme/callback`],
  })
  const terminal = await journey.terminal()
  const login = await terminal.login('--no-browser')
  const person = await journey.browser()
  const { page } = person
  await person.open(login.link)
  await person.sees('Sign in to review this request')
  await person.press('Continue with Acme')
  await page.getByRole('button', { name: 'Grace Hopper' }).click()
  await person.press('Allow')
  await person.sees('Choose your handle and name')
  await page.getByText('Acme has vouched for you').waitFor()
  await page.getByRole('textbox', { name: /^Handle/ }).fill('admiral')
  await person.press('Create account')
  await person.isAsked()
  await page.getByText(login.words, { exact: true }).waitFor()
  await person.press('Approve')
  await person.sees('Done')
  const ended = await login.ended
  expect(ended.output).toContain(`Signed in as admiral on ${site.url}`)
  expect(ended.exitCode).toBe(0)
  await journey.expectNoTrace()
})

test('[J-12][J-20] somebody without an account makes one with a passkey in the midst of a login, and later signs in with it', {
  timeout: 120_000,
}, async () => {
  await using journey = await startJourney({ PATCHBAY_SIGN_UP: 'open' })
  const terminal = await journey.terminal()
  const first = await terminal.login('--no-browser')
  const person = await journey.browser()
  const { page } = person
  await person.open(first.link)
  await person.sees('Sign in to review this request')
  await page.getByRole('link', { name: 'Create an account with a passkey' }).click()
  await person.sees('Create an account')
  await page.getByRole('textbox', { name: /^Handle/ }).fill('grace')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Grace Hopper')
  await person.press('Sign up with a passkey')
  await person.isAsked()
  await page.getByText(first.words, { exact: true }).waitFor()
  await person.press('Approve')
  await person.sees('Done')
  expect((await first.ended).output).toContain('Signed in as grace')

  const elsewhere = await journey.terminal()
  const second = await elsewhere.login('--no-browser')
  await page.context().clearCookies()
  await person.open(second.link)
  await person.sees('Sign in to review this request')
  await person.press('Sign in with a passkey')
  await person.isAsked()
  await page.getByText(second.words, { exact: true }).waitFor()
  await person.press('Approve')
  await person.sees('Done')
  expect((await second.ended).output).toContain('Signed in as grace')
  await journey.expectNoTrace()
})
