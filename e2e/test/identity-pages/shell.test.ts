import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { openSession } from '../installation/accounts.ts'
import { heading, shows, useBench } from './bench.ts'

const bench = useBench()

test('[W-105][W-936] the top bar shows who is signed in, with a menu that leads to the account and signs out', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto(`${bench.site.url}/`)
  const button = page.getByRole('button', { name: `Signed in as ${visit.account.handle}` })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await page.waitForURL(`${bench.site.url}/account`)
  // As a viewer of boards leaves it.
  await page.evaluate(() => void indexedDB.open('patchbay-boards'))
  const kept = () =>
    page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name === 'patchbay-boards'))
  await expect.poll(kept).toBe(true)
  await page.reload()
  await button.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect.poll(kept).toBe(false)
  expect(await shows(page.getByRole('banner').getByRole('link', { name: 'Sign in' }))).toBe(true)
  const rest = await bench.site.db
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', visit.account.id)
    .execute()
  expect(rest).toEqual([])
})

deepTest('[W-105] the way to sign in leads back to where it was taken', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/packages`)
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await heading(page, 'Sign in').waitFor()
  expect(page.url()).toBe(`${bench.site.url}/sign-in?return_to=%2Fpackages`)
})

test('[W-106] a new application session is told on every page until it was reviewed', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  await openSession(bench.site, account, { kind: 'application', label: 'Board Studio' })
  await page.goto(`${bench.site.url}/packages`)
  const notice = page.getByText('A new application session was opened.')
  await notice.waitFor()
  const seen = page.waitForResponse((response) => response.url().endsWith('/auth/sessions/seen'))
  await page.getByRole('link', { name: 'Review' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: 'Board Studio' })
  expect(await shows(entry.getByText('New', { exact: true }))).toBe(true)
  expect(await shows(page.getByRole('heading', { name: 'Sessions' }).and(page.locator(':focus')))).toBe(true)
  await seen
  await page.goto(`${bench.site.url}/packages`)
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  expect(await notice.count()).toBe(0)
})
