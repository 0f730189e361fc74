import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { type Browser, openPage, type Page, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect } from 'vitest'
import { startGateway } from './start-gateway.ts'
import { introduce, serviceSettings, startHttpService } from './start-service.ts'

const MODULES = new URL('../../../packages/oauth-client/src/browser/', import.meta.url)

const PAGE = `<!doctype html><html lang="en"><title>Settings</title>
<button>Connect</button><p role="status">Not connected</p>
<script type="module">
import { connect } from '/browser/index.ts'
const show = (text) => { document.querySelector('p').textContent = text }
document.querySelector('button').onclick = () =>
  connect({ authUrl: '/auth', statusUrl: '/status', onStatus: ({ phrase }) => phrase && show(phrase) })
    .then(() => show('Connected'), (error) => show(error.code + ': ' + error.message))
</script>`

/** The helper as a browser without any tool gets it: file by file. */
function serve({ url = '' }: IncomingMessage) {
  if (url === '/') return { type: 'text/html', body: PAGE }
  const name = /^\/browser\/([\w-]+\.ts)$/.exec(url)?.[1]
  if (name === undefined) return undefined
  return { type: 'text/javascript', body: stripTypeScriptTypes(readFileSync(new URL(name, MODULES), 'utf8')) }
}

async function startWorld() {
  await using cleanup = new AsyncDisposableStack()
  const gateway = cleanup.use(await startGateway())
  const provider = cleanup.use(await startOidcProvider())
  await introduce(provider, gateway)
  const settings = cleanup.use(await serviceSettings(gateway, provider.issuer))
  const service = cleanup.use(await startHttpService(settings.options, serve))
  const owned = cleanup.move()
  return { gateway, service, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function allow(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/callback\/result\/done$/)
}

let browser: Browser
let world: Awaited<ReturnType<typeof startWorld>>

beforeAll(async () => {
  ;[browser, world] = await Promise.all([sharedChromium(), startWorld()])
})
afterAll(() => world[Symbol.asyncDispose]())

deepTest('[B-474] a click opens a tab without a way back, and the page learns when it is done', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(world.service.url)
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Connect' }).click(),
  ])
  await tab.getByRole('button', { name: /Ada Lovelace/ }).waitFor()
  expect(await tab.evaluate('window.opener')).toBeNull()
  const status = page.getByRole('status')
  await expect.poll(() => status.textContent(), { timeout: 10_000 }).toMatch(/^\S+ \S+ \S+$/)
  await allow(tab)
  await expect.poll(() => status.textContent(), { timeout: 10_000 }).toBe('Connected')
})

test('[B-474] a tab that the browser blocks is said', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(world.service.url)
  await page.evaluate('window.open = () => null')
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect.poll(() => page.getByRole('status').textContent()).toMatch(/^popup_blocked: /)
})

deepTest(
  '[B-453][B-461] a link on another site leads to a page that asks; the click there starts the flow',
  async () => {
    await using site = await startForeignSite(`${world.service.url}/auth`)
    await using opened = await openPage(browser, { expectedFaults: [/403/] })
    const { page } = opened
    const before = (await world.gateway.status()).pending
    await page.goto(site.url)
    await page.getByRole('link', { name: 'Free boards' }).click()
    await page.getByRole('heading', { name: 'Connect to example?' }).waitFor()
    expect((await world.gateway.status()).pending).toBe(before)
    await page.getByRole('link', { name: 'Connect to example' }).click()
    await allow(page)
  },
)

/** `localhost` and `127.0.0.1` are two sites. */
async function startForeignSite(target: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><html lang="en"><title>Foreign</title><a href="${target}">Free boards</a>`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
