import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { startWithIssuers } from '../oidc/with-issuer.ts'
import { startIdentity } from '../start.ts'
import { codeOf, sortedStatuses, Visitor } from './visitor.ts'

test('[C-107] of two who ask for one handle at once, one gets it and the other leaves nothing behind', async () => {
  await using running = await startWithIssuers()
  const { node } = running
  const visitors = [new Visitor(node), new Visitor(node)] as const
  await visitors[0].signInWith('company', 'ada')
  await visitors[1].signInWith('company', 'grace')
  const body = { handle: 'first', display_name: 'First' }
  const answers = await Promise.all(visitors.map((visitor) => visitor.post('/auth/sign-up', body)))
  expect(sortedStatuses(answers)).toEqual([201, 409])
  for (const table of ['handles', 'people', 'external_identities', 'sessions'] as const) {
    expect(await node.db.selectFrom(table).selectAll().execute()).toHaveLength(1)
  }
  const second = visitors[answers[0]?.status === 201 ? 1 : 0]
  expect(await second.whoAmI()).toBeNull()
  expect((await second.post('/auth/sign-up', { ...body, handle: 'second' })).status).toBe(201)
  expect(await second.whoAmI()).toBe('second')
})

test('[C-107] a handle that an organization has is taken', async () => {
  await using running = await startWithIssuers()
  await running.node.db.insertInto('handles').values({ handle: 'acme', kind: 'organization' }).execute()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  const taken = await visitor.post('/auth/sign-up', { handle: 'acme', display_name: 'Ada' })
  expect([taken.status, await codeOf(taken)]).toEqual([409, 'handle_taken'])
})

test('[C-108] a reserved handle is taken, by whichever way somebody signs up', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  for (const handle of ['admin', 'sign-in', 'patchbay', 'null']) {
    const body = { handle, display_name: 'Ada' }
    const byIssuer = await visitor.post('/auth/sign-up', body)
    expect([byIssuer.status, await codeOf(byIssuer)]).toEqual([409, 'handle_taken'])
    const byPasskey = await visitor.post('/auth/passkeys/sign-up/options', body)
    expect([byPasskey.status, await codeOf(byPasskey)]).toEqual([409, 'handle_taken'])
  }
  expect(await running.node.db.selectFrom('handles').selectAll().execute()).toEqual([])
})

deepTest('[C-109] the suggested handle is one that is free', async () => {
  await using running = await startWithIssuers({
    accounts: [
      { sub: '1', email: 'ada+patchbay@example.test', name: 'Ada' },
      { sub: '2', email: 'admin@example.test', name: 'The Administrator' },
      { sub: '3', email: '???@example.test', name: 'Zoë Żółkiewska' },
      { sub: '4', email: '??', name: '\u202E\u200B' },
    ],
  })
  await running.node.signedIn('ada')
  await running.node.signedIn('ada-2')
  const suggestions = []
  for (const account of ['1', '2', '3', '4']) {
    const visitor = new Visitor(running.node)
    await visitor.signInWith('company', account)
    const { suggested_handle, display_name } = await (await visitor.ask('/auth/sign-up')).json()
    suggestions.push([suggested_handle, display_name])
    const body = { handle: suggested_handle, display_name }
    expect((await visitor.post('/auth/sign-up', body)).status).toBe(201)
  }
  expect(suggestions).toEqual([
    ['ada-3', 'Ada'],
    ['admin-2', 'The Administrator'],
    ['zoe-zolkiewska', 'Zoë Żółkiewska'],
    ['user', 'user'],
  ])
})

test('[C-116] an identity that two tabs sign up at once becomes one account', async () => {
  await using running = await startWithIssuers()
  const { node } = running
  const tabs = [new Visitor(node), new Visitor(node)] as const
  for (const tab of tabs) expect(await tab.signInWith('company', 'ada')).toBe('/sign-up')
  const answers = await Promise.all(
    tabs.map((tab, index) => tab.post('/auth/sign-up', { handle: `ada-${index}`, display_name: 'Ada' })),
  )
  expect(sortedStatuses(answers)).toEqual([201, 410])
  for (const table of ['handles', 'people', 'external_identities'] as const) {
    expect(await node.db.selectFrom(table).selectAll().execute()).toHaveLength(1)
  }
})

test('[C-105] one sign-up that is sent twice at once makes one account', async () => {
  await using running = await startWithIssuers()
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada')
  const send = async (handle: string) => await visitor.post('/auth/sign-up', { handle, display_name: 'Ada' })
  const answers = await Promise.all([send('one'), send('two')])
  expect(sortedStatuses(answers)).toEqual([201, 410])
  expect(await running.node.db.selectFrom('handles').selectAll().execute()).toHaveLength(1)
})

const PUBLIC_POSTS = [
  ['/auth/sign-up', { handle: 'ada', display_name: 'Ada' }],
  ['/auth/invitations/check', { invitation: 'x' }],
  ['/auth/passkeys/sign-in/options', undefined],
  ['/auth/passkeys/sign-in', { credential: {} }],
  ['/auth/passkeys/sign-up/options', { handle: 'ada', display_name: 'Ada' }],
  ['/auth/passkeys/sign-up', { credential: {} }],
] as const

test('[C-113] without Origin, or from another site, nobody signs in or up', async () => {
  await using node = await startIdentity()
  for (const [path, body] of PUBLIC_POSTS) {
    for (const origin of [undefined, 'https://evil.example', 'null']) {
      const refused = await node.ask(path, {
        method: 'POST',
        headers: {
          ...(origin === undefined ? {} : { origin }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect([path, refused.status, await codeOf(refused)]).toEqual([path, 403, 'origin_not_allowed'])
    }
  }
})

test('[C-115] what begins or finishes a ceremony is limited to 60 a minute', async () => {
  await using node = await startIdentity()
  const visitor = new Visitor(node)
  for (const [path, body] of [...PUBLIC_POSTS, ['/auth/passkeys/options', undefined] as const]) {
    const statuses = []
    for (let request = 0; request < 61; request += 1) statuses.push((await visitor.post(path, body)).status)
    expect([path, statuses.indexOf(429)]).toEqual([path, 60])
  }
  const starts = []
  for (let request = 0; request < 61; request += 1)
    starts.push((await visitor.start('nobody')).headers.get('location'))
  expect(starts.indexOf('/sign-in?problem=rate_limited')).toBe(60)
})

test('[C-114] the sign-in page learns names and policy, and no address or client of an issuer', async () => {
  await using running = await startWithIssuers({ ids: ['company', 'other'], settings: { signUp: 'invited' } })
  const answer = await running.node.ask('/auth/sign-in')
  expect(await answer.json()).toEqual({
    issuers: [
      { id: 'company', name: 'The company' },
      { id: 'other', name: 'The other' },
    ],
    sign_up: 'invited',
  })
})
