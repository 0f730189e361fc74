import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { expect, test } from 'vitest'
import { BLINKY, LAMPS } from './archives.ts'
import { type Headers, PUBLIC_URL, type SignedIn, signIn } from './people.ts'
import { migratedDatabase, startTestServer } from './start.ts'

async function startInstallation() {
  await using cleanup = new AsyncDisposableStack()
  const migrated = cleanup.use(await migratedDatabase())
  const server = cleanup.use(
    await startTestServer({ DATABASE_URL: migrated.url, PATCHBAY_PUBLIC_URL: PUBLIC_URL }),
  )
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: migrated.url, poolSize: 2, applicationName: 'test' }),
  )
  const [ada, bob] = [await signIn(db, server, 'ada'), await signIn(db, server, 'bob')]
  const send = async (headers: Headers, method: string, path: string, body?: object) => {
    const answer = await server.ask(path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const json = answer.status === 204 ? {} : ((await answer.json()) as { code?: string; key?: string })
    return { ...json, outcome: json.code ?? answer.status }
  }
  const publish = async (archive: Uint8Array<ArrayBuffer>, visibility: string) => {
    const headers = { ...ada.page, 'content-type': 'application/zip' }
    const path = `/registry/owners/ada/packages?visibility=${visibility}`
    expect((await server.ask(path, { method: 'POST', headers, body: archive })).status).toBe(201)
  }
  await send(bob.page, 'PUT', '/api/workspaces/editor/bob/board', {})
  const keyOf = async (who: SignedIn, ...scopes: string[]): Promise<Headers> => {
    const { key = '' } = await send(who.page, 'POST', '/auth/keys', { name: 'k', scopes })
    return { 'x-api-key': key }
  }
  const add = (headers: Headers, identifier = 'com.example.lamps') =>
    send(headers, 'PUT', `/api/workspaces/editor/bob/board/boards/libraries/${identifier}`, {})
  const owned = cleanup.move()
  return { ada, bob, send, publish, keyOf, add, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('[H-82] a library of the registry is added by whoever may read it, and nothing else is', async () => {
  await using installation = await startInstallation()
  const { ada, bob, publish, keyOf, add } = installation
  await publish(LAMPS, 'private')
  await publish(BLINKY, 'public')
  expect((await add(bob.page)).outcome).toBe('package_not_found')
  expect((await add(bob.page, 'com.example.nothing')).outcome).toBe('package_not_found')
  expect((await add(bob.page, 'com.example.blinky')).outcome).toBe('board_library_refused')
  expect((await add(ada.page)).outcome).toBe('not_permitted')
  expect((await add(await keyOf(bob, 'files:read:bob/board'))).outcome).toBe('not_permitted')
})

test('[H-82] adding a library counts as a download, and notes who did it', async () => {
  await using installation = await startInstallation()
  const { ada, bob, send, publish, keyOf, add } = installation
  await publish(LAMPS, 'public')
  expect(await add(await keyOf(bob, 'files:write:bob/board'))).toMatchObject({
    outcome: 201,
    version: '1.0',
    symbols: [{ nickname: 'PCM_Lamps' }],
    addedBy: 'bob',
  })
  const version = '/registry/owners/ada/packages/com.example.lamps/versions/1.0'
  expect((await send(ada.page, 'DELETE', version)).outcome).toBe('version_delete_refused')
})
