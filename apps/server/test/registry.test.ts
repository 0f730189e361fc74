import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IdentityTables } from '@patchbay/identity'
import { readConfig } from '@patchbay/kernel/config'
import { createDatabase } from '@patchbay/kernel/postgres'
import { expect, onTestFinished, test } from 'vitest'
import { serverConfig } from '../src/index.ts'
import { BLINKY } from './archives.ts'
import { type Headers, PUBLIC_URL, type SignedIn, signIn } from './people.ts'
import { migratedDatabase, startTestServer } from './start.ts'

async function startAcme() {
  const cleanup = new AsyncDisposableStack()
  const migrated = cleanup.use(await migratedDatabase())
  const server = cleanup.use(
    await startTestServer({ DATABASE_URL: migrated.url, PATCHBAY_PUBLIC_URL: PUBLIC_URL }),
  )
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: migrated.url, poolSize: 2, applicationName: 'test' }),
  )
  const [ada, bob, carl] = [
    await signIn(db, server, 'ada'),
    await signIn(db, server, 'bob'),
    await signIn(db, server, 'carl'),
  ]
  const change = async (who: SignedIn, method: string, path: string, body: unknown) => {
    const headers = { ...who.page, 'content-type': 'application/json' }
    const response = await server.ask(path, { method, headers, body: JSON.stringify(body) })
    expect([path, response.status]).toEqual([path, expect.toBeOneOf([200, 201, 204])])
    return response
  }
  const keyOf = async (who: SignedIn, ...scopes: string[]): Promise<Headers> => {
    const { key } = (await (await change(who, 'POST', '/auth/keys', { name: 'k', scopes })).json()) as {
      key: string
    }
    return { 'x-api-key': key }
  }
  const setRole = (role: string) => change(ada, 'PUT', '/auth/organizations/acme/members/bob', { role })
  await change(ada, 'POST', '/auth/organizations', { handle: 'acme', display_name: 'Acme' })
  const outcomeOf = async (path: string, init: RequestInit) => {
    const response = await server.ask(path, init)
    const { code } = (await response.json()) as { code?: string }
    return code ?? response.status
  }
  /** Private, so that reading it is a question too. */
  const publish = (headers: Headers) =>
    outcomeOf('/registry/owners/acme/packages?visibility=private', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/zip' },
      body: BLINKY,
    })
  const read = (headers: Headers) => outcomeOf('/registry/packages/com.example.blinky', { headers })
  const people = { ada, bob, carl }
  return {
    server,
    people,
    keyOf,
    setRole,
    publish,
    read,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

test('[S-20] the registry knows people by their sessions and keys, and what each may do', async () => {
  await using acme = await startAcme()
  const { people, keyOf, setRole, publish, read } = acme
  const { ada, bob, carl } = people
  await setRole('maintainer')
  const keyOfBob = await keyOf(bob, 'packages:acme/*')
  await setRole('member')
  const whole = await keyOf(ada, 'packages:acme/*')
  const exact = await keyOf(ada, 'packages:acme/com.example.blinky')
  const { cookie, page } = ada

  const rows: readonly (readonly [string, Headers, string | number, string | number])[] = [
    ['first, a session of an application', ada.application, 201, 200],
    ['nobody', {}, 'sign_in_required', 'package_not_found'],
    [
      'a token that is no good',
      { authorization: 'Bearer tok_x' },
      'credential_invalid',
      'credential_invalid',
    ],
    ['a browser on a page of ours', page, 200, 200],
    [
      'a browser without the CSRF token',
      { ...cookie, origin: page['origin'] ?? '' },
      'csrf_token_required',
      200,
    ],
    ['a browser without Origin', cookie, 'origin_not_allowed', 200],
    ['a browser on another page', { ...page, origin: 'https://evil.example' }, 'origin_not_allowed', 200],
    ['a key of the owner', whole, 200, 200],
    ['a key of the package', exact, 200, 200],
    [
      'a key of another package',
      await keyOf(ada, 'packages:acme/com.example.x'),
      'not_permitted',
      'package_not_found',
    ],
    ['a key of another area', await keyOf(ada, 'panels:acme/*'), 'not_permitted', 'package_not_found'],
    ['a key of another owner', await keyOf(ada, 'packages:ada/*'), 'not_permitted', 'package_not_found'],
    ['a member', bob.application, 'not_permitted', 200],
    ['a key of somebody who was a maintainer', keyOfBob, 'not_permitted', 200],
    ['a stranger', carl.application, 'not_permitted', 'package_not_found'],
    ['a stranger in a browser', carl.page, 'not_permitted', 'package_not_found'],
  ]
  const outcomes = []
  for (const [name, headers] of rows) outcomes.push([name, await publish(headers), await read(headers)])
  expect(outcomes).toEqual(rows.map(([name, , published, seen]) => [name, published, seen]))
  await setRole('maintainer')
  expect([await publish(bob.application), await publish(keyOfBob)]).toEqual([200, 200])
})

test('[S-21] half of a signing configuration, and brands that no field can carry, are faults', () => {
  const check = (environment: Record<string, string>) => () =>
    readConfig(serverConfig, { DATABASE_URL: 'postgres://localhost/x', ...environment })
  expect(check({ PATCHBAY_TRUST_FOLDER: '/x' })).toThrow('PATCHBAY_TRUST_ONLINE_KEY_FILE')
  expect(check({ PATCHBAY_TRUST_ONLINE_KEY_FILE: '/x' })).toThrow('PATCHBAY_TRUST_FOLDER')
  expect(check({ PATCHBAY_TOOL_BRANDS: 'kicad,KiCad' })).toThrow('PATCHBAY_TOOL_BRANDS')
  expect(check({ PATCHBAY_OUTBOUND_NETWORKS: '10.0.0.0/40' })).toThrow('PATCHBAY_OUTBOUND_NETWORKS')
  expect(check({ PATCHBAY_TOOL_BRANDS: 'kicad, other' })()).toMatchObject({ toolBrands: ['kicad', 'other'] })
})

test('[S-22] archives wait in the folder that the configuration names, and no larger ones are taken than can be installed', async () => {
  const spool = await mkdtemp(join(tmpdir(), 'patchbay-spool-test-'))
  onTestFinished(() => rm(spool, { recursive: true, force: true }))
  await using _server = await startTestServer({ PATCHBAY_SPOOL_FOLDER: spool })
  expect(await readdir(spool)).toContain('registry')
  const check = (megabytes: string) => () =>
    readConfig(serverConfig, { DATABASE_URL: 'postgres://localhost/x', PATCHBAY_MAX_ARCHIVE_MB: megabytes })
  expect(check('512')()).toMatchObject({ maxArchiveMb: 512 })
  expect(check('513')).toThrow('PATCHBAY_MAX_ARCHIVE_MB')
})

test('[A-555] R9: private files are read with an API key as the password of HTTP Basic, and nothing else is', async () => {
  await using acme = await startAcme()
  const { keyOf, people, publish, server } = acme
  expect(await publish(people.ada.application)).toBe(201)
  const { 'x-api-key': key = '' } = await keyOf(people.ada, 'packages:acme/*')
  const basic = (name: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  })
  const archive = `/registry/archives/${createHash('sha256').update(BLINKY).digest('hex')}/com.example.blinky-1.0.0.zip`
  for (const name of ['', 'anybody', 'a b']) {
    const answer = await server.ask(archive, { headers: basic(name, key) })
    expect([name, answer.status]).toEqual([name, 200])
  }
  expect((await server.ask(archive)).status).toBe(404)
  for (const path of [archive, '/registry/feeds/tool/acme/private/repository.json']) {
    const wrong = await server.ask(path, { headers: basic('x', 'pk_wrong') })
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer, Basic realm="Patchbay", charset="UTF-8"',
    ])
  }
  const elsewhere = await server.ask('/registry/owners/acme/packages', { headers: basic('x', key) })
  expect([elsewhere.status, elsewhere.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})
