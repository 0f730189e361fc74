import { deepTest, depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { openSession } from '../installation/accounts.ts'
import { heading, shows, useBench } from './bench.ts'
import { openIntent } from './intents.ts'

const bench = useBench()
const passkey = { name: 'Sign in with a passkey' }
const endSessions = (personId: string) =>
  bench.site.db.deleteFrom('sessions').where('person_id', '=', personId).execute()

test('[W-160] a list that is refused leads to signing in', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/401/] })
  const { page, account } = visit
  const { url } = bench.site
  // The session ends between the two questions of the page: who is signed in, and what they have.
  await page.route('**/auth/keys', async (route) => {
    await endSessions(account.id)
    await route.continue()
  })
  await page.goto(`${url}/account`)
  expect(await shows(page.getByRole('button', passkey))).toBe(true)
  expect(await page.getByRole('heading', { name: 'API keys' }).count()).toBe(0)
})

deepTest(
  '[W-160] whoever comes back to the tab sees that they are signed out, or somebody else',
  async () => {
    await using visit = await bench.visitAs()
    const { page, account } = visit
    await page.goto(`${bench.site.url}/account`)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    // A list that is still under way when the session ends would be refused, which is the test above.
    await page.waitForLoadState('networkidle')
    await endSessions(account.id)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    expect(await shows(page.getByRole('button', passkey))).toBe(true)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).isVisible()).toBe(true)
  },
)

deepTest('[W-160] without an answer everything stays as it is', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_FAILED/] })
  const { page, account } = visit
  await openSession(bench.site, account, { label: 'Other browser' })
  await page.goto(`${bench.site.url}/account`)
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Half typed')
  await page.route('**/auth/session', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await failed
  const field = page.getByRole('dialog').getByRole('textbox', { name: /^Name/ })
  expect(await field.inputValue()).toBe('Half typed')
})

test.each(depth({ common: ['/sign-in'], deep: ['/sign-in', '/sign-in?problem=rate_limited'] }))(
  '[W-159] from %s the way leads to the request that waits',
  async (path) => {
    await using visit = await bench.visit()
    const { page } = visit
    await page.goto((await openIntent(bench.site)).auth_url)
    await heading(page, 'Sign in to review this request').waitFor()
    await page.goto(bench.site.url + path)
    const link = page.getByRole('link', { name: 'Create an account with a passkey' })
    expect(await link.getAttribute('href')).toBe('/sign-up?with=passkey&return_to=%2Fapprove')
  },
)

deepTest('[W-159] a sign-up that has ended leads back to the request', async () => {
  await using visit = await bench.visit({ expectedFaults: [/410/] })
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await heading(page, 'Sign in to review this request').waitFor()
  await page.goto(`${bench.site.url}/sign-up`)
  await page.getByRole('link', { name: 'Back to the request' }).click()
  expect(await shows(heading(page, 'Sign in to review this request'))).toBe(true)
})

deepTest('[W-159] a request that is over is not led to', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).click()
  await heading(page, 'Done').waitFor()
  await page.goto(`${bench.site.url}/sign-in`)
  expect(await shows(page.getByRole('link', { name: 'Go to your account' }))).toBe(true)
})
