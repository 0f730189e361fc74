import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { heading, shows, useBench } from './bench.ts'
import { openIntent } from './intents.ts'

const bench = useBench()
const QUESTION = 'Let an application act for you?'

/** The decision arrives; its answer does not. */
async function loseTheAnswer(page: Page): Promise<void> {
  await page.route('**/auth/intents/*', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
}

test('[W-158] an approval whose answer was lost is told as approved or used', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_CONNECTION_RESET/, /409/] })
  const { page } = visit
  await page.goto((await openIntent(bench.site, { label: 'Board Studio' })).auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await loseTheAnswer(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await shows(heading(page, 'Already approved or used').and(page.locator(':focus')))).toBe(true)
  await page.getByRole('link', { name: 'Review your sessions' }).click()
  expect(await shows(page.getByRole('listitem').filter({ hasText: 'Board Studio' }))).toBe(true)
})

deepTest('[W-158] a refusal whose answer was lost is told as declined', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_CONNECTION_RESET/, /410/] })
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Decline' }).waitFor()
  await loseTheAnswer(page)
  await page.getByRole('button', { name: 'Decline' }).click()
  expect(await shows(heading(page, 'Declined'))).toBe(true)
})

deepTest('[W-158] while nobody knows, the page says so; looking again finds out', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_CONNECTION_RESET/, /ERR_FAILED/, /409/] })
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await loseTheAnswer(page)
  await page.route('**/auth/intents/*/request', (route) => route.abort())
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await shows(heading(page, 'The approval is not confirmed yet'))).toBe(true)
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await page.unroute('**/auth/intents/*/request')
  await page.getByRole('button', { name: 'Check again' }).click()
  expect(await shows(heading(page, 'Already approved or used'))).toBe(true)
})

deepTest('[W-158] a decision that did not arrive can be taken again', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_CONNECTION_REFUSED/] })
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.route('**/auth/intents/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await shows(page.getByRole('alert').getByText('The request is still open'))).toBe(true)
  await page.unroute('**/auth/intents/*')
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await shows(heading(page, 'Done'))).toBe(true)
})

test('[W-161] an error goes when somebody comes back to the tab', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_CONNECTION_REFUSED/] })
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.route('**/auth/intents/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Approve' }).click()
  const error = page.getByRole('alert').getByText('The request is still open')
  expect(await shows(error)).toBe(true)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await error.waitFor({ state: 'detached' })
  expect(await heading(page, QUESTION).isVisible()).toBe(true)
})

deepTest('[W-161] and when another person is signed in', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_CONNECTION_REFUSED/] })
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.route('**/auth/intents/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('alert').getByText('The request is still open').waitFor()
  await page.getByRole('button', { name: 'Not you? Switch account' }).click()
  await heading(page, 'Sign in to review this request').waitFor()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

deepTest('[W-161] why the session has ended is told beside the ways to sign in', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/401/] })
  const { page, account } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await bench.site.db.deleteFrom('sessions').where('person_id', '=', account.id).execute()
  await page.getByRole('button', { name: 'Approve' }).click()
  await heading(page, 'Sign in to review this request').waitFor()
  expect(await shows(page.getByRole('alert').getByText('You are signed out'))).toBe(true)
  expect(await shows(page.getByRole('button', { name: 'Sign in with a passkey' }))).toBe(true)
})

const DECISIONS = [
  { decision: 'Approve', title: 'Done' },
  { decision: 'Decline', title: 'Declined' },
]

test.each(DECISIONS.slice(0, depth({ common: 1, deep: 2 })))(
  '[W-164] a reload tells $title again, without the token',
  async ({ decision, title }) => {
    await using visit = await bench.visitAs()
    const { page } = visit
    const intent = await openIntent(bench.site)
    await page.goto(intent.auth_url)
    await page.getByRole('button', { name: decision }).click()
    await heading(page, title).waitFor()
    await page.reload()
    expect(await shows(heading(page, title))).toBe(true)
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(intent.token)
  },
)
