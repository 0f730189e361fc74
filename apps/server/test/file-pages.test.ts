import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PUBLIC_URL, type SignedIn, signIn } from './people.ts'
import { migratedDatabase, startTestServer, type TestServer } from './start.ts'

const BOARD = '/api/workspaces/editor/ada/board'
const JSON_TYPE = { 'content-type': 'application/json' }

const cleanup = new AsyncDisposableStack()
let server: TestServer
let ada: SignedIn
let bob: SignedIn
let tabId: string

beforeAll(async () => {
  const database = cleanup.use(await migratedDatabase())
  server = cleanup.use(
    await startTestServer({
      DATABASE_URL: database.url,
      PATCHBAY_PUBLIC_URL: PUBLIC_URL,
    }),
  )
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: database.url, poolSize: 1, applicationName: 'test' }),
  )
  ada = await signIn(db, server, 'ada')
  bob = await signIn(db, server, 'bob')
  await server.ask(BOARD, { method: 'PUT', headers: ada.page })
  await put('site/index.html', '<h1>Lamp</h1>')
  await put('site/app.mjs', 'export const a = 1')
  await put('site/my file#1.txt', 'ä')
  const tab = await server.ask(`${BOARD}/current/tabs`, {
    method: 'POST',
    headers: { ...ada.page, ...JSON_TYPE },
    body: JSON.stringify({ panelType: 'webview' }),
  })
  tabId = ((await tab.json()) as { tabId: string }).tabId
})
afterAll(() => cleanup.disposeAsync())

async function put(path: string, text: string): Promise<void> {
  const answer = await server.ask(`${BOARD}/files/content?path=${encodeURIComponent(path)}`, {
    method: 'PUT',
    headers: { ...ada.page, 'content-type': 'application/octet-stream', 'if-match': '*' },
    body: text,
  })
  expect(answer.status).toBeLessThan(300)
}

async function openTicket(who: SignedIn, url: string) {
  const answer = await server.ask(`${BOARD}/current/tabs/${tabId}/proxy-ticket`, {
    method: 'POST',
    headers: { ...who.page, ...JSON_TYPE },
    body: JSON.stringify({ url }),
  })
  const body = (await answer.json()) as { address?: string; code?: string }
  return { status: answer.status, code: body.code, address: body.address ?? '' }
}

test('[D-440] whoever may read the files gets a ticket for them, and nobody else', async () => {
  expect(await openTicket(ada, 'workspace:/site/')).toMatchObject({
    status: 200,
    address: expect.stringMatching(/^http:\/\/[a-z0-9.]+:\d+\/files\/[A-Za-z0-9_-]{43}\/$/),
  })
  expect(await openTicket(bob, 'workspace:/site/')).toMatchObject({ status: 403, code: 'not_permitted' })
})

test('[D-440] a ticket for files shows no page of the web, and one for pages no file', async () => {
  const files = await openTicket(ada, 'workspace:/')
  const web = await openTicket(ada, 'https://example.com/')
  const asPage = files.address.replace('/files/', '/page/') + encodeURIComponent('https://example.com/')
  const asFile = `${web.address.replace('/page/', '/files/')}site/index.html`
  expect([(await fetch(asPage)).status, (await fetch(asFile)).status]).toEqual([403, 403])
})

test('[D-441] a file is sent as what it is, for a frame without an origin that loads what is beside it', async () => {
  const { address } = await openTicket(ada, 'workspace:/site/index.html')
  const page = await fetch(`${address}site/index.html`)
  expect(await page.text()).toBe('<h1>Lamp</h1>')
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
  })
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^sandbox (?!.*allow-same-origin)(?!.*allow-top-navigation)/)
  expect(policy).toContain(`default-src ${address} `)
  expect(policy).toContain(`frame-ancestors ${PUBLIC_URL}`)
  const script = await fetch(`${address}site/app.mjs`)
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const part = await fetch(`${address}site/index.html`, { headers: { range: 'bytes=4-7' } })
  expect([part.status, await part.text()]).toEqual([206, 'Lamp'])
  const known = { 'if-none-match': page.headers.get('etag') ?? '' }
  expect((await fetch(`${address}site/index.html`, { headers: known })).status).toBe(304)
})

test.for([
  ['site/', 200],
  ['site/my%20file%231.txt', 200],
  ['site/index.html?a=1', 200],
  ['site', 404],
  ['nothing.html', 404],
  ['', 404],
  ['site/..%2f..%2fetc/passwd', 404],
  ['%00', 404],
] as const)('[D-441] of the folder, %j is answered with %i', async ([path, status]) => {
  const { address } = await openTicket(ada, 'workspace:/')
  const answer = await fetch(address + path)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox /)
})

test.for(['%', '%ff'])('[D-441] %j is no path, and answered with what no browser runs', async (path) => {
  const { address } = await openTicket(ada, 'workspace:/')
  const answer = await fetch(address + path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
})

test('[D-441] an address of a file shows nothing in a tab of its own', async () => {
  const { address } = await openTicket(ada, 'workspace:/')
  const answer = await fetch(`${address}site/index.html`, { headers: { 'sec-fetch-dest': 'document' } })
  expect(answer.status).toBe(403)
})

test('[D-442] a ticket ends with the right to read the files', async () => {
  const member = `${BOARD}/members/bob`
  const headers = { ...ada.page, ...JSON_TYPE }
  const body = JSON.stringify({ role: 'viewer' })
  expect((await server.ask(member, { method: 'PUT', headers, body })).status).toBeLessThan(300)
  const { address } = await openTicket(bob, 'workspace:/')
  const status = async () => (await fetch(`${address}site/index.html`)).status
  expect(await status()).toBe(200)
  expect((await server.ask(member, { method: 'DELETE', headers: ada.page })).status).toBe(204)
  expect(await status()).toBe(403)
})

test('[D-442] and with the session', async () => {
  const { address } = await openTicket(ada, 'workspace:/')
  const status = async () => (await fetch(`${address}site/index.html`)).status
  expect(await status()).toBe(200)
  expect((await server.ask('/auth/session', { method: 'DELETE', headers: ada.page })).status).toBe(204)
  expect(await status()).toBe(403)
})
