import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { heading, shows, useBench } from './bench.ts'
import { changeIntent, endIntentIn, openIntent } from './intents.ts'

const bench = useBench()

const AGAIN = 'Start the sign-in again in the application.'

test('[W-117] a request that is over, unknown or missing says so, and what to do', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/410/, /40[04]/] })
  const { page } = visit
  const [expired, declined] = await Promise.all([openIntent(bench.site), openIntent(bench.site)])
  await endIntentIn(bench.site, expired, -1000)
  await changeIntent(bench.site, declined, { declined_at: new Date() })
  const approval = `${bench.site.url}/approve`
  for (const [link, title] of [
    [expired.auth_url, 'This link has expired'],
    [declined.auth_url, 'This request was declined'],
    [`${approval}?token=cut-off`, 'Unknown link'],
    [`${approval}?token=${'A'.repeat(43)}`, 'Unknown link'],
    [`${approval}?token=${'x'.repeat(300)}`, 'Unknown link'],
  ] as const) {
    await page.goto(link)
    expect([link, await shows(heading(page, title))]).toEqual([link, true])
    expect(await page.getByText(AGAIN).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  }
})

deepTest('[W-117] without a link there is nothing to approve', async () => {
  await using visit = await bench.visitAs()
  await visit.page.goto(`${bench.site.url}/approve`)
  await heading(visit.page, 'Nothing to approve').waitFor()
  expect(await visit.page.getByText(AGAIN).isVisible()).toBe(true)
})

deepTest('[W-117] a used link tells what to do if it was not you, and leads to the sessions', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/409/] })
  const { page } = visit
  const intent = await openIntent(bench.site, { label: 'Board Studio' })
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Approve' }).click()
  await heading(page, 'Done').waitFor()
  await page.goto(intent.auth_url)
  await heading(page, 'This link has already been used').waitFor()
  await page.getByRole('link', { name: 'Review your sessions' }).click()
  await page.waitForURL(`${bench.site.url}/account#sessions`)
  const sessions = page.getByRole('heading', { name: 'Sessions' })
  expect(await shows(sessions.and(page.locator(':focus')))).toBe(true)
  expect(await shows(page.getByRole('listitem').filter({ hasText: 'Board Studio' }))).toBe(true)
})

deepTest('[W-117] of two tabs that decide, the second is told that it is decided', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/409/] })
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  const other = await page.context().newPage()
  await other.goto(intent.auth_url)
  await other.getByRole('button', { name: 'Approve' }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await heading(page, 'Done').waitFor()
  await other.getByRole('button', { name: 'Decline' }).click()
  expect(await shows(heading(other, 'This link has already been used'))).toBe(true)
})

test('[W-118] a request that ends while it is shown becomes an expired one by itself', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/410/] })
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.clock.install()
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.clock.fastForward('14:30')
  expect(await shows(page.getByText(/^Expires in \d+ seconds?\.$/))).toBe(true)
  expect(await shows(page.getByRole('status').getByText('Less than 1 minute left to decide.'))).toBe(true)
  await endIntentIn(bench.site, intent, -1000)
  await page.clock.fastForward('01:00')
  expect(await shows(heading(page, 'This link has expired'))).toBe(true)
})

deepTest('[W-118] a clock that is wrong changes nothing about the time left', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.clock.install({ time: Date.now() - 3 * 3_600_000 })
  await page.goto((await openIntent(bench.site)).auth_url)
  expect(await shows(page.getByText('Expires in 15 minutes.'))).toBe(true)
})

test('[W-119] without a network the page says so, and trying again goes on where it was', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_INTERNET_DISCONNECTED/] })
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await shows(page.getByRole('alert').getByText('You are offline'))).toBe(true)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await shows(heading(page, 'Done'))).toBe(true)
})

deepTest('[W-119] a server that cannot be reached from the beginning can be asked again', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_CONNECTION_REFUSED|ERR_FAILED/] })
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.route('**/auth/session', (route) => route.abort('connectionrefused'))
  await page.goto(intent.auth_url)
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
  await page.unroute('**/auth/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await shows(page.getByText(intent.confirmation_code))).toBe(true)
})

test('[W-165] what happened offline is told as that, also when the network is back', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/ERR_INTERNET_DISCONNECTED/] })
  const { page } = visit
  await page.goto(`${bench.site.url}/account`)
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Nightly build')
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const told = dialog.getByRole('alert').getByText('You are offline')
  await told.waitFor()
  await page.context().setOffline(false)
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Another name')
  expect(await told.isVisible()).toBe(true)
})
