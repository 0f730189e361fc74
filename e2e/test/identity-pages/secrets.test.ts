import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { heading, shows, useBench } from './bench.ts'
import { openIntent } from './intents.ts'
import { invite } from './invitations.ts'

const bench = useBench()
const QUESTION = 'Let an application act for you?'

test('[W-101] the token leaves the address and the history, and a reload finds it again', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(`${bench.site.url}/`)
  await page.goto(intent.auth_url)
  await heading(page, QUESTION).waitFor()
  expect(page.url()).toBe(`${bench.site.url}/approve`)
  const remembered = await page.evaluate(() => JSON.stringify([history.state, document.referrer]))
  expect(remembered).not.toContain(intent.token)
  await page.reload()
  expect(await shows(page.getByText(intent.confirmation_code))).toBe(true)
  await page.goBack()
  await page.goForward()
  expect(await shows(page.getByText(intent.confirmation_code))).toBe(true)
  expect(page.url()).toBe(`${bench.site.url}/approve`)
})

deepTest('[W-101] it is cleaned before the app asks for anything else', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site)
  const seen: string[] = []
  page.on('request', (request) => seen.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
  await page.goto(intent.auth_url)
  await page.getByText(intent.confirmation_code).waitFor()
  const withToken = seen
    .filter((line) => line.includes(intent.token))
    .map((line) => new URL(line.split(' ')[0] ?? '').pathname)
  expect(withToken).toEqual(['/approve', `/auth/intents/${intent.token}/request`])
})

deepTest('[W-101] another tab knows nothing of it, and what has been decided is forgotten', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Decline' }).click()
  await heading(page, 'Declined').waitFor()
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(intent.token)
  const other = await page.context().newPage()
  await other.goto(`${bench.site.url}/approve`)
  expect(await shows(heading(other, 'Nothing to approve'))).toBe(true)
})

deepTest('[W-101] so does the secret of an invitation', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(await invite(bench.site))
  await heading(page, 'Welcome to Patchbay').waitFor()
  expect(page.url()).toBe(`${bench.site.url}/welcome`)
  await page.reload()
  expect(await shows(page.getByText('You’re invited to create an account'))).toBe(true)
})

deepTest('[W-101] a token inside the address that a sign-in is to lead to leaves it as well', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site)
  const onward = encodeURIComponent(`/approve?token=${intent.token}`)
  await page.goto(`${bench.site.url}/sign-in?return_to=${onward}`)
  await page.getByRole('link', { name: 'Continue' }).waitFor()
  expect(page.url()).toBe(`${bench.site.url}/sign-in?return_to=%2Fapprove`)
  await page.getByRole('link', { name: 'Continue' }).click()
  expect(await shows(page.getByText(intent.confirmation_code))).toBe(true)
  expect(page.url()).toBe(`${bench.site.url}/approve`)
})
