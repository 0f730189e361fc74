import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount, newHandle } from '../installation/accounts.ts'
import { makeWorkspace } from '../workspace-pages/workspace.ts'
import { heading, plugInAuthenticator, shows, useBench } from './bench.ts'
import { invite } from './invitations.ts'
import { acceptAtIssuer, forgetPeopleOfIssuer } from './issuer.ts'

const bench = useBench({ signUp: 'invited' })

test('[W-140] an invitation says what it makes, and makes it with a passkey', async () => {
  await using visit = await bench.visit({ expectedFaults: [/410/] })
  const { page } = visit
  await plugInAuthenticator(page)
  const link = await invite(bench.site, { makesAdmin: true })
  await page.goto(link)
  expect(await shows(page.getByText('This link makes you an administrator of this server.'))).toBe(true)
  expect(await page.getByText('The invitation expires in 7 days.').isVisible()).toBe(true)
  await page.getByRole('textbox', { name: /^Handle/ }).fill(newHandle('admin'))
  await page.getByRole('textbox', { name: /^Name/ }).fill('First')
  await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
  await page.waitForURL(`${bench.site.url}/account`)
  expect(await shows(page.getByText('Administrator'))).toBe(true)
  await page.goto(link)
  expect(await shows(heading(page, 'This invitation cannot be used'))).toBe(true)
})

test('[W-525] an invitation to a workspace says that it makes no account where these are by invitation only', async () => {
  const owner = await makeAccount(bench.site, newHandle())
  const workspace = await makeWorkspace(bench, owner, owner.handle, 'board')
  const { url } = (await workspace.callAsOwner('POST', ':workspace/invitations', { role: 'viewer' })) as {
    url: string
  }
  await using visit = await bench.visit()
  await visit.page.goto(url)
  expect(await shows(visit.page.getByText('this link does not make one'))).toBe(true)
  expect(await visit.page.getByRole('link', { name: 'Create an account with a passkey' }).count()).toBe(0)
})

deepTest('[W-140] an invitation makes an account with an issuer', async () => {
  await forgetPeopleOfIssuer(bench.site)
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(await invite(bench.site))
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await acceptAtIssuer(page, 'ada')
  await heading(page, 'Choose your handle and name').waitFor()
  await page.getByRole('textbox', { name: /^Handle/ }).fill(newHandle())
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${bench.site.url}/account`)
  expect(await shows(page.getByRole('heading', { name: 'Sessions' }))).toBe(true)
  expect(await page.evaluate(() => Object.keys(sessionStorage).join())).not.toContain('welcome')
})

test('[W-417] F6: whoever is signed in becomes the administrator after a question, with the account they have', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  await page.goto(await invite(bench.site, { makesAdmin: true }))
  await page.getByText(`You are signed in as ${account.handle}`).waitFor()
  await page.getByRole('button', { name: `Make ${account.handle} an administrator` }).click()
  await heading(page, 'People').waitFor()
  await page.goto(await invite(bench.site, { makesAdmin: true }))
  await page.getByText('This account is already an administrator.').waitFor()
  await page.getByRole('button', { name: 'Create another account' }).click()
  expect(await shows(page.getByRole('textbox', { name: /^Handle/ }))).toBe(true)
})

deepTest('[W-140] whoever is signed in is told that it makes another account', async () => {
  await using visit = await bench.visitAs()
  await visit.page.goto(await invite(bench.site))
  expect(await shows(visit.page.getByText(`You are signed in as ${visit.account.handle}`))).toBe(true)
})

test('[W-141] an invitation that is unknown or has expired says so', async () => {
  await using visit = await bench.visit({ expectedFaults: [/4\d\d/] })
  const { page } = visit
  const expired = await invite(bench.site, { ageMs: 30 * 86_400_000 })
  for (const link of [expired, `${bench.site.url}/welcome?invitation=nonsense`]) {
    await page.goto(link)
    expect(await shows(heading(page, 'This invitation cannot be used'))).toBe(true)
  }
})
