import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@patchbay/testkit/chromium'
import type { AxeResults } from 'axe-core'
import { beforeAll, expect, test } from 'vitest'
import { PAGES, PHONE, useBench, WIDE } from './bench.ts'

const bench = useBench()
let axe: string
beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
})

interface Check {
  /** Where to look; the whole page without it. */
  within?: string
  /** Only what a theme can spoil. */
  contrastOnly?: boolean
}

/** What the checker complains about: rule, place and reason. */
async function complaints(
  page: Page,
  { within = 'html', contrastOnly = false }: Check = {},
): Promise<string[]> {
  await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(contrastOnly ? { runOnly: ['color-contrast'] } : {}) }
  const results = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  )
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`),
  )
}

test.each(PAGES)('[W-30] the checker finds nothing on %s', async (path) => {
  await using visit = await bench.visit(path, { colorScheme: 'light', reducedMotion: 'reduce' })
  const { page } = visit
  for (const viewport of [WIDE, PHONE]) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await complaints(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await complaints(page, { contrastOnly: true })).toEqual([])
  }
})

test.each([
  { name: 'Theme: Same as the system', role: 'menu' },
  { name: 'Status', role: 'dialog' },
  { name: 'More actions', role: 'menu' },
  { name: 'Stable Status', role: 'listbox' },
  { name: 'Open a dialog', role: 'dialog' },
  { name: 'Open an alert dialog', role: 'alertdialog' },
  { name: 'Open a drawer', role: 'dialog' },
] as const)('[W-30] nor in the $role that “$name” opens', async ({ name, role }) => {
  await using visit = await bench.visit('/components', { colorScheme: 'light', reducedMotion: 'reduce' })
  const { page } = visit
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole(role).waitFor()
  const within = `[role=${role}]`
  expect(await complaints(page, { within })).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await complaints(page, { within, contrastOnly: true })).toEqual([])
})

/** Boxes whose content sticks out to the right, where the page's next box would cover it. */
function overflowing(): string[] {
  return [...document.querySelectorAll('body *')]
    .filter(
      (box) => getComputedStyle(box).overflowX === 'visible' && getComputedStyle(box).display !== 'inline',
    )
    .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth)
    .map((box) => `${box.tagName} ${box.className}: ${box.scrollWidth} in ${box.clientWidth}`)
}

test.each(PAGES)('[W-31] %s fits a narrow screen', async (path) => {
  await using visit = await bench.visit(path, { viewport: PHONE, reducedMotion: 'reduce' })
  for (const width of [390, 320]) {
    await visit.page.setViewportSize({ width, height: 700 })
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await visit.page.evaluate(overflowing)).toEqual([])
  }
})

test.each(PAGES)('[W-32] every control of %s has room for a thumb', async (path) => {
  await using visit = await bench.visit(path, { viewport: PHONE, hasTouch: true })
  const small = await visit.page.evaluate(() =>
    [...document.querySelectorAll('button, a, input:not(label input), [role=tab], label:has(input)')]
      .filter((control) => control.checkVisibility() && control.parentElement?.tagName !== 'P')
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.height < 44 || box.width < 44))
      .map(({ control, box }) => `${control.textContent}: ${box.width}×${box.height}`),
  )
  expect(small).toEqual([])
})

test('[W-33] on a narrow screen the navigation is in a drawer that closes behind itself', async () => {
  await using visit = await bench.visit('/', { viewport: PHONE, hasTouch: true })
  const { page } = visit
  expect(await page.getByRole('navigation', { name: 'Primary' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).tap()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  expect(await drawer.getByRole('link').allInnerTexts()).toEqual([
    'Home',
    'Workspaces',
    'Packages',
    'Account',
  ])
  await drawer.getByRole('link', { name: 'Packages' }).tap()
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Packages' }).waitFor()
  await page.getByRole('button', { name: 'Menu' }).press('Enter')
  expect(await drawer.locator('[aria-current=page]').innerText()).toBe('Packages')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test('[W-34] nothing moves for people who asked for that', async () => {
  const moving = () =>
    document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) > 100).length
  await using calm = await bench.visit('/components', { reducedMotion: 'reduce' })
  expect(await calm.page.evaluate(moving)).toBe(0)
  await using lively = await bench.visit('/components')
  expect(await lively.page.evaluate(moving)).toBeGreaterThan(0)
})
