import { PAGE_CSP } from '@patchbay/contracts/core'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { useBench } from './bench.ts'

const bench = useBench()
const LIGHT = { colorScheme: 'light' } as const

async function chooseTheme(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Theme/ }).click()
  await page.getByRole('menuitemradio', { name }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** How bright the page's ground is painted, from 0 (black) to 1. */
async function brightness(page: Page): Promise<number> {
  const lightness = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  return Number(/^oklch\(([\d.]+)/.exec(lightness)?.[1])
}

/** The choice as it was before the first test. */
const chooseNone = (page: Page) => chooseTheme(page, 'System')

test('[W-20] a chosen theme survives a reload', async () => {
  await using visit = await bench.share('/', LIGHT)
  const { page } = visit
  expect(await brightness(page)).toBeGreaterThan(0.9)
  await chooseTheme(page, 'Dark')
  expect(await brightness(page)).toBeLessThan(0.3)
  await page.reload()
  await page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
  expect(await brightness(page)).toBeLessThan(0.3)
  await chooseNone(page)
})

test('[W-21] the theme is painted while the code of the app is still on its way', async () => {
  await using visit = await bench.share('/', LIGHT)
  const { page, site } = visit
  await chooseTheme(page, 'Dark')
  const release = site.hold(/assets\/.*\.js$/)
  await page.reload({ waitUntil: 'commit' })
  await waitUntil('the first paint', () =>
    page.evaluate(() => performance.getEntriesByName('first-paint').length === 1),
  )
  expect(await page.locator('#root').innerHTML()).toBe('')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await brightness(page)).toBeLessThan(0.3)
  release()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await chooseNone(page)
})

deepTest('[W-21] nothing was painted before the theme was set', async () => {
  await using visit = await bench.share('/', LIGHT)
  await using page = await visit.page.context().newPage()
  await page.addInitScript(() => {
    new MutationObserver(() => {
      performance.mark('theme-set')
    }).observe(document, { attributes: true, attributeFilter: ['data-theme'], subtree: true })
  })
  await page.goto(visit.site.url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const times = await page.evaluate(() => ({
    set: performance.getEntriesByName('theme-set')[0]?.startTime,
    painted: performance.getEntriesByName('first-paint')[0]?.startTime,
  }))
  expect(times.set).toBeLessThan(times.painted ?? 0)
})

test('[W-22] without a choice the system decides, at once', async () => {
  await using visit = await bench.share('/', LIGHT)
  expect(await brightness(visit.page)).toBeGreaterThan(0.9)
  await visit.page.emulateMedia({ colorScheme: 'dark' })
  expect(await brightness(visit.page)).toBeLessThan(0.3)
  await visit.page.emulateMedia(LIGHT)
})

deepTest('[W-22] a choice overrides the system', async () => {
  await using visit = await bench.share('/', LIGHT)
  await visit.page.emulateMedia({ colorScheme: 'dark' })
  await chooseTheme(visit.page, 'Light')
  expect(await brightness(visit.page)).toBeGreaterThan(0.9)
  await chooseNone(visit.page)
  expect(await brightness(visit.page)).toBeLessThan(0.3)
  await visit.page.emulateMedia(LIGHT)
})

test('[W-23] other open tabs follow', async () => {
  await using visit = await bench.share('/', LIGHT)
  await using other = await visit.page.context().newPage()
  await other.goto(`${visit.site.url}/packages`)
  await other.getByRole('button', { name: 'Theme: System' }).waitFor()
  await chooseTheme(visit.page, 'Dark')
  await other.getByRole('button', { name: 'Theme: Dark' }).waitFor()
  expect(await brightness(other)).toBeLessThan(0.3)
  await chooseNone(visit.page)
})

test('[W-24] without storage the system decides and a choice holds for the visit', async () => {
  // A sandboxed document has no origin of its own, and Chromium refuses it storage as it does in private modes.
  const headers = {
    'content-security-policy': `${PAGE_CSP}; sandbox allow-scripts`,
    'access-control-allow-origin': '*',
  }
  await using visit = await bench.visit('/', {
    colorScheme: 'dark',
    headers,
    expectedFaults: [/scroll positions/],
  })
  const storage = visit.page.evaluate(() => localStorage.length)
  await expect(storage).rejects.toThrow('SecurityError')
  expect(await brightness(visit.page)).toBeLessThan(0.3)
  await chooseTheme(visit.page, 'Light')
  expect(await brightness(visit.page)).toBeGreaterThan(0.9)
  // On leaving, the router says that it cannot keep where the page was scrolled to; a page that is closed may be too late.
  await visit.page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
})
