import { PAGE_CSP } from '@patchbay/contracts'
import type { Page } from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { useBench } from './bench.ts'

const bench = useBench()

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

test('[W-20] a chosen theme survives a reload', async () => {
  await using visit = await bench.visit('/', { colorScheme: 'light' })
  expect(await brightness(visit.page)).toBeGreaterThan(0.9)
  await chooseTheme(visit.page, 'Dark')
  expect(await brightness(visit.page)).toBeLessThan(0.3)
  await visit.page.reload()
  await visit.page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
  expect(await brightness(visit.page)).toBeLessThan(0.3)
})

test('[W-21] the theme is painted while the code of the app is still on its way', async () => {
  await using visit = await bench.visit('/', { colorScheme: 'light' })
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
})

test('[W-21] nothing was painted before the theme was set', async () => {
  await using visit = await bench.visit('/')
  await visit.page.addInitScript(() => {
    new MutationObserver(() => {
      performance.mark('theme-set')
    }).observe(document, { attributes: true, attributeFilter: ['data-theme'], subtree: true })
  })
  await visit.page.reload()
  await visit.page.getByRole('heading', { level: 1 }).waitFor()
  const times = await visit.page.evaluate(() => ({
    set: performance.getEntriesByName('theme-set')[0]?.startTime,
    painted: performance.getEntriesByName('first-paint')[0]?.startTime,
  }))
  expect(times.set).toBeLessThan(times.painted ?? 0)
})

test('[W-22] without a choice the system decides, at once', async () => {
  await using visit = await bench.visit('/', { colorScheme: 'light' })
  expect(await brightness(visit.page)).toBeGreaterThan(0.9)
  await visit.page.emulateMedia({ colorScheme: 'dark' })
  expect(await brightness(visit.page)).toBeLessThan(0.3)
})

test('[W-22] a choice overrides the system', async () => {
  await using visit = await bench.visit('/', { colorScheme: 'dark' })
  await chooseTheme(visit.page, 'Light')
  expect(await brightness(visit.page)).toBeGreaterThan(0.9)
})

test('[W-23] other open tabs follow', async () => {
  await using visit = await bench.visit('/', { colorScheme: 'light' })
  const other = await visit.page.context().newPage()
  await other.goto(`${visit.site.url}/packages`)
  await other.getByRole('button', { name: 'Theme: Same as the system' }).waitFor()
  await chooseTheme(visit.page, 'Dark')
  await other.getByRole('button', { name: 'Theme: Dark' }).waitFor()
  expect(await brightness(other)).toBeLessThan(0.3)
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
