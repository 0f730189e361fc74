import { expect, test } from 'vitest'
import { shows, useBench } from '../identity-pages/bench.ts'
import { makeAccount } from '../installation/accounts.ts'
import { publish, publishAll } from './publishing.ts'

const bench = useBench()

test('[W-204] more results come when asked for, with the focus on the first new one', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  const count = page.getByRole('region').getByRole('status')
  const author = await makeAccount(bench.site, 'prolific')
  const wishes = Array.from({ length: 26 }, (_, index) => ({
    identifier: `com.many.part${index}`,
    fields: { name: `Part ${index}`, tags: ['many'] },
  }))
  await publishAll(wishes.map((wish) => () => publish(bench.site, author, wish)))
  await page.goto(`${bench.site.url}/packages?tag=many`)
  expect(await shows(count.filter({ hasText: '24 packages shown, there are more' }))).toBe(true)
  await page.getByRole('button', { name: 'More packages' }).click()
  expect(await shows(count.filter({ hasText: /^26 packages$/ }))).toBe(true)
  expect(new Set(await page.getByRole('article').getByRole('heading').allInnerTexts()).size).toBe(26)
  const focused = page.getByRole('article').nth(24).getByRole('link').first()
  expect(await shows(focused.and(page.locator(':focus')))).toBe(true)
  expect(await page.getByRole('button', { name: 'More packages' }).count()).toBe(0)
})
