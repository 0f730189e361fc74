import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { serverConfig, startServer } from '@patchbay/server'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { cloneDatabase } from '@patchbay/testkit/postgres'
import { buildApp } from '@patchbay/web/test/build-app'
import { expect, test } from 'vitest'

/** Starts the server on an empty database, and opens a browser beside it. */
async function startJourney() {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-journey-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const database = stack.use(await cloneDatabase({ fingerprint: 'nothing', migrate: async () => {} }))
  const log = createLog({ level: 'warn', process: 'server' })
  const lifecycle = new Lifecycle(log)
  stack.defer(async () => void (await lifecycle.stop(5_000)))
  const config = readConfig(serverConfig, {
    DATABASE_URL: database.url,
    PATCHBAY_PORT: '0',
    PATCHBAY_PROXY_PORT: '0',
    PATCHBAY_WEB_ROOT: await buildApp(),
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
  })
  const server = await startServer({
    config,
    log,
    clock: systemClock,
    node: 'journey-1',
    lifecycle,
    createSecret: () => randomBytes(32).toString('base64url'),
  })
  await server.prepared
  const browser = await sharedChromium()
  const owned = stack.move()
  return { url: server.url, browser, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('[J-1][J-2] the server shows its page, its dialog and its reference in a browser', async () => {
  await using journey = await startJourney()
  {
    await using opened = await openPage(journey.browser)
    const { page } = opened
    await page.goto(journey.url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page
      .getByRole('button', { name: /about|status/i })
      .first()
      .click()
    await page.getByRole('dialog').getByText('journey-1').waitFor()
  }
  await using opened = await openPage(journey.browser)
  const { page } = opened
  await page.goto(`${journey.url}/reference`)
  await page.getByRole('link', { name: 'GET /api/about' }).click()
  expect(await page.locator('article:target h3').textContent()).toBe('GET /api/about')
  await page.locator('article:target summary').click()
  expect(await page.locator('article:target pre').isVisible()).toBe(true)
}, 120_000)
