import { createServer as createHttpServer } from 'node:http'
import { openPage, startChromium } from '@patchbay/testkit/chromium'
import { createServer } from 'vite'
import { expect, test } from 'vitest'
import { webConfig } from '../vite.config.ts'

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

async function startDevelopment(serverUrl: string) {
  const config = webConfig({ serverUrl })
  const vite = await createServer({ ...config, logLevel: 'error', server: { ...config.server, port: 0 } })
  await vite.listen()
  return { url: vite.resolvedUrls?.local[0] ?? '', [Symbol.asyncDispose]: () => vite.close() }
}

test('[W-80] the development server shows the app and forwards the rest', { timeout: 60_000 }, async () => {
  await using server = await startEcho()
  await using development = await startDevelopment(server.url)
  for (const path of [
    'api/about',
    'auth/intents?x=1',
    'registry/search?q=led',
    'openapi.json',
    'health',
    'ready',
    'reference',
    'reference.css',
  ]) {
    const response = await fetch(development.url + path)
    expect(await response.text()).toBe(`server: /${path}`)
  }
  await using browser = await startChromium()
  await using watched = await openPage(browser)
  await watched.page.goto(development.url)
  await watched.page.getByRole('heading', { level: 1 }).waitFor()
})
