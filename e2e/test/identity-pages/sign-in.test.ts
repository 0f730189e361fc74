import { expect, test } from 'vitest'
import { heading, shows, useBench } from './bench.ts'
import { acceptAtIssuer, cancelAtIssuer } from './issuer.ts'

const bench = useBench()

test('[W-130] the page offers the issuers, a passkey, and the way to an account', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue with Acme' }).waitFor()
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(true)
  const link = page.getByRole('link', { name: 'Make an account with a passkey' })
  expect(await link.getAttribute('href')).toBe('/sign-up?with=passkey&return_to=%2Faccount')
})

test('[W-131] whoever cancelled at the issuer is told, and ends where they wanted on the second try', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-in?return_to=%2Fpackages`)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await cancelAtIssuer(page)
  expect(await shows(page.getByText('The identity provider did not sign you in'))).toBe(true)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await acceptAtIssuer(page, 'zoe')
  await heading(page, 'Choose your names').waitFor()
  await page.getByRole('button', { name: 'Make the account' }).click()
  await page.waitForURL(`${bench.site.url}/packages`)
  expect(await shows(heading(page, 'Packages'))).toBe(true)
})

test.each([
  { code: 'sign_up_closed', says: 'You need an invitation to make an account here' },
  { code: 'account_disabled', says: 'This account is disabled' },
  { code: 'ceremony_expired', says: 'That took too long, or was finished before' },
  { code: 'issuer_unavailable', says: 'The identity provider does not answer' },
  { code: 'invalid_request', says: 'Begin again from here.' },
  { code: 'issuer_refused', says: 'Try again, or use another way.' },
  { code: 'invitation_invalid', says: 'Ask for a new one.' },
  { code: 'internal_error', says: 'if it stays, tell an administrator' },
  { code: 'deadline_exceeded', says: 'if it stays, tell an administrator' },
  { code: 'rate_limited', says: 'Too many attempts' },
  { code: 'database_unavailable', says: 'Wait a minute and try again' },
  { code: '<b>made up</b>', says: 'That did not work' },
])('[W-131] the problem $code is told in a sentence', async ({ code, says }) => {
  await using visit = await bench.visit()
  await visit.page.goto(`${bench.site.url}/sign-in?problem=${encodeURIComponent(code)}`)
  expect(await shows(visit.page.getByText(says))).toBe(true)
  expect(await visit.page.getByRole('main').innerText()).not.toContain('made up')
})

test.each([
  { given: '/packages', leads: '/packages' },
  { given: 'https://evil.example/', leads: '/account' },
  { given: '//evil.example/', leads: '/account' },
  { given: '/.//evil.example', leads: '/account' },
  { given: '/\\evil.example', leads: '/account' },
  { given: '/\t/evil.example', leads: '/account' },
  { given: 'javascript:alert(1)', leads: '/account' },
])('[W-132] a return to $given leads to $leads', async ({ given, leads }) => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-in?return_to=${encodeURIComponent(given)}`)
  await heading(page, 'You are signed in').waitFor()
  const onward = page.getByRole('main').getByRole('link')
  expect(await onward.getAttribute('href')).toBe(leads)
})

test('[W-133] whoever is signed in is told as whom, and can change that', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-in`)
  await heading(page, 'You are signed in').waitFor()
  expect(await page.getByRole('main').getByText(visit.account.handle).isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Not you? Switch account' }).click()
  expect(await shows(heading(page, 'Sign in').and(page.locator(':focus')))).toBe(true)
})

test('[W-134] a passkey that was not given leaves everything as it was', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  // No device is plugged in and nobody answers: the browser refuses, as when its dialog is closed.
  await page.addInitScript(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException('closed', 'NotAllowedError'))
  })
  await page.goto(`${bench.site.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  expect(await shows(page.getByRole('alert').getByText('No passkey was used'))).toBe(true)
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled()).toBe(true)
})
