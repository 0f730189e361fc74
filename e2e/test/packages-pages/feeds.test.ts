import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { beforeAll, expect } from 'vitest'
import { shows, useBench } from '../identity-pages/bench.ts'
import { makeAccount } from '../installation/accounts.ts'
import { publish } from './publishing.ts'

const bench = useBench({ environment: { PATCHBAY_TOOL_BRANDS: 'kicad,horizon' } })
beforeAll(async () => {
  await publish(bench.site, await makeAccount(bench.site, 'ada'))
})

const feed = (path: string) => `${bench.site.url}/registry/feeds/${path}/repository.json`

/** What the copy buttons with this label would copy, by the text beside them. */
async function addresses(page: Page, label: RegExp): Promise<string[]> {
  const buttons = page.getByRole('button', { name: label })
  await buttons.first().waitFor()
  return await buttons.evaluateAll((found) =>
    found.map((button) => button.parentElement?.querySelector('code')?.textContent ?? ''),
  )
}

deepTest('[W-233] with several brands there is an address for each, by its name', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/packages`)
  const whole = await addresses(page, /^Copy: Repository address for (kicad|horizon)$/)
  expect(whole).toEqual([feed('kicad'), feed('horizon')])
  expect(await page.getByText('Each design tool has its own address.').count()).toBe(1)
  for (const address of whole) expect((await fetch(address)).status).toBe(200)
  await page.goto(`${bench.site.url}/publishers/ada`)
  expect(await addresses(page, /^Copy: Repository address of ada for (kicad|horizon)$/)).toEqual([
    feed('kicad/ada'),
    feed('horizon/ada'),
  ])
  await page.goto(`${bench.site.url}/packages/com.example.blinky`)
  expect(await addresses(page, /^Copy: Repository address for (kicad|horizon)$/)).toEqual([
    feed('kicad/ada'),
    feed('horizon/ada'),
  ])
})

test('[W-234] where the list of all packages is too large the catalog says what works instead', async () => {
  const mark = (isTooLarge: boolean) =>
    sql`update feeds set is_too_large = ${isTooLarge}, looked_at = now() where owner = ''`.execute(
      bench.site.db,
    )
  await mark(true)
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(async () => void (await mark(false)))
  await expect.poll(async () => (await fetch(feed('kicad'))).status, { timeout: 20_000 }).toBe(404)
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/packages`)
  const aside = page.getByRole('complementary', { name: 'Add all of these to your design tool' })
  expect(await shows(aside.getByText('There are too many packages here for one list'))).toBe(true)
  expect(await aside.innerText()).toMatch(/repositories of the publishers.*sparse files/s)
  expect(await aside.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
  await page.goto(`${bench.site.url}/publishers/ada`)
  const [address = ''] = await addresses(page, /^Copy: Repository address of ada/)
  expect((await fetch(address)).status).toBe(200)
})

deepTest('[W-233] when the addresses cannot be had that is told, and trying again shows them', async () => {
  await using visit = await bench.visit({ expectedFaults: [/503/] })
  const { page } = visit
  await page.route('**/registry/feeds', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
  await page.goto(`${bench.site.url}/packages`)
  const aside = page.getByRole('complementary', { name: 'Add all of these to your design tool' })
  // The list beside it is still coming: a button that moves under the pointer is not pressed.
  await page.waitForLoadState('networkidle')
  await aside.getByRole('button', { name: 'Try again' }).click()
  expect(await shows(aside.getByRole('button', { name: /^Copy: Repository address for kicad/ }))).toBe(true)
})
