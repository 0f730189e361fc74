import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount, newHandle } from '../installation/accounts.ts'
import { heading, plugInAuthenticator, shows, useBench } from './bench.ts'
import { acceptAtIssuer, forgetPeopleOfIssuer } from './issuer.ts'

const bench = useBench()

test('[W-135] a handle is judged while it is typed', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-up?with=passkey`)
  const field = page.getByRole('textbox', { name: /^Handle/ })
  const complaint = (text: string) => shows(page.getByText(text))
  await field.fill('ada lovelace')
  expect(await complaint('Only lowercase letters, digits and hyphens.')).toBe(true)
  await field.fill('ada--lovelace')
  expect(await complaint('A hyphen stands between letters or digits')).toBe(true)
  await field.fill('a'.repeat(40))
  expect(await complaint('At most 39 characters.')).toBe(true)
  await field.fill('Ada-Lovelace')
  expect(await field.inputValue()).toBe('ada-lovelace')
  expect(await field.getAttribute('aria-invalid')).not.toBe('true')
})

deepTest('[W-135] an empty form says what is missing, and asks nobody', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/sign-up?with=passkey`)
  await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
  expect(await shows(page.getByText('A handle is needed.'))).toBe(true)
  expect(await page.getByText('A name is needed.').isVisible()).toBe(true)
})

test('[W-136] after an issuer vouched, names are suggested; a taken handle is told at its field', async () => {
  await using visit = await bench.visit({ expectedFaults: [/409/] })
  const { page } = visit
  await forgetPeopleOfIssuer(bench.site)
  const taken = await makeAccount(bench.site, newHandle('taken'))
  const handle = newHandle('grace-hopper')
  await page.goto(`${bench.site.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await acceptAtIssuer(page, 'grace')
  await heading(page, 'Choose your handle and name').waitFor()
  const name = page.getByRole('textbox', { name: /^Name/ })
  await name.waitFor()
  expect(await name.inputValue()).toBe('Grace Hopper')
  const field = page.getByRole('textbox', { name: /^Handle/ })
  await field.fill(taken.handle)
  await page.getByRole('button', { name: 'Create account' }).click()
  expect(await shows(page.getByText('This handle is taken. Choose another one.'))).toBe(true)
  await field.fill(handle)
  await page.getByRole('button', { name: 'Create account' }).click()
  expect(await shows(page.getByRole('button', { name: `Signed in as ${handle}` }))).toBe(true)
})

deepTest('[W-136] a sign-up that has ended leads back to the beginning', async () => {
  await using visit = await bench.visit({ expectedFaults: [/410/] })
  await visit.page.goto(`${bench.site.url}/sign-up`)
  await heading(visit.page, 'This sign-up has expired').waitFor()
  expect(await visit.page.getByRole('link', { name: 'Go to sign-in' }).isVisible()).toBe(true)
})

test('[W-137] an account is made with a passkey, and the person is where they wanted to be', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await plugInAuthenticator(page)
  const handle = newHandle('with-passkey')
  await page.goto(`${bench.site.url}/sign-up?with=passkey&return_to=%2Fpackages`)
  await page.getByRole('textbox', { name: /^Handle/ }).fill(handle)
  await page.getByRole('textbox', { name: /^Name/ }).fill('  Zoë   Żółkiewska ')
  await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
  await page.waitForURL(`${bench.site.url}/packages`)
  expect(await shows(page.getByRole('button', { name: `Signed in as ${handle}` }))).toBe(true)
  const made = await bench.site.db
    .selectFrom('people')
    .select('display_name')
    .where('handle', '=', handle)
    .executeTakeFirst()
  expect(made?.display_name).toBe('Zoë Żółkiewska')
})
