import { readFile } from 'node:fs/promises'
import { type Browser, openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect } from 'vitest'
import { PAGE_STYLE } from '../../src/pages/page-style.ts'
import { contrasts, overflowing } from './seen-page.ts'
import { CONFIRM_PATH, PAGES, type Site, servePages } from './served-pages.ts'

const TOKENS = new URL('../../../../apps/web/src/styles/tokens.css', import.meta.url)
const PATHS = [...PAGES.keys()]

let browser: Browser
let site: Site
beforeAll(async () => {
  site = await servePages()
  browser = await sharedChromium()
})
afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})

// That no policy is violated and the console stays empty is what closing a watched page asserts.
deepTest(
  '[B-200][B-204] every page lives with its policy, loads nothing, and begins with its heading',
  async () => {
    await using watched = await openPage(browser)
    const { page } = watched
    for (const path of PATHS) {
      await page.goto(site.url + path)
      expect(await page.evaluate(() => performance.getEntriesByType('resource').length)).toBe(0)
      expect(await page.locator('script, link, img, iframe, [style]').count()).toBe(0)
      const heading = await page.getByRole('heading', { level: 1 }).innerText()
      expect((await page.locator('body').innerText()).trimStart().startsWith(heading)).toBe(true)
      expect(await page.title()).toBe(`${heading} · Patchbay`)
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
    }
    expect(site.missed).toEqual([])
  },
)

test('[B-202] the style is applied, and another one is not', async () => {
  await using watched = await openPage(browser, {
    expectedFaults: [/CSP violation: style-src/, /inline style/],
  })
  await watched.page.goto(site.url + CONFIRM_PATH)
  const background = () => watched.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await background()).toBe('rgb(243, 242, 239)')
  await watched.page.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = 'body { background: red !important }'
    document.head.append(style)
  })
  expect(await background()).toBe('rgb(243, 242, 239)')
})

const SIZES = [
  { width: 1280, height: 800, letters: '100%' },
  // What remains of 1280 × 800 when everything is drawn twice as large.
  { width: 640, height: 400, letters: '100%' },
  { width: 320, height: 568, letters: '100%' },
  { width: 390, height: 844, letters: '200%' },
]

deepTest('[B-205] nothing sticks out: on a narrow screen, zoomed, or with large letters', async () => {
  await using watched = await openPage(browser)
  const { page } = watched
  for (const path of PATHS) {
    await page.goto(site.url + path)
    for (const { letters, ...viewport } of SIZES) {
      await page.setViewportSize(viewport)
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), letters)
      expect({ path, viewport, stickingOut: await page.evaluate(overflowing) }).toEqual({
        path,
        viewport,
        stickingOut: [],
      })
    }
  }
})

test('[B-205] what sticks out is noticed', async () => {
  await using watched = await openPage(browser, { viewport: { width: 320, height: 568 } })
  await watched.page.goto(site.url + CONFIRM_PATH)
  await watched.page.evaluate(() => document.querySelector('dd')?.style.setProperty('white-space', 'nowrap'))
  await watched.page.evaluate(() => document.querySelector('dd')?.append('W'.repeat(100)))
  expect(await watched.page.evaluate(overflowing)).not.toEqual([])
})

deepTest('[B-206] everything is readable in light and in dark', async () => {
  await using watched = await openPage(browser)
  for (const path of PATHS) {
    await watched.page.goto(site.url + path)
    for (const colorScheme of ['light', 'dark'] as const) {
      await watched.page.emulateMedia({ colorScheme })
      const measured = await watched.page.evaluate(contrasts)
      expect(measured.length).toBeGreaterThan(3)
      expect(measured.filter(({ ratio, least }) => ratio < least)).toEqual([])
    }
  }
})

test('[B-206] focus that came by keyboard is seen', async () => {
  await using watched = await openPage(browser)
  const { page } = watched
  await page.goto(site.url + CONFIRM_PATH)
  for (const name of ['Decline', 'Connect']) {
    await page.keyboard.press('Tab')
    const button = page.getByRole('button', { name })
    const seen = await button.evaluate((element) => ({
      focused: element === document.activeElement,
      style: getComputedStyle(element).outlineStyle,
      width: getComputedStyle(element).outlineWidth,
    }))
    expect(seen).toEqual({ focused: true, style: 'solid', width: '3px' })
  }
})

test.each(['light', 'dark'] as const)(
  '[B-207] the %s colors are those of the web app',
  async (colorScheme) => {
    await using watched = await openPage(browser, { colorScheme })
    const { page } = watched
    await page.setContent(`<style>${await readFile(TOKENS, 'utf8')}</style>`)
    const ours = colorsOf(colorScheme)
    const names = [...ours.keys()]
    expect(names.length).toBeGreaterThan(8)
    const shown = await page.evaluate(colors, [...ours.values()])
    const wanted = await page.evaluate(
      colors,
      names.map((name) => `var(--${name})`),
    )
    const different = names.filter((_, index) => !isSameColor(shown[index], wanted[index]))
    expect(different).toEqual([])
  },
)

/** The colors of our style by name. `face` is the patch panel's, which the web app does not name. */
function colorsOf(scheme: 'light' | 'dark'): Map<string, string> {
  const block = PAGE_STYLE.match(/:root\{[^}]*\}/g)?.[scheme === 'light' ? 0 : 1] ?? ''
  const named = Array.from(
    block.matchAll(/--([\w-]+):(#\w+)/g),
    ([, name = '', value = '']) => [name, value] as const,
  )
  return new Map(named.filter(([name]) => name !== 'face'))
}

/** Ours are written in 8 bits, so the last one may be rounded the other way. */
function isSameColor(one: readonly number[] = [], other: readonly number[] = []): boolean {
  return one.length === 3 && one.every((part, index) => Math.abs(part - (other[index] ?? Number.NaN)) <= 1)
}

/** What each color is on the screen: red, green, blue. */
function colors(values: string[]): number[][] {
  const probe = document.createElement('p')
  document.body.append(probe)
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  return values.map((value) => {
    probe.style.color = value
    if (canvas === null) throw new Error('no canvas')
    canvas.fillStyle = getComputedStyle(probe).color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data.subarray(0, 3)]
  })
}
