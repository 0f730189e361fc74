import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { PAGES, useBench, type Visit } from './bench.ts'

const bench = useBench()

const TITLES: Record<(typeof PAGES)[number], string> = {
  '/': 'Patchbay',
  '/workspaces': 'Workspaces · Patchbay',
  '/packages': 'Packages · Patchbay',
  '/account': 'Account · Patchbay',
  '/account/people': 'People · Patchbay',
  '/approve': 'Nothing to approve · Patchbay',
  '/sign-in': 'Sign in · Patchbay',
  '/sign-up?with=passkey': 'Create an account · Patchbay',
  '/welcome': 'No invitation found · Patchbay',
  '/components': 'Components · Patchbay',
  '/no/such/page': 'Page not found · Patchbay',
}

test.each(PAGES)('[W-1] %s has one first-level heading and a title of its own', async (path) => {
  await using visit = await bench.share(path)
  expect(await headOf(visit, path)).toEqual({ title: TITLES[path], headings: 1 })
})

deepTest.each(PAGES)('[W-1] so has %s when it is opened directly', async (path) => {
  await using visit = await bench.visit(path)
  expect(await headOf(visit, path)).toEqual({ title: TITLES[path], headings: 1 })
})

/** What a page says of itself, once it is what it becomes: some learn their name from the server. */
async function headOf({ page }: Visit, path: (typeof PAGES)[number]) {
  await page.waitForFunction((title) => document.title === title, TITLES[path])
  return { title: await page.title(), headings: await page.getByRole('heading', { level: 1 }).count() }
}

test('[W-2] an unknown address names the path inside the shell', async () => {
  await using visit = await bench.share('/no/such/page?token=secret')
  const main = visit.page.getByRole('main')
  expect(await main.innerText()).toContain('/no/such/page leads nowhere')
  expect(await main.innerText()).not.toContain('secret')
  await main.getByRole('link', { name: 'Go to the home page' }).click()
  await visit.page.waitForURL(`${visit.site.url}/`)
})

test('[W-3] a page is fetched on the first visit, and the shell says so meanwhile', async () => {
  await using visit = await bench.visit('/')
  const release = visit.site.hold(/gallery.*\.js$/)
  const fetched = visit.page.waitForRequest(/gallery.*\.js$/)
  await visit.page.getByRole('link', { name: 'Components' }).click()
  await fetched
  await visit.page.getByRole('status').getByText('Loading the page').waitFor({ state: 'attached' })
  expect(await visit.page.getByRole('banner').isVisible()).toBe(true)
  release()
  await visit.page.getByRole('heading', { level: 1, name: 'Components' }).waitFor()
})

deepTest('[W-3] opened directly, a page that is not there yet shows the shell and a spinner', async () => {
  await using visit = await bench.share('/')
  const release = visit.site.hold(/workspaces.*\.js$/)
  await visit.page.goto(`${visit.site.url}/workspaces`)
  await visit.page.getByRole('main').getByText('Loading the page').waitFor({ state: 'attached' })
  expect(await visit.page.getByRole('banner').isVisible()).toBe(true)
  release()
  await visit.page.getByRole('heading', { level: 1, name: 'Workspaces' }).waitFor()
})

test('[W-4] the navigation marks the current area, and no other', async () => {
  await using visit = await bench.share('/packages')
  const current = visit.page.getByRole('navigation', { name: 'Primary' }).locator('[aria-current=page]')
  expect(await current.allInnerTexts()).toEqual(['Packages'])
  await visit.walk('/')
  expect(await current.count()).toBe(0)
})

test('[W-230] pages of publishers belong to the packages, and the card of the registry is lit', async () => {
  await using visit = await bench.share('/publishers/ada')
  const current = visit.page.getByRole('navigation', { name: 'Primary' }).locator('[aria-current=page]')
  expect(await current.allInnerTexts()).toEqual(['Packages'])
  await visit.walk('/')
  const card = visit.page.getByRole('article').filter({ hasText: 'Registry' })
  await card.getByText('Running', { exact: true }).waitFor()
  await card.getByRole('link', { name: 'Packages' }).click()
  await visit.page.getByRole('heading', { level: 1, name: 'Packages' }).waitFor()
})

test('[W-416] F3: the lamps of home tell what runs, and what to run where something does not', async () => {
  await using visit = await bench.share('/', { expectedFaults: [/503/] })
  const card = (name: string) => visit.page.getByRole('article').filter({ hasText: name })
  await card('Gateway').getByText('Running', { exact: true }).waitFor()
  await card('Gateway').getByText('The watchdog is not running').waitFor()
  await card('Viewer').getByText('Not running', { exact: true }).waitFor()
  expect(await card('Viewer').getByRole('code').innerText()).toBe('patchbay viewer')
  visit.site.answer(/^\/api\/services$/, (_, response) => void response.writeHead(503).end())
  await visit.walk('/packages')
  await visit.walk('/')
  await card('Registry').getByText('Not answering', { exact: true }).waitFor()
})

test('[W-275] who is not signed in finds the way to their workspaces', async () => {
  await using visit = await bench.share('/workspaces')
  const link = visit.page.getByRole('main').getByRole('link', { name: 'Sign in to your workspaces' })
  expect(await link.getAttribute('href')).toBe('/sign-in?return_to=%2Fworkspaces')
})
