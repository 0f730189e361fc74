import { expect, test } from 'vitest'
import { PAGES, PHONE, useBench, WIDE } from './bench.ts'
import { complaints, overflowing, smallControls } from './complaints.ts'

const bench = useBench()

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
  const small = await visit.page.evaluate(smallControls)
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
  // The heading takes the focus when the page has come (W-14); a key that is pressed before that would go there.
  await page.locator('h1:focus').waitFor()
  await page.getByRole('button', { name: 'Menu' }).press('Enter')
  expect(await drawer.locator('[aria-current=page]').innerText()).toBe('Packages')
  // While it still slides in, too.
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
