import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { beforeAll, expect, test } from 'vitest'
import { heading, shows, useBench } from '../identity-pages/bench.ts'
import { makeAccount } from '../installation/accounts.ts'
import { publish, publishAll } from './publishing.ts'

// Not the installation of the catalog, which shows all packages on one page.
const bench = useBench({ environment: { PATCHBAY_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
beforeAll(async () => {
  const author = await makeAccount(bench.site, 'prolific')
  const wishes = Array.from({ length: 26 }, (_, index) => ({
    identifier: `com.many.part${index}`,
    fields: { name: `Part ${index}`, tags: ['many'] },
  }))
  await publishAll(wishes.map((wish) => () => publish(bench.site, author, wish)))
})

const cards = (page: Page) => page.getByRole('article')

async function showAll(page: Page): Promise<void> {
  await cards(page).nth(23).waitFor()
  await page.getByRole('button', { name: 'More packages' }).click()
  await cards(page).nth(25).waitFor()
}

test('[W-204] more results come when asked for, with the focus on the first new one', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  const count = page.getByRole('region').getByRole('status')
  await page.goto(`${bench.site.url}/packages?tag=many`)
  expect(await shows(count.filter({ hasText: '24 packages shown, there are more' }))).toBe(true)
  await showAll(page)
  expect(await shows(count.filter({ hasText: /^26 packages$/ }))).toBe(true)
  expect(new Set(await cards(page).getByRole('heading').allInnerTexts()).size).toBe(26)
  const focused = cards(page).nth(24).getByRole('link').first()
  expect(await shows(focused.and(page.locator(':focus')))).toBe(true)
  expect(await page.getByRole('button', { name: 'More packages' }).count()).toBe(0)
})

deepTest.each(
  depth({ common: ['/packages?tag=many'], deep: ['/packages?tag=many', '/publishers/prolific'] }),
)('[W-235] going back to %s shows all that was there, at the same place', async (path) => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(bench.site.url + path)
  await showAll(page)
  const last = cards(page).nth(25).getByRole('link').first()
  const name = await last.innerText()
  await last.scrollIntoViewIfNeeded()
  const place = () => page.evaluate(() => Math.round(scrollY))
  await expect.poll(place, { timeout: 10_000 }).toBeGreaterThan(400)
  // Scrolling glides; it must have come to rest before its place means anything.
  await page.evaluate(() => scrollTo({ top: scrollY, behavior: 'instant' }))
  const before = await place()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/registry/search')) asked.push(request.url())
  })
  await last.click()
  await heading(page, name).waitFor()
  await expect.poll(place, { timeout: 10_000 }).toBe(0)
  await page.goBack()
  await cards(page).nth(25).waitFor()
  await expect.poll(place, { timeout: 10_000 }).toBe(before)
  await page.goForward()
  await heading(page, name).waitFor()
  await page.goBack()
  await cards(page).nth(25).waitFor()
  await expect.poll(place, { timeout: 10_000 }).toBe(before)
  expect(asked).toEqual([])
})

deepTest('[W-235] a new visit asks anew', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/packages?tag=many`)
  await showAll(page)
  await cards(page).first().getByRole('link').first().click()
  await page.getByRole('heading', { level: 2, name: 'Versions' }).waitFor()
  const asked = page.waitForRequest(/registry[/]search/)
  await page.getByRole('main').getByRole('link', { name: 'Packages', exact: true }).click()
  await asked
  await cards(page).nth(23).waitFor()
  expect(await cards(page).count()).toBe(24)
})
