import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { heading, shows, useBench } from './bench.ts'
import { changeIntent, openIntent } from './intents.ts'

const bench = useBench()

test('[W-110] the page tells who asks, from where and for how long, and shows the words', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site, { label: 'Board Studio', max_age: 5400 })
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  const text = await page.getByRole('main').innerText()
  for (const part of [
    'Board Studio',
    'The application chose this name. It is not verified.',
    'patchbay-cli on Linux',
    '127.0.0.1',
    '1 hour 30 minutes',
    'Compare these two words with those on the application’s screen',
    intent.confirmation_code,
    visit.account.handle,
    'cannot approve other applications',
    'You can end its session at any time',
    'Expires in 15 minutes.',
  ]) {
    expect(text).toContain(part)
  }
  expect(await page.locator('bdi', { hasText: 'Board Studio' }).count()).toBe(1)
})

deepTest('[W-110] an application without a name is told as one, and 90 days as 90 days', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  expect(await shows(page.getByText('An unnamed application'))).toBe(true)
  expect(await page.getByText('90 days').isVisible()).toBe(true)
})

test('[W-111] another network is a remark, not an alarm', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const near = await openIntent(bench.site)
  await page.goto(near.auth_url)
  expect(await shows(page.getByText('The same network as this browser.'))).toBe(true)
  const far = await openIntent(bench.site)
  await changeIntent(bench.site, far, { requested_network: '203.0.113.9' })
  await page.goto(far.auth_url)
  expect(await shows(page.getByText('A different network than this browser.'))).toBe(true)
  expect(await page.getByRole('alert').count()).toBe(0)
})

deepTest(
  '[W-111][C-280] a site that the request names is told as a claim, and hides no other network',
  async () => {
    await using visit = await bench.visitAs()
    const { page } = visit
    const near = await openIntent(bench.site, {}, { origin: 'https://kicad.org' })
    await page.goto(near.auth_url)
    expect(await shows(page.getByText('Says it is a page of https://kicad.org'))).toBe(true)
    expect(await shows(page.getByText('This is not verified.'))).toBe(true)
    expect(await page.getByText('network').count()).toBe(0)
    const far = await openIntent(bench.site, {}, { origin: 'https://kicad.org' })
    await changeIntent(bench.site, far, { requested_network: '203.0.113.9' })
    await page.goto(far.auth_url)
    expect(await shows(page.getByText('Says it is a page of https://kicad.org'))).toBe(true)
    expect(await shows(page.getByText('This is not verified.'))).toBe(true)
    expect(await shows(page.getByText('A different network than this browser.'))).toBe(true)
  },
)

test('[W-112] a request that others watch warns, also when that begins later', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  await page.getByText(intent.confirmation_code).waitFor()
  const warning = page.getByRole('status').getByText('Someone else may be watching this request')
  expect(await warning.count()).toBe(0)
  await changeIntent(bench.site, intent, { is_watched_by_others: true })
  // As when the person comes back from the application, where they read the words.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  expect(await shows(warning)).toBe(true)
})

test('[W-113] both decisions are equally easy, and no key decides by accident', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  const looks = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate((button) => {
      const { width, height } = button.getBoundingClientRect()
      const { color, backgroundColor, fontWeight, fontSize, borderColor } = getComputedStyle(button)
      return { width, height, color, backgroundColor, fontWeight, fontSize, borderColor }
    })
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  expect(await looks('Approve')).toEqual(await looks('Decline'))
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BUTTON')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  expect(await heading(page, 'Let an application act for you?').isVisible()).toBe(true)
  expect(await (await fetch(`${bench.site.url}/auth/intents/${intent.token}/status`)).json()).toEqual({
    state: 'pending',
  })
})

test('[W-114] approving gives the application its session and says what to do', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site, { label: 'Board Studio' })
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Approve' }).click()
  await heading(page, 'Done').waitFor()
  expect(await page.getByText('Go back to the application; you can close this tab.').isVisible()).toBe(true)
  const status = await fetch(`${bench.site.url}/auth/intents/${intent.token}/status`)
  expect(await status.json()).toMatchObject({ state: 'authenticated' })
})

deepTest('[W-114] declining tells the application no', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const intent = await openIntent(bench.site)
  await page.goto(intent.auth_url)
  await page.getByRole('button', { name: 'Decline' }).click()
  await heading(page, 'Declined').waitFor()
  const status = await fetch(`${bench.site.url}/auth/intents/${intent.token}/status`)
  expect(status.status).toBe(410)
})

test('[W-115] a double click decides once', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.method()))
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).dblclick()
  await heading(page, 'Done').waitFor()
  expect(sent.filter((method) => method === 'PATCH')).toHaveLength(1)
})

test('[W-116] everything can be done with the keyboard, and the focus follows', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto((await openIntent(bench.site)).auth_url)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.getByRole('main').focus()
  const stops: string[] = []
  for (let stop = 0; stop < 3; stop += 1) {
    await page.keyboard.press('Tab')
    stops.push(await page.evaluate(() => document.activeElement?.textContent ?? ''))
  }
  expect(stops).toEqual(['Not you? Switch account', 'Decline', 'Approve'])
  await page.keyboard.press('Enter')
  expect(await shows(heading(page, 'Done').and(page.locator(':focus')))).toBe(true)
})
