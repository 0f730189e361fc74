import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { BLINKY } from './archives.ts'
import { PUBLIC_URL, signIn } from './people.ts'
import { migratedDatabase, startTestServer } from './start.ts'

interface PageRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  credentials?: 'include'
}

/** An empty page of an origin that this installation knows nothing of. */
async function startSite(): Promise<AsyncDisposable & { readonly url: string }> {
  const site = createServer((_request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><link rel="icon" href="data:,"><title>Shop</title>')
  })
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      site.closeAllConnections()
      site.close()
    },
  }
}

test('[A-550][C-280] R8: a page of another origin reads the registry and begins a login, and nothing private', async () => {
  await using migrated = await migratedDatabase()
  await using server = await startTestServer({ DATABASE_URL: migrated.url, PATCHBAY_PUBLIC_URL: PUBLIC_URL })
  await using database = createDatabase<IdentityTables>({
    url: migrated.url,
    poolSize: 1,
    applicationName: 'test',
  })
  const ada = await signIn(database.db, server, 'ada')
  const published = await server.ask('/registry/owners/ada/packages', {
    method: 'POST',
    headers: { ...ada.application, 'content-type': 'application/zip' },
    body: BLINKY,
  })
  expect(published.status).toBe(201)
  await using site = await startSite()
  await using watched = await openPage(await sharedChromium(), {
    expectedFaults: [/blocked by CORS policy/, /Failed to load resource/],
  })
  const { page } = watched
  await page.goto(site.url)

  /** Runs in the page: what it can know of an answer. */
  const read = (path: string, init: PageRequest = {}) =>
    page.evaluate(
      async ([address, given]) => {
        try {
          const answer = await fetch(address, given)
          const etag = answer.headers.get('etag')
          const hasId = answer.headers.get('x-request-id') !== null
          const body = await answer.text()
          return { status: answer.status, etag, hasId, body }
        } catch {
          return { status: 0, etag: null, hasId: false, body: '' }
        }
      },
      [server.url + path, init] as const,
    )
  const sha256 = createHash('sha256').update(BLINKY).digest('hex')
  const archive = `/registry/archives/${sha256}/com.example.blinky-1.0.0.zip`
  for (const path of [
    '/registry/feeds',
    '/registry/feeds/kicad/repository.json',
    '/registry/sparse/tool/com.example.blinky.json',
    '/registry/schemas/v1.json',
    '/registry/search?q=blinky',
    archive,
  ]) {
    const { status, hasId } = await read(path)
    expect([path, status, hasId]).toEqual([path, 200, true])
  }
  const { etag } = await read(archive)
  expect(etag).toBe(`"${sha256}"`)
  expect(
    (await read(archive, { headers: { 'if-none-match': '"other"', range: 'bytes=0-1' } })).status,
  ).not.toBe(0)
  expect((await read('/registry/archives/none/x.zip')).status).toBe(400)
  // Not with a credential, however it would be sent, and nothing that is for its owner.
  expect((await read(archive, { credentials: 'include' })).status).toBe(0)
  expect((await read(archive, { headers: ada.application })).status).toBe(0)
  expect((await read('/registry/feeds/kicad/ada/private/repository.json')).status).toBe(0)
  expect((await read('/auth/session')).status).toBe(0)

  const verifier = 'v'.repeat(43)
  const begun = await read('/auth/intents', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      label: 'Shop',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    }),
  })
  expect(begun.status).toBe(201)
  const { token } = JSON.parse(begun.body) as { token: string }
  const status = await read(`/auth/intents/${token}/status`, { headers: { 'intent-verifier': verifier } })
  expect([status.status, status.body]).toEqual([200, '{"state":"pending"}'])
  const watchedStatus = await page.evaluate(
    async ([address, secret]) => {
      const stopping = new AbortController()
      const headers = { accept: 'text/event-stream', 'intent-verifier': secret }
      const answer = await fetch(address, { headers, signal: stopping.signal })
      const type = answer.headers.get('content-type')
      stopping.abort()
      return type
    },
    [`${server.url}/auth/intents/${token}/status`, verifier] as const,
  )
  expect(watchedStatus).toContain('text/event-stream')
  // The person is told which site asks: its page has their network and their browser.
  const asked = await server.ask(`/auth/intents/${token}/request`, { headers: ada.page })
  expect(await asked.json()).toMatchObject({
    requested_from: { site: site.url, device: `Says it is a page of ${site.url}` },
  })
})
