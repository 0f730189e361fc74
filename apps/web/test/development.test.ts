import { createServer as createHttpServer } from 'node:http'
import { openPage, startChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { startDevelopment } from './start-development.ts'

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

test('[W-276] the development server has the document of workspaces', { timeout: 60_000 }, async () => {
  await using server = await startEcho()
  await using development = await startDevelopment({ serverUrl: server.url })
  const documentOf = async (path: string) => await (await fetch(development.url + path)).text()
  expect(await documentOf('workspaces/ada/lamp.v2')).toContain('/src/workspace/main.tsx')
  expect(await documentOf('workspaces/ada/lamp?x=1')).toContain('/src/workspace/main.tsx')
  expect(await documentOf('workspaces')).toContain('/src/main.tsx')
})
