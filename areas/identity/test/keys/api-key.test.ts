import { randomUUID } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { recordSql } from '@patchbay/testkit/sql'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { findByApiKey, storeApiKey } from '../../src/keys/api-key.store.ts'
import { makeApiKey } from '../../src/keys/api-key.ts'
import { keyText } from '../../src/keys/key-text.ts'
import { isAllowed } from '../../src/keys/permission.store.ts'
import type { Principal } from '../../src/principal.ts'
import { findCredentials } from '../../src/sessions/credential.store.ts'
import { codeOf, makeKey, tally, withKey } from '../session-list/credentials.ts'
import { dumpTables } from '../session-list/dump.ts'
import { startTwoNodes } from '../session-list/two-nodes.ts'
import { createSecret, startIdentity } from '../start.ts'

const DAY_MS = 86_400_000

test('[C-203] a key speaks for its person, and whoami says what it is', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const scopes = ['packages:ada/*', 'panels:ada/board', 'packages:ada/*']
  const key = await makeKey(ada, { name: 'nightly build', scopes, expires_in_days: 30 })
  const response = await node.ask('/auth/whoami', withKey(key))
  expect(await response.json()).toEqual({
    person: { handle: 'ada', display_name: 'ada', is_admin: false },
    credential: {
      kind: 'api_key',
      label: 'nightly build',
      expires_at: '2026-01-31T00:00:00.000Z',
      scopes: ['packages:ada/*', 'panels:ada/board'],
    },
  })
})

test('[C-201] text that is no key is refused without a question to the database', async () => {
  await using node = await startIdentity()
  const good = keyText(createSecret())
  const asked = (key: string) => recordSql(node.db, (db) => findByApiKey({ ...node.deps, db }, key))
  for (const text of ['', 'pbk_', `${good}x`, good.toUpperCase(), `${good.slice(0, -6)}000000`]) {
    expect(await asked(text)).toBe('')
    const response = await node.ask('/auth/whoami', { headers: { 'x-api-key': text } })
    expect([response.status, await codeOf(response)]).toEqual([401, 'credential_invalid'])
  }
  expect(await asked(good)).toContain('api_keys')
})

test('[C-202] a key is in the answer that made it, and not in list, database or log', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { key, id } = await makeKey(ada)
  await node.ask('/auth/whoami', { headers: { 'x-api-key': key } })
  await node.ask('/auth/whoami', { headers: { 'x-api-key': `${key}x` } })
  const list = await (await ada.ask('/auth/keys')).text()
  const dump = await dumpTables(node.db)
  const secret = key.slice('pbk_'.length, -7)
  for (const text of [list, dump, node.lines.join('\n')]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(Buffer.from(key).toString('hex'))
    // Not even the part after what the prefix shows.
    expect(text).not.toContain(key.slice(10, 30))
  }
  expect(JSON.parse(list)).toEqual({
    items: [
      {
        id,
        name: 'deploy',
        prefix: key.slice(0, 10),
        scopes: ['packages:ada/*'],
        created_at: '2026-01-01T00:00:00.000Z',
        last_used_at: '2026-01-01T00:00:00.000Z',
        expires_at: null,
      },
    ],
  })
})

deepTest('[C-202] what the database has of a key is no key', async () => {
  await using node = await startIdentity()
  const { key } = await makeKey(await node.signedIn('ada'))
  const { key_hash: hash } = await node.db.selectFrom('api_keys').select('key_hash').executeTakeFirstOrThrow()
  const derived = [hash.toString('hex'), hash.toString('base64url'), keyText(hash.toString('base64url'))]
  const answers = await Promise.all(
    derived.map((text) => node.ask('/auth/whoami', { headers: { 'x-api-key': text } })),
  )
  expect(tally(answers)).toEqual({ 401: 3 })
  expect((await node.ask('/auth/whoami', withKey({ key, id: '' }))).status).toBe(200)
})

test('[C-204] a key that is revoked at one node is refused at the other', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const ada = await first.signedIn('ada')
  const bob = await first.signedIn('bob')
  const key = await makeKey(ada)
  expect((await second.ask('/auth/whoami', withKey(key))).status).toBe(200)
  const foreign = await bob.change('DELETE', `/auth/keys/${key.id}`)
  expect([foreign.status, await codeOf(foreign)]).toEqual([404, 'not_found'])
  expect((await second.ask('/auth/whoami', withKey(key))).status).toBe(200)
  expect((await ada.change('DELETE', `/auth/keys/${key.id}`)).status).toBe(204)
  expect((await second.ask('/auth/whoami', withKey(key))).status).toBe(401)
  expect((await ada.change('DELETE', `/auth/keys/${key.id}`)).status).toBe(404)
})

test('[C-205] a key ends at its end, to the second, and one without an end does not', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const ending = await makeKey(ada, { expires_in_days: 7 })
  const endless = await makeKey(ada)
  node.clock.advance(7 * DAY_MS - 1_000)
  expect((await node.ask('/auth/whoami', withKey(ending))).status).toBe(200)
  node.clock.advance(1_000)
  expect((await node.ask('/auth/whoami', withKey(ending))).status).toBe(401)
  node.clock.advance(1_000)
  expect((await node.ask('/auth/whoami', withKey(ending))).status).toBe(401)
  node.clock.advance(3_650 * DAY_MS)
  expect((await node.ask('/auth/whoami', withKey(endless))).status).toBe(200)
})

