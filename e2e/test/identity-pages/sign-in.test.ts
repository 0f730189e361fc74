import { deepTest, depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { newHandle } from '../installation/accounts.ts'
import { heading, shows, useBench } from './bench.ts'
import { acceptAtIssuer, cancelAtIssuer, forgetPeopleOfIssuer } from './issuer.ts'

const bench = useBench()

deepTest('[W-130] the page offers the issuers, a passkey, and the way to an account', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue with Acme' }).waitFor()
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(true)
  const link = page.getByRole('link', { name: 'Create an account with a passkey' })
  expect(await link.getAttribute('href')).toBe('/sign-up?with=passkey&return_to=%2Faccount')
})

test('[W-131] whoever canceled at the issuer is told, and ends where they wanted on the second try', async () => {
  await forgetPeopleOfIssuer(bench.site)
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-in?return_to=%2Fpackages`)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await cancelAtIssuer(page)
  expect(await shows(page.getByText('The identity provider did not sign you in'))).toBe(true)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await acceptAtIssuer(page, 'zoe')
  await heading(page, 'Choose your handle and name').waitFor()
  await page.getByRole('textbox', { name: /^Handle/ }).fill(newHandle('zoe'))
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${bench.site.url}/packages`)
  expect(await shows(heading(page, 'Packages'))).toBe(true)
})

const PROBLEMS: readonly (readonly [code: string, says: string])[] = [
  ['sign_up_closed', 'You need an invitation to create an account here'],
  ['account_disabled', 'This account is disabled'],
  ['<b>made up</b>', 'Something went wrong'],
  ...depth<readonly (readonly [string, string])[]>({
    common: [],
    deep: [
      ['ceremony_expired', 'This has expired or is already done'],
      ['issuer_unavailable', 'The identity provider is not responding'],
      ['invalid_request', 'Start over from here.'],
      ['issuer_refused', 'Try again, or use another way.'],
      ['invitation_invalid', 'Ask for a new one.'],
      ['internal_error', 'contact an administrator'],
      ['deadline_exceeded', 'contact an administrator'],
      ['rate_limited', 'Too many attempts'],
      ['database_unavailable', 'Wait a minute and try again'],
    ],
  }),
]

deepTest('[W-131] a problem is told in a sentence', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  for (const [code, says] of PROBLEMS) {
    await page.goto(`${bench.site.url}/sign-in?problem=${encodeURIComponent(code)}`)
    expect([code, await shows(page.getByText(says))]).toEqual([code, true])
    expect(await page.getByRole('main').innerText()).not.toContain('made up')
  }
})

test('[W-132] a return leads to a path of this site', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const leads: Record<string, string | null> = {}
  const elsewhere = [
    'https://evil.example/',
    '//evil.example/',
    '/.//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ]
  for (const given of ['/packages', ...elsewhere]) {
    await page.goto(`${bench.site.url}/sign-in?return_to=${encodeURIComponent(given)}`)
    await heading(page, 'You are signed in').waitFor()
    leads[given] = await page.getByRole('main').getByRole('link').getAttribute('href')
  }
  expect(leads).toEqual({
    '/packages': '/packages',
    ...Object.fromEntries(elsewhere.map((given) => [given, '/account'])),
  })
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
