import { PROBLEM_CONTENT_TYPE, Problem } from '@patchbay/contracts/core'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { shows, useBench } from './bench.ts'
import { ABOUT, ABOUT_PATH, type Answer } from './site.ts'

const bench = useBench()
const PLACE = { timezoneId: 'UTC', locale: 'en-GB' }

async function openStatus(page: Page) {
  await page.getByRole('button', { name: 'Status' }).click()
  return page.getByRole('dialog', { name: 'System status' })
}

const hangUp: Answer = (request) => void request.socket.destroy()

test('[W-60] the dialog shows what the server answers', async () => {
  await using visit = await bench.share('/', PLACE)
  const dialog = await openStatus(visit.page)
  await dialog.getByText('The server is online').waitFor()
  const text = await dialog.innerText()
  for (const part of [ABOUT.name, ABOUT.version, ABOUT.node, ABOUT.installation.id, '15 January 2026']) {
    expect(text).toContain(part)
  }
})

deepTest('[W-60] while the answer is on its way the dialog says that it asks', async () => {
  await using visit = await bench.share('/', PLACE)
  const release = visit.site.hold(ABOUT_PATH)
  const dialog = await openStatus(visit.page)
  expect(await shows(dialog.getByRole('status', { name: 'Checking the server' }))).toBe(true)
  release()
  expect(await shows(dialog.getByText(ABOUT.node))).toBe(true)
})

test('[W-61] a server that is down is unreachable', async () => {
  await using visit = await bench.share('/', { ...PLACE, expectedFaults: [/ERR_EMPTY_RESPONSE/] })
  visit.site.answer(ABOUT_PATH, hangUp)
  const dialog = await openStatus(visit.page)
  expect(await shows(dialog.getByRole('alert').getByText('The server cannot be reached'))).toBe(true)
})

deepTest('[W-61] without a network the person is offline, not the server', async () => {
  await using visit = await bench.share('/', { ...PLACE, expectedFaults: [/ERR_INTERNET_DISCONNECTED/] })
  await visit.page.context().setOffline(true)
  const dialog = await openStatus(visit.page)
  expect(await shows(dialog.getByRole('alert').getByText('You are offline'))).toBe(true)
  await visit.page.context().setOffline(false)
})

deepTest('[W-61] a problem is told in its own words', async () => {
  await using visit = await bench.share('/', { ...PLACE, expectedFaults: [/503/] })
  const problem = new Problem('database_unavailable')
  visit.site.answer(ABOUT_PATH, (_, response) => {
    response.writeHead(problem.status, { 'content-type': PROBLEM_CONTENT_TYPE }).end(JSON.stringify(problem))
  })
  const dialog = await openStatus(visit.page)
  expect(await shows(dialog.getByRole('alert').getByText('The database cannot be reached'))).toBe(true)
})

deepTest('[W-61] a proxy that answers in its own name is recognized', async () => {
  await using visit = await bench.share('/', { ...PLACE, expectedFaults: [/502/] })
  visit.site.answer(ABOUT_PATH, (_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
  })
  const dialog = await openStatus(visit.page)
  expect(await shows(dialog.getByRole('alert').getByText('status 502'))).toBe(true)
})

deepTest('[W-61] the wait ends after five seconds', async () => {
  await using visit = await bench.visit('/')
  // A hundred times as fast: five seconds are not waited for here.
  await visit.page.evaluate(() => {
    const real = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = (ms) => {
      performance.mark(`deadline ${ms}`)
      return real(ms / 100)
    }
  })
  const release = visit.site.hold(ABOUT_PATH)
  const dialog = await openStatus(visit.page)
  expect(await shows(dialog.getByRole('alert').getByText('The server is taking too long'))).toBe(true)
  const marks = await visit.page.evaluate(() => performance.getEntriesByType('mark').map(({ name }) => name))
  expect(marks).toContain('deadline 5000')
  release()
})

deepTest('[W-61] the wait ends after five real seconds', async () => {
  await using visit = await bench.visit('/')
  const release = visit.site.hold(ABOUT_PATH)
  const dialog = await openStatus(visit.page)
  expect(await shows(dialog.getByRole('alert').getByText('The server is taking too long'))).toBe(true)
  release()
})

test('[W-62] asking again shows the answer once there is one, and keeps the focus in the dialog', async () => {
  await using visit = await bench.share('/', { ...PLACE, expectedFaults: [/ERR_EMPTY_RESPONSE/] })
  const restore = visit.site.answer(ABOUT_PATH, hangUp)
  const dialog = await openStatus(visit.page)
  await dialog.getByRole('alert').waitFor()
  restore()
  await dialog.getByRole('button', { name: 'Refresh' }).click()
  await dialog.getByText(ABOUT.node).waitFor()
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
})
