import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { shows, useBench, type Visit } from './bench.ts'

const bench = useBench()
const ALLOWED = { permissions: ['clipboard-read', 'clipboard-write'] }
const BROKEN = [/The gallery was broken on purpose/]

async function breakPage({ page }: Visit): Promise<void> {
  await page.getByRole('button', { name: 'Break this page' }).click()
  await page.getByRole('heading', { level: 1, name: 'This page stopped working' }).waitFor()
}

test('[W-40] a page that throws says so, and a reload recovers', async () => {
  await using visit = await bench.share('/components', { expectedFaults: BROKEN, ...ALLOWED })
  await breakPage(visit)
  expect(await visit.page.title()).toBe('Something broke · Patchbay')
  await visit.page.getByRole('button', { name: 'Reload the page' }).click()
  expect(await shows(visit.page.getByRole('heading', { level: 1, name: 'Components' }))).toBe(true)
})

deepTest('[W-40] the shell around a broken page keeps working', async () => {
  await using visit = await bench.share('/components', { expectedFaults: BROKEN, ...ALLOWED })
  await breakPage(visit)
  await visit.page
    .getByRole('navigation', { name: 'Primary' })
    .getByRole('link', { name: 'Packages' })
    .click()
  expect(await shows(visit.page.getByRole('heading', { level: 1, name: 'Packages' }))).toBe(true)
})

test('[W-41] the details name fault, path and browser, and never the query', async () => {
  await using visit = await bench.share('/components?token=secret', { expectedFaults: BROKEN, ...ALLOWED })
  await breakPage(visit)
  await visit.page.getByRole('button', { name: 'Copy details' }).click()
  await visit.page.getByRole('button', { name: 'Copied' }).waitFor()
  const details = await visit.page.evaluate(() => navigator.clipboard.readText())
  expect(details).toContain('page: /components\n')
  expect(details).toContain('browser: Mozilla/')
  expect(details).toContain('Error: The gallery was broken on purpose\n    at ')
  expect(details).not.toContain('secret')
  expect(await visit.page.getByLabel('Details of the fault').innerText()).toBe(details)
})

deepTest('[W-41] a refused clipboard leaves the details to be copied by hand', async () => {
  await using visit = await bench.share('/components', { expectedFaults: BROKEN, ...ALLOWED })
  const context = visit.page.context()
  await context.clearPermissions()
  // Granting one permission denies all others.
  await context.grantPermissions(['geolocation'])
  await breakPage(visit)
  await visit.page.getByRole('button', { name: 'Copy details' }).click()
  expect(await shows(visit.page.getByRole('status').getByText('Could not access the clipboard'))).toBe(true)
  await context.clearPermissions()
  await context.grantPermissions(ALLOWED.permissions)
})

test('[W-42] a page whose code cannot be fetched is a fault that a reload recovers from', async () => {
  await using visit = await bench.visit('/', { expectedFaults: [/404/] })
  const { page, site } = visit
  const restore = site.answer(/catalog.*\.js$/, (_, response) => void response.writeHead(404).end())
  await page.getByRole('navigation', { name: 'Primary' }).getByRole('link', { name: 'Packages' }).click()
  await page.getByRole('heading', { level: 1, name: 'This page stopped working' }).waitFor()
  restore()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  expect(await shows(page.getByRole('heading', { level: 1, name: 'Packages' }))).toBe(true)
})
