import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { beginBrowserSession } from '../../src/sessions/browser-session.store.ts'
import { openIntent, outcomeOf, poll } from '../intents/intents.ts'
import { startIdentity } from '../start.ts'

const DAY_MS = 86_400_000

test('[C-70] the cookie is for this host, over TLS, and for no script', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { cookie } = await beginBrowserSession(node.deps, { ip: '127.0.0.1', headers: {} }, ada.personId)
  expect(cookie).toMatch(
    /^__Host-patchbay-session=bro_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
  )
})

test('[C-70] a cookie is no bearer token, and a bearer token no cookie', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const bearer = node.ask('/auth/whoami', { headers: { authorization: `Bearer ${ada.token}` } })
  expect(await outcomeOf(bearer)).toEqual([401, 'credential_invalid'])
  await node.db.updateTable('sessions').set({ kind: 'application' }).execute()
  expect(await outcomeOf(ada.ask('/auth/whoami'))).toEqual([401, 'sign_in_required'])
})

test('[C-71] without use a browser session ends after its idle time', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  node.clock.advance(7 * DAY_MS - 1_000)
  expect(
    (await node.db.selectFrom('sessions').select('idle_expires_at').executeTakeFirstOrThrow())
      .idle_expires_at,
  ).toEqual(new Date(node.clock.now().getTime() + 1_000))
  node.clock.advance(2_000)
  expect(await outcomeOf(ada.ask('/auth/whoami'))).toEqual([401, 'sign_in_required'])
})

test('[C-71] one second before the end of its idle time it is still good, and use prolongs it', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  node.clock.advance(7 * DAY_MS - 1_000)
  expect((await ada.ask('/auth/whoami')).status).toBe(200)
  node.clock.advance(7 * DAY_MS - 1_000)
  expect((await ada.ask('/auth/whoami')).status).toBe(200)
})

deepTest('[C-71] no use prolongs it beyond its absolute age', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  for (let day = 0; day < 29; day += 1) {
    node.clock.advance(DAY_MS)
    expect((await ada.ask('/auth/whoami')).status).toBe(200)
  }
  node.clock.advance(DAY_MS - 1_000)
  expect((await ada.ask('/auth/whoami')).status).toBe(200)
  node.clock.advance(2_000)
  expect(await outcomeOf(ada.ask('/auth/whoami'))).toEqual([401, 'sign_in_required'])
})

test('[C-71] of many requests at once, use is written once a minute', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const lastUsed = async () =>
    (await node.db.selectFrom('sessions').select('last_used_at').executeTakeFirstOrThrow()).last_used_at
  const created = await lastUsed()
  node.clock.advance(59_000)
  await ada.ask('/auth/whoami')
  expect(await lastUsed()).toEqual(created)
  node.clock.advance(1_000)
  await Promise.all(Array.from({ length: 10 }, () => ada.ask('/auth/whoami')))
  expect(await lastUsed()).toEqual(node.clock.now())
})

test('[C-72] signing in again ends the session that the browser had', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const request = { ip: '127.0.0.1', headers: { cookie: ada.cookie } }
  await beginBrowserSession(node.deps, request, ada.personId)
  expect(await outcomeOf(ada.ask('/auth/whoami'))).toEqual([401, 'sign_in_required'])
})

test('[C-72] signing out ends the session and drops the cookie, and needs the page', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const bare = node.ask('/auth/session', { method: 'DELETE', headers: { cookie: ada.cookie } })
  expect(await outcomeOf(bare)).toEqual([403, 'origin_not_allowed'])
  const out = await ada.change('DELETE', '/auth/session')
  expect(out.status).toBe(204)
  expect(out.headers.get('set-cookie')).toContain('__Host-patchbay-session=; ')
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
  expect(await outcomeOf(ada.ask('/auth/whoami'))).toEqual([401, 'sign_in_required'])
})

test('[C-73] a browser learns who is signed in with it', async () => {
  await using node = await startIdentity()
  const nobody = { person: null, csrf_token: null, new_application_sessions: 0 }
  expect(await (await node.ask('/auth/session')).json()).toEqual(nobody)
  const ada = await node.signedIn('ada')
  const answer = await ada.ask('/auth/session')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toEqual({
    person: { handle: 'ada', display_name: 'ada', is_admin: false },
    csrf_token: ada.csrf,
    new_application_sessions: 0,
  })
  node.clock.advance(31 * DAY_MS)
  expect(await (await ada.ask('/auth/session')).json()).toEqual(nobody)
})

test.for([
  ['a bearer token that is none', { authorization: 'Bearer tok_nothing' }],
  ['another scheme', { authorization: 'Basic YWRhOmFkYQ==' }],
  ['an empty bearer token', { authorization: 'Bearer' }],
  ['a key that is none', { 'x-api-key': 'nothing' }],
] as const)('[C-74] %s is refused, whatever cookie came along', async ([, headers]) => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const answer = node.ask('/auth/whoami', { headers: { ...headers, cookie: ada.cookie } })
  expect(await outcomeOf(answer)).toEqual([401, 'credential_invalid'])
})

deepTest('[C-74] a browser session speaks for its person', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  expect(await (await ada.ask('/auth/whoami')).json()).toMatchObject({
    person: { handle: 'ada', is_admin: true },
    credential: { kind: 'browser', label: null, scopes: null },
  })
})

test('[C-75] an application that signs out ends its session, and what the intent would still tell', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  await ada.change('PATCH', `/auth/intents/${token}`)
  const { session_token } = await poll(node, token)
  const headers = { authorization: `Bearer ${session_token}` }
  expect((await node.ask('/auth/session', { method: 'DELETE', headers })).status).toBe(204)
  expect(await outcomeOf(node.ask('/auth/session', { method: 'DELETE', headers }))).toEqual([
    401,
    'credential_invalid',
  ])
  expect(await outcomeOf(node.ask('/auth/whoami', { headers }))).toEqual([401, 'credential_invalid'])
  expect(await poll(node, token)).toMatchObject({ status: 410, code: 'intent_session_ended' })
})
