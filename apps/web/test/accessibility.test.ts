import { deepTest, sample } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { PAGES, PHONE, useBench, WIDE } from './bench.ts'
import { complaints, overflowing, smallControls } from './complaints.ts'

const bench = useBench()
const CALM = { reducedMotion: 'reduce' } as const
const TOUCH = { ...CALM, viewport: PHONE, hasTouch: true }
const LOOKS = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: PHONE },
  { colorScheme: 'dark', viewport: WIDE },
  { colorScheme: 'light', viewport: PHONE },
] as const
/** Each once, with every look among them. */
const inTurn = <T>(things: readonly T[]) =>
  things.map((thing, index) => ({ thing, look: LOOKS[index % LOOKS.length] ?? LOOKS[0] }))

deepTest.each(inTurn(PAGES))('[W-30] the checker finds nothing on $thing', async ({ thing: path, look }) => {
  await using visit = await bench.share(path, CALM)
  const { page } = visit
  await page.setViewportSize(look.viewport)
  await page.emulateMedia({ colorScheme: look.colorScheme })
  expect(await complaints(page)).toEqual([])
})

const OVERLAYS = [
  { path: '/', name: 'Theme: System', role: 'menu' },
  { path: '/', name: 'Status', role: 'dialog' },
  { path: '/components', name: 'More actions', role: 'menu' },
  { path: '/components', name: 'Stable Status', role: 'listbox' },
  { path: '/components', name: 'Open a dialog', role: 'dialog' },
  { path: '/components', name: 'Open an alert dialog', role: 'alertdialog' },
  { path: '/components', name: 'Open a drawer', role: 'dialog' },
] as const

test.each(sample(inTurn(OVERLAYS)))(
  '[W-30] nor in the $thing.role that “$thing.name” opens',
  async ({ thing: { path, name, role }, look: { colorScheme } }) => {
    await using visit = await bench.share(path, CALM)
    const { page } = visit
    await page.setViewportSize(WIDE)
    await page.emulateMedia({ colorScheme })
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole(role).waitFor()
    expect(await complaints(page, { within: `[role=${role}]` })).toEqual([])
  },
)

deepTest.each(PAGES)(
  '[W-30] nor in any look of %s',
  async (path) => {
    await using visit = await bench.visit(path, { ...CALM, colorScheme: 'light' })
    const { page } = visit
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: 'light' })
      expect(await complaints(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await complaints(page, { contrastOnly: true })).toEqual([])
    }
  },
  120_000,
)

deepTest.each(OVERLAYS)(
  '[W-30] nor in either theme of the $role that “$name” opens',
  async ({ name, role }) => {
    await using visit = await bench.visit('/components', { ...CALM, colorScheme: 'light' })
    const { page } = visit
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole(role).waitFor()
    const within = `[role=${role}]`
    expect(await complaints(page, { within })).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await complaints(page, { within, contrastOnly: true })).toEqual([])
  },
  120_000,
)

test.each(sample(PAGES))('[W-31] %s fits a narrow screen', async (path) => {
  await using visit = await bench.share(path, CALM)
  for (const width of [390, 320]) {
    await visit.page.setViewportSize({ width, height: 700 })
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await visit.page.evaluate(overflowing)).toEqual([])
  }
})

test.each(sample(PAGES))('[W-32] every control of %s has room for a thumb', async (path) => {
  await using visit = await bench.share(path, TOUCH)
  const small = await visit.page.evaluate(smallControls)
  expect(small).toEqual([])
})

test('[W-33] on a narrow screen the navigation is in a drawer that closes behind itself', async () => {
  await using visit = await bench.visit('/', { viewport: PHONE, hasTouch: true })
  const { page } = visit
  expect(await page.getByRole('navigation', { name: 'Primary' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).tap()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await drawer.waitFor()
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
  await using visit = await bench.share('/components', CALM)
  const { page } = visit
  expect(await page.evaluate(moving)).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(() => page.evaluate(moving)).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(() => page.evaluate(moving)).toBe(0)
})
