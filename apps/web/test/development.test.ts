import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PAGE_PERMISSIONS, WORKSPACE_PERMISSIONS } from '@patchbay/contracts/core'
import { EDITOR_LANGUAGES } from '@patchbay/contracts/panels'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { webConfig } from '../vite.config.ts'
import { startDevelopment } from './start-development.ts'

const ROOT = new URL('..', import.meta.url)

/** As text: the test runner would put its own import in the place of the browser's. */
const LOAD_LATE = `(async () => {
  const { PANELS } = await import('/src/workspace/panels/panels.ts')
  for (const { load } of PANELS) await load()
  const { loadLanguage } = await import('/src/workspace/panels/code-editor/languages.ts')
  for (const language of ${JSON.stringify(EDITOR_LANGUAGES)}) await loadLanguage(language)
  return PANELS.length
})()`

/** A server that answers every path with its own name. */
async function startEcho() {
  const server = createHttpServer((request, response) => void response.end(`server: ${request.url}`))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

test('[W-80] the development server shows the app and forwards the rest', { timeout: 60_000 }, async () => {
  await using server = await startEcho()
  await using development = await startDevelopment({ serverUrl: server.url })
  for (const path of [
    'api/about',
    'auth/intents?x=1',
    'registry/search?q=led',
    'openapi.json',
    'health',
    'ready',
    'problems/not_found',
    'reference',
    'reference.css',
  ]) {
    const response = await fetch(development.url + path)
    expect(await response.text()).toBe(`server: /${path}`)
  }
  const page = await (await fetch(development.url)).text()
  expect(page).toContain('/src/main.tsx')
  const script = await fetch(`${development.url}src/main.tsx`)
  expect(script.headers.get('content-type')).toBe('text/javascript')
  expect(await script.text()).toContain('createRoot')
})

deepTest('[W-80] a browser shows it', { timeout: 120_000 }, async () => {
  await using server = await startEcho()
  await using development = await startDevelopment({ serverUrl: server.url })
  await using watched = await openPage(await sharedChromium())
  // Every module of the app is asked for by itself.
  await watched.page.goto(development.url, { timeout: 100_000 })
  await watched.page.getByRole('heading', { level: 1 }).waitFor()
})

test('[DEV-13] a page may ask the browser for what the server would let it', async () => {
  await using server = await startEcho()
  await using development = await startDevelopment({ serverUrl: server.url })
  const permissions = async (path: string) =>
    (await fetch(development.url + path, { headers: { accept: 'text/html' } })).headers.get(
      'permissions-policy',
    )
  expect(await permissions('')).toBe(PAGE_PERMISSIONS)
  expect(await permissions('workspaces/ada')).toBe(PAGE_PERMISSIONS)
  expect(await permissions('workspaces/ada/lamp?x=1')).toBe(WORKSPACE_PERMISSIONS)
})

test('[W-461] F2: what every document loads late is made ready before a page asks for it', async () => {
  const documents = (await readdir(ROOT)).filter((name) => name.endsWith('.html'))
  const { optimizeDeps } = webConfig({ serverUrl: 'http://127.0.0.1:1' })
  expect(documents.length).toBeGreaterThan(2)
  expect(optimizeDeps?.entries).toEqual(expect.arrayContaining(documents))
})

deepTest(
  '[W-461] F2: on a checkout that was never started, the panels that load late do not reload the page',
  {
    timeout: 180_000,
  },
  async () => {
    await using server = await startEcho()
    await using cache = await mkdtempDisposable(join(tmpdir(), 'patchbay-vite-'))
    await using development = await startDevelopment({ serverUrl: server.url, cacheDir: cache.path })
    // Not a watched one: the server behind it says nothing that the page understands, and it complains.
    await using context = await (await sharedChromium()).newContext()
    const page = await context.newPage()
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.goto(`${development.url}workspaces/ada/lamp`, { timeout: 100_000 })
    expect(await page.evaluate(LOAD_LATE)).toBeGreaterThan(5)
    await page.goto(development.url, { timeout: 100_000 })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(loads).toBe(2)
  },
)

test('[W-276] the development server has the document of workspaces', { timeout: 60_000 }, async () => {
  await using server = await startEcho()
  await using development = await startDevelopment({ serverUrl: server.url })
  const documentOf = async (path: string) => await (await fetch(development.url + path)).text()
  expect(await documentOf('workspaces/ada/lamp.v2')).toContain('/src/workspace/main.tsx')
  expect(await documentOf('workspaces/ada/lamp?x=1')).toContain('/src/workspace/main.tsx')
  expect(await documentOf('workspaces')).toContain('/src/main.tsx')
})
