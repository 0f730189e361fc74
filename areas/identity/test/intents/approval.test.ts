import { expect, test } from 'vitest'
import { approve } from '../../src/intents/decision.store.ts'
import { decisionRefusal } from '../../src/intents/intent.ts'
import { startIdentity } from '../start.ts'
import { openIntent, outcomeOf, poll } from './intents.ts'

test('[C-30] nobody, an application and a script cannot decide', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const approved = await openIntent(node)
  await ada.change('PATCH', `/auth/intents/${approved.token}`)
  const { session_token } = await poll(node, approved.token)
  const { token } = await openIntent(node)
  const decide = (headers: Record<string, string>, decision: string) =>
    outcomeOf(
      node.ask(`/auth/intents/${token}`, {
        method: 'PATCH',
        headers: { origin: 'http://patchbay.localhost', 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ decision }),
      }),
    )
  for (const decision of ['approve', 'decline']) {
    expect(await decide({}, decision)).toEqual([401, 'sign_in_required'])
    expect(await decide({ authorization: `Bearer ${session_token}` }, decision)).toEqual([
      403,
      'browser_session_required',
    ])
    // A bearer token beside a cookie is what counts: the more deliberate of the two.
    expect(
      await decide(
        { authorization: `Bearer ${session_token}`, cookie: ada.cookie, 'x-csrf-token': ada.csrf },
        decision,
      ),
    ).toEqual([403, 'browser_session_required'])
    expect(await decide({ 'x-api-key': 'pbk_nothing' }, decision)).toEqual([401, 'credential_invalid'])
  }
  expect(await poll(node, token)).toMatchObject({ state: 'pending' })
})

test('[C-30] an account that was disabled after its session was looked up approves nothing', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  await node.db.updateTable('people').set({ disabled_at: node.clock.now() }).execute()
  expect(await approve(node.deps, token, ada)).toBeUndefined()
  const open = {
    linkedAt: null,
    declinedAt: null,
    expiredAt: null,
    expiresAt: new Date(node.clock.now().getTime() + 1),
  }
  expect(decisionRefusal(open, node.clock.now()).code).toBe('sign_in_required')
  expect(await poll(node, token)).toMatchObject({ state: 'pending' })
})

test('[C-31] a decision needs the page and the session that it claims to come from', async () => {
  await using node = await startIdentity()
  const [ada, eve] = [await node.signedIn('ada'), await node.signedIn('eve')]
  const { token } = await openIntent(node)
  const decide = (headers: Record<string, string>) =>
    outcomeOf(
      node.ask(`/auth/intents/${token}`, { method: 'PATCH', headers: { cookie: ada.cookie, ...headers } }),
    )
  const origin = 'http://patchbay.localhost'
  expect(await decide({ 'x-csrf-token': ada.csrf })).toEqual([403, 'origin_not_allowed'])
  expect(await decide({ 'x-csrf-token': ada.csrf, origin: 'http://evil.localhost' })).toEqual([
    403,
    'origin_not_allowed',
  ])
  expect(await decide({ 'x-csrf-token': ada.csrf, origin: 'null' })).toEqual([403, 'origin_not_allowed'])
  expect(await decide({ origin })).toEqual([403, 'csrf_token_required'])
  expect(await decide({ origin, 'x-csrf-token': '' })).toEqual([403, 'csrf_token_required'])
  expect(await decide({ origin, 'x-csrf-token': eve.csrf })).toEqual([403, 'csrf_token_required'])
  expect(await poll(node, token)).toMatchObject({ state: 'pending' })
  expect(await decide({ origin, 'x-csrf-token': ada.csrf })).toEqual([200, undefined])
})

test('[C-32] an application session can end itself, and nothing else of the account', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  await ada.change('PATCH', `/auth/intents/${token}`)
  const { session_token } = await poll(node, token)
  const headers = { authorization: `Bearer ${session_token}`, origin: 'http://patchbay.localhost' }
  const waiting = await openIntent(node)
  expect(await outcomeOf(node.ask(`/auth/intents/${waiting.token}/request`, { headers }))).toEqual([
    403,
    'browser_session_required',
  ])
  const { person } = (await (await node.ask('/auth/session', { headers })).json()) as { person: unknown }
  expect(person).toBeNull()
  expect((await node.ask('/auth/session', { method: 'DELETE', headers })).status).toBe(204)
  expect(await outcomeOf(node.ask('/auth/whoami', { headers }))).toEqual([401, 'credential_invalid'])
  expect((await ada.ask('/auth/whoami')).status).toBe(200)
})