test('[C-206] when a key was last used is written at most once a minute', async () => {
  await using node = await startIdentity()
  const { key } = await makeKey(await node.signedIn('ada'))
  const use = () => recordSql(node.db, (db) => findByApiKey({ ...node.deps, db }, key))
  const usedAt = async () =>
    (
      await node.db.selectFrom('api_keys').select('last_used_at').executeTakeFirst()
    )?.last_used_at?.toISOString()
  expect(await usedAt()).toBeUndefined()
  expect(await use()).toContain('update')
  node.clock.advance(59_999)
  expect(await use()).not.toContain('update')
  expect(await usedAt()).toBe('2026-01-01T00:00:00.000Z')
  node.clock.advance(1)
  expect(await use()).toContain('update')
  expect(await usedAt()).toBe('2026-01-01T00:01:00.000Z')
})

deepTest('[C-206] of 24 uses at once on two nodes, one is written', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const { key } = await makeKey(await first.signedIn('ada'))
  await sql`create table key_writes (at timestamptz)`.execute(first.db)
  await sql`create function note_key_write() returns trigger language plpgsql
    as 'begin insert into key_writes values (new.last_used_at); return new; end'`.execute(first.db)
  await sql`create trigger note_key_write after update on api_keys
    for each row execute function note_key_write()`.execute(first.db)
  const uses = await Promise.all(
    Array.from({ length: 24 }, (_, index) => findByApiKey((index % 2 === 0 ? first : second).deps, key)),
  )
  expect(uses.map((principal) => principal?.handle)).toEqual(Array.from(uses, () => 'ada'))
  const { rows } = await sql`select at from key_writes`.execute(first.db)
  expect(rows).toHaveLength(1)
})

test('[C-207] a person has 50 keys, also when 60 are made at once on two nodes', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const ada = await first.signedIn('ada')
  const bob = await first.signedIn('bob')
  const body = { name: 'k', scopes: ['panels:ada/*'] }
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      ada.at(index % 2 === 0 ? first.url : second.url).change('POST', '/auth/keys', body),
    ),
  )
  expect(tally(answers)).toEqual({ 201: 50, 409: 10 })
  const refused = answers.filter(({ status }) => status === 409)
  expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(['limit_reached']))
  const { items } = (await (await ada.ask('/auth/keys')).json()) as { items: { id: string }[] }
  expect(items).toHaveLength(50)
  await ada.change('DELETE', `/auth/keys/${items[0]?.id}`)
  expect((await ada.change('POST', '/auth/keys', body)).status).toBe(201)
  expect((await bob.change('POST', '/auth/keys', { name: 'k', scopes: ['panels:bob/*'] })).status).toBe(201)
})

test('[C-208] keys are listed newest first, their own person’s alone, and no cache keeps them', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  await makeKey(await node.signedIn('bob'))
  for (const name of ['first', 'second', 'third']) {
    await makeKey(ada, { name })
    node.clock.advance(1)
  }
  const list = await ada.ask('/auth/keys')
  const { items } = (await list.json()) as { items: { name: string }[] }
  expect(items.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
  expect(list.headers.get('cache-control')).toBe('no-store')
  const made = await ada.change('POST', '/auth/keys', { name: 'k', scopes: ['panels:ada/*'] })
  expect(made.headers.get('cache-control')).toBe('no-store')
})

test('[C-214] the SQL of keys and permissions is as reviewed', async () => {
  await using node = await startIdentity()
  const person = await node.signedIn('ada')
  const { key, kept } = makeApiKey(
    { name: 'k', scopes: ['panels:ada/*'], expiresInSeconds: 86_400 },
    createSecret(),
    node.clock.now(),
  )
  await expect(await recordSql(node.db, (db) => storeApiKey(db, person, kept))).toMatchFileSnapshot(
    'snapshots/store-api-key.sql',
  )
  await expect(await recordSql(node.db, (db) => findByApiKey({ ...node.deps, db }, key))).toMatchFileSnapshot(
    'snapshots/find-by-api-key.sql',
  )
  const principal = (await findByApiKey(node.deps, key)) as Principal
  const unscoped = { ...principal, credential: { ...principal.credential, scopes: null } }
  await expect(
    await recordSql(node.db, (db) => isAllowed({ db }, unscoped, 'panels', 'acme', 'board', 'read')),
  ).toMatchFileSnapshot('snapshots/is-allowed.sql')
})

test('[C-290] O4: of credentials, those that were removed are not found', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  await makeKey(ada, { name: 'k', scopes: ['panels:ada/*'] })
  const key = await node.db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow()
  const session = await node.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
  const ids = [key.id, session.id, randomUUID()]
  expect(await findCredentials(node.db, ids)).toEqual(new Set([key.id, session.id]))
  await ada.change('DELETE', `/auth/keys/${key.id}`)
  expect(await findCredentials(node.db, ids)).toEqual(new Set([session.id]))
})
