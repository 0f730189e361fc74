import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { closeCodeName } from '@patchbay/contracts/core'
import { WORKSPACE_SOCKET_PATH, type WorkspaceMessage } from '@patchbay/contracts/panels'
import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { atLatest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { type Headers, PUBLIC_URL, type SignedIn, signIn } from './people.ts'
import { migratedDatabase, startTestServer, type TestServer } from './start.ts'

const BOARD = '/api/workspaces/editor/ada/board'

/** Two servers of one installation, with ada's board and two people in it. */
async function startTwo() {
  await using cleanup = new AsyncDisposableStack()
  const database = cleanup.use(await migratedDatabase())
  const redis = cleanup.use(await startRedis())
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-shared-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PATCHBAY_PUBLIC_URL: PUBLIC_URL,
    PATCHBAY_OBJECTS_URL: pathToFileURL(folder).href,
  }
  const start = async (node: string) => cleanup.use(await startTestServer(environment, { node }))
  const servers = [await start('a'), await start('b')] as const
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: database.url, poolSize: 2, applicationName: 'test' }),
  )
  const ada = await signIn(db, servers[0], 'ada')
  const eve = await signIn(db, servers[0], 'eve')
  const owned = cleanup.move()
  return { servers, ada, eve, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function send(server: TestServer, headers: Headers, method: string, path: string, body?: unknown) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await server.ask(path, {
    method,
    headers: { 'if-match': '*', ...headers, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const value = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: answer.status, code: value['code'] ?? answer.status, value }
}

/** A page of the workspace, as far as its socket goes. */
async function openPage({ url }: TestServer, { cookie }: SignedIn) {
  // Node takes headers here; the types are those of browsers, which do not.
  const options = { headers: { ...cookie, origin: PUBLIC_URL } } as unknown as string[]
  const socket = new WebSocket(url.replace('http', 'ws') + WORKSPACE_SOCKET_PATH, options)
  const heard: WorkspaceMessage[] = []
  let closed: string | undefined
  socket.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data)) as WorkspaceMessage))
  socket.addEventListener('close', ({ code }) => {
    closed = closeCodeName(code) ?? String(code)
  })
  await waitUntil('it connects', () => socket.readyState === WebSocket.OPEN)
  const attention = { isVisible: true, isFocused: true, isSharing: false }
  const browserId = crypto.randomUUID()
  socket.send(JSON.stringify({ type: 'open', owner: 'ada', repo: 'board', browserId, ...attention }))
  await waitUntil('the workspace opens or not', () => heard.length > 0 || closed !== undefined)
  return { socket, heard, closed: () => closed, [Symbol.dispose]: () => socket.close() }
}

test('[D-351] [D-360] a stranger with a link gets in as viewer, changes nothing by any way, and is out on all nodes within 2 s of being removed', async () => {
  await using two = await startTwo()
  const { servers, ada, eve } = two
  const [one, other] = servers
  expect((await send(one, ada.page, 'PUT', BOARD)).status).toBe(201)
  const put = await one.ask(`${BOARD}/files/content?path=a.txt`, {
    method: 'PUT',
    headers: { ...ada.page, 'content-type': 'application/octet-stream' },
    body: 'hello',
  })
  expect(put.status).toBe(201)
  const reading = (headers: Headers) => send(other, headers, 'GET', `${BOARD}/files/content?path=a.txt`)
  expect((await reading(eve.page)).code).toBe('not_permitted')
  const scopes = ['panels:ada/board', 'files:write:ada/board']
  const wanted = { name: 'k', scopes }
  expect((await send(other, eve.page, 'POST', '/auth/keys', wanted)).code).toBe('not_permitted')

  const made = await send(one, ada.page, 'POST', `${BOARD}/invitations`, { role: 'viewer' })
  const invitation = String(made.value['url']).split('#')[1]
  expect(
    (await send(other, eve.page, 'POST', '/api/workspaces/invitations/accept', { invitation })).value,
  ).toEqual({
    owner: 'ada',
    repo: 'board',
    role: 'viewer',
  })
  const { value } = await send(other, eve.page, 'POST', '/auth/keys', wanted)
  const key = { 'x-api-key': String(value['key']) }
  const ways = [eve.page, eve.application, key]
  using here = await openPage(one, eve)
  using there = await openPage(other, eve)
  for (const headers of ways) {
    expect((await send(other, headers, 'GET', `${BOARD}/current`)).status).toBe(200)
    expect((await reading(headers)).status).toBe(200)
    const refused = [
      await send(one, headers, 'POST', `${BOARD}/current/tabs`, { panelType: 'webview' }),
      await send(one, headers, 'DELETE', `${BOARD}/files/content?path=a.txt`),
      await send(one, headers, 'DELETE', BOARD),
      await send(one, headers, 'POST', `${BOARD}/invitations`, { role: 'editor' }),
      await send(one, headers, 'PUT', `${BOARD}/members/eve`, { role: 'editor' }),
    ]
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'not_permitted'))
  }
  const tab = { id: crypto.randomUUID(), panel: 'x', title: 'No' }
  there.socket.send(
    JSON.stringify({
      type: 'change',
      id: 'c',
      change: { type: 'addTab', tab, at: { leafId: crypto.randomUUID() } },
    }),
  )
  await waitUntil('the change is refused', () => there.heard.some(({ type }) => type === 'refused'))
  expect(there.heard.find(({ type }) => type === 'refused')).toMatchObject({ code: 'not_permitted' })

  const ended = performance.now()
  expect((await send(one, ada.page, 'DELETE', `${BOARD}/members/eve`)).status).toBe(204)
  for (const server of servers)
    for (const headers of ways)
      expect((await send(server, headers, 'GET', `${BOARD}/current`)).code).toBe('not_permitted')
  await waitUntil('both pages are closed', () => here.closed() !== undefined && there.closed() !== undefined)
  expect(performance.now() - ended).toBeLessThan(atLatest(2_000))
  expect([here.closed(), there.closed()]).toEqual(['workspace_not_permitted', 'workspace_not_permitted'])
  expect((await reading(key)).code).toBe('not_permitted')
  expect((await send(one, eve.page, 'GET', '/api/workspaces/shared')).value).toEqual({
    items: [],
    nextCursor: null,
  })
})
