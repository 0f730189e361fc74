import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { shows, useBench } from './bench.ts'

const bench = useBench()

/** What has the focus, as a screen reader would name it. */
async function focused(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
  })
}

test('[W-10] the first stop skips to the content', async () => {
  await using visit = await bench.visit('/workspaces')
  await visit.page.getByRole('link', { name: 'Sign in to your workspaces' }).waitFor()
  await visit.page.keyboard.press('Tab')
  expect(await focused(visit.page)).toBe('Skip to content')
  await visit.page.keyboard.press('Enter')
  expect(await visit.page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await visit.page.keyboard.press('Tab')
  expect(await focused(visit.page)).toBe('Sign in to your workspaces')
  expect(visit.page.url()).toBe(`${visit.site.url}/workspaces`)
})

test('[W-11] Tab goes through the top bar from left to right', async () => {
  await using visit = await bench.visit('/')
  await visit.page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
  const stops: string[] = []
  for (let stop = 0; stop < 8; stop += 1) {
    await visit.page.keyboard.press('Tab')
    stops.push(await focused(visit.page))
  }
  expect(stops).toEqual([
    'Skip to content',
    'Patchbay, home',
    'Workspaces',
    'Packages',
    'Account',
    'Status',
    'Theme: System',
    'Sign in',
  ])
})

test.each(['Enter', 'ArrowDown'])('[W-12] a menu opens with %s and gives the focus back', async (key) => {
  await using visit = await bench.share('/')
  const { page } = visit
  const button = page.getByRole('button', { name: /^Theme/ })
  await button.focus()
  await page.keyboard.press(key)
  await page.getByRole('menu', { name: 'Theme' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  // The focus comes back in a task of its own, after what had it is gone.
  expect(await shows(button.and(page.locator(':focus')))).toBe(true)
})

deepTest('[W-12] arrow keys move through a menu and Enter chooses', async () => {
  await using visit = await bench.share('/')
  const { page } = visit
  await page.getByRole('button', { name: /^Theme/ }).focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menuitemradio', { name: 'System' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  // The focus comes back in a task of its own, after what had it is gone: a key before that is nobody's.
  expect(await shows(page.getByRole('button', { name: 'Theme: Dark' }).and(page.locator(':focus')))).toBe(
    true,
  )
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menuitemradio', { name: 'Dark' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await shows(page.getByRole('button', { name: 'Theme: System' }))).toBe(true)
})

test('[W-13] a dialog keeps the focus, closes with Escape and gives the focus back', async () => {
  await using visit = await bench.share('/')
  const { page } = visit
  const button = page.getByRole('button', { name: 'Status' })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'System status' })
  await dialog.getByText('The server is online').waitFor()
  for (let stop = 0; stop < 6; stop += 1) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await shows(button.and(page.locator(':focus')))).toBe(true)
})

test('[W-14] after a navigation the focus is on the heading, and after going back as well', async () => {
  await using visit = await bench.share('/')
  const { page } = visit
  const focusedHeading = (name: string) =>
    page.getByRole('heading', { level: 1, name }).and(page.locator(':focus'))
  await page.getByRole('navigation', { name: 'Primary' }).getByRole('link', { name: 'Account' }).focus()
  await page.keyboard.press('Enter')
  expect(await shows(focusedHeading('Account'))).toBe(true)
  await page.goBack()
  expect(await shows(focusedHeading('Plug your tools into'))).toBe(true)
})

deepTest('[W-14] a link to a part of another page lands on that part', async () => {
  await using visit = await bench.share('/workspaces', { reducedMotion: 'reduce' })
  const { page } = visit
  await page.getByRole('link', { name: 'What each service does' }).click()
  const heading = page.getByRole('heading', { name: 'Five services, one panel' })
  expect(await shows(heading.and(page.locator(':focus')))).toBe(true)
  expect(await heading.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(300)
})
