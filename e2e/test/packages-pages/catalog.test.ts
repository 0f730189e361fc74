import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { beforeAll, expect } from 'vitest'
import { shows, useBench } from '../identity-pages/bench.ts'
import { sharedRegistry } from './furnish.ts'

const bench = useBench()
beforeAll(async () => {
  await sharedRegistry(bench.site)
})

/** Opens the catalog and waits for an answer. */
async function openCatalog(page: Page, query = ''): Promise<void> {
  await page.goto(`${bench.site.url}/packages${query}`)
  await count(page)
    .filter({ hasText: /package/ })
    .waitFor()
}

/** Other files that share the registry have published as well. */
async function everything(): Promise<string> {
  const answer = await fetch(`${bench.site.url}/registry/search`)
  const { items } = (await answer.json()) as { readonly items: readonly unknown[] }
  return `${items.length} packages`
}

const count = (page: Page) => page.getByRole('region').getByRole('status')
const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })
const names = (page: Page) => page.getByRole('article').getByRole('heading').allInnerTexts()

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page
    .getByRole('search')
    .getByRole('button', { name: new RegExp(`${field}$`) })
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Keys that follow each other faster than any pause, however busy the machine is. */
async function typeAtOnce(page: Page, texts: readonly string[]): Promise<void> {
  await searchField(page).evaluate((field, steps) => {
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    for (const text of steps) {
      // Not by assignment: React would think that it had set the text itself.
      value?.set?.call(field, text)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }, texts)
}

test('[W-200] results follow the typing, and an outdated request is ended', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await openCatalog(page)
  expect(await count(page).innerText()).toBe(await everything())
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/registry/search'))
      asked.push(new URL(request.url()).searchParams.get('q') ?? '')
  })
  const ended = page.waitForEvent('requestfailed')
  await page.route('**/registry/search?q=mid*', async () => {}, { times: 1 })
  await typeAtOnce(page, ['m', 'mi', 'mid'])
  await page.waitForRequest(/q=mid&/)
  await typeAtOnce(page, ['midn', 'midnig', 'midnight'])
  expect(await shows(count(page).filter({ hasText: /^1 package$/ }))).toBe(true)
  expect((await ended).url()).toContain('q=mid&')
  expect(await names(page)).toEqual(['Midnight'])
  expect(asked).toEqual(['mid', 'midnight'])
})

test('[W-201] the address holds the search: reload, link and the way back', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await openCatalog(page, '?type=nonsense&tool_version=x')
  expect(await count(page).innerText()).toBe(await everything())
  await page.goto(`${bench.site.url}/packages`)
  await searchField(page).fill('board')
  await page.waitForURL(/[?]q=board$/)
  await choose(page, 'Type', 'Library')
  await page.waitForURL(/[?]q=board&type=library$/)
  await card(page, 'Board-to-board connectors').waitFor()
  await page.reload()
  expect(await shows(count(page).filter({ hasText: /^1 package$/ }))).toBe(true)
  expect(await searchField(page).inputValue()).toBe('board')
  await card(page, 'Board-to-board connectors')
    .getByRole('link', { name: 'Board-to-board connectors' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Board-to-board connectors' }).waitFor()
  await page.goBack()
  expect(await shows(card(page, 'Board-to-board connectors'))).toBe(true)
  await page.goBack()
  expect(await shows(card(page, 'Blinky'))).toBe(true)
  expect(await searchField(page).inputValue()).toBe('board')
  await page.goBack()
  expect(await shows(count(page).filter({ hasText: await everything() }))).toBe(true)
  expect(await searchField(page).inputValue()).toBe('')
})

test('[W-202] type, platform, tool version and status narrow the results; a bad version is told', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await openCatalog(page)
  await choose(page, 'Status', 'Deprecated')
  await card(page, 'Netlist bridge').waitFor()
  expect(await shows(count(page).filter({ hasText: /^1 package$/ }))).toBe(true)
  await choose(page, 'Status', 'Any status')
  await choose(page, 'Platform', 'Windows')
  await card(page, 'Panelizer').waitFor({ state: 'detached' })
  const version = page.getByRole('textbox', { name: 'Tool version' })
  await version.fill('9.x')
  expect(await shows(page.getByText('One to three numbers with dots between them'))).toBe(true)
  expect(page.url()).not.toContain('tool_version')
  await version.fill('6.0')
  await page.waitForURL(/tool_version=6.0/)
  await card(page, 'Midnight').waitFor({ state: 'detached' })
  expect((await names(page)).toSorted()).toEqual(['Blinky', 'Netlist bridge'])
})

deepTest('[W-202] C8: results are narrowed by runtime, and by what the tool version has', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await openCatalog(page, '?q=panelizer&tool_version=8.0')
  expect(await names(page)).toEqual([])
  await choose(page, 'Runtime', 'IPC')
  await card(page, 'Panelizer').waitFor()
  expect(page.url()).toContain('runtime=ipc')
  await choose(page, 'Runtime', 'SWIG')
  await card(page, 'Panelizer').waitFor({ state: 'detached' })
})

deepTest('[W-202] a tag that a link brought along is shown and can be taken away', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await openCatalog(page, '?tag=dark')
  expect(await names(page)).toEqual(['Midnight'])
  await page.getByRole('button', { name: 'Remove the filter Tag: dark' }).click()
  expect(await shows(count(page).filter({ hasText: await everything() }))).toBe(true)
})

test('[W-203] a result shows what to choose by, with a mark where there is no icon', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await openCatalog(page)
  const panelizer = card(page, 'Panelizer')
  const text = await panelizer.innerText()
  for (const part of [
    'by ada',
    'Places copies of a board',
    'Plugin',
    '0.9.0',
    'Testing',
    'Tool 8.0 and later',
    'Linux, macOS',
    'IPC runtime',
  ])
    expect(text).toContain(part)
  const icon = panelizer.locator('img')
  await icon.evaluate((image: HTMLImageElement) => image.decode())
  expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)
  expect(await card(page, 'Netlist bridge').locator('img').count()).toBe(0)
  expect(await card(page, 'Netlist bridge').locator('svg').count()).toBe(1)
})

test('[W-205] finding nothing is announced and says what to do', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await openCatalog(page)
  await searchField(page).fill('zzzz')
  expect(await shows(count(page).filter({ hasText: 'No packages found' }))).toBe(true)
  await page.getByRole('link', { name: 'Show all packages' }).click()
  expect(await shows(card(page, 'Blinky'))).toBe(true)
  expect(await searchField(page).inputValue()).toBe('')
})

test('[W-206] without a network that is told, and trying again goes on', async () => {
  await using visit = await bench.visit({ expectedFaults: [/ERR_INTERNET_DISCONNECTED/] })
  const { page } = visit
  await openCatalog(page)
  await page.context().setOffline(true)
  await searchField(page).fill('midnight')
  expect(await shows(page.getByRole('alert').getByText('You are offline'))).toBe(true)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await shows(card(page, 'Midnight'))).toBe(true)
})

test('[W-207] the address of the repository can be copied, and leads to one', async () => {
  await using visit = await bench.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await openCatalog(page)
  await page.getByRole('button', { name: 'Copy: Repository address' }).click()
  await page.getByText('Copied to the clipboard.').waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  expect(address).toBe(`${bench.site.url}/registry/feeds/kicad/repository.json`)
  expect(await (await fetch(address)).json()).toHaveProperty('packages.sha256')
  expect(await page.getByText('add this address as a repository').count()).toBe(1)
})
