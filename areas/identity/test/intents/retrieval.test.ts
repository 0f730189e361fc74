import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { startIdentity } from '../start.ts'
import { createVerifier, openIntent, outcomeOf, poll } from './intents.ts'

const STREAM = { accept: 'text/event-stream' }

test('[C-20] an intent with a challenge exists for nobody who cannot answer it', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { verifier, challenge } = createVerifier()
  const { token } = await openIntent(node, { code_challenge: challenge })
  const path = `/auth/intents/${token}/status`
  const strangers: Record<string, string>[] = [
    {},
    { 'intent-verifier': '' },
    { 'intent-verifier': challenge },
    { 'intent-verifier': createVerifier().verifier },
    { 'intent-verifier': `${verifier}x` },
  ]
  const expectHidden = async () => {
    for (const headers of strangers) {
      expect(await outcomeOf(node.ask(`/auth/intents/${token}`, { headers }))).toEqual([
        404,
        'intent_not_found',
      ])
      expect(await poll(node, token, headers)).toMatchObject({ status: 404, code: 'intent_not_found' })
      expect(await outcomeOf(node.ask(path, { headers: { ...headers, ...STREAM } }))).toEqual([
        404,
        'intent_not_found',
      ])
    }
  }
  await expectHidden()
  expect(await poll(node, token, { 'intent-verifier': verifier })).toMatchObject({ state: 'pending' })
  await ada.change('PATCH', `/auth/intents/${token}`)
  await expectHidden()
  const row = await node.db.selectFrom('intents').select('consumed_at').executeTakeFirstOrThrow()
  expect(row.consumed_at).toBeNull()
  const own = { 'intent-verifier': verifier }
  const first = await poll(node, token, own)
  expect(first).toMatchObject({ state: 'authenticated' })
  // Whoever has the verifier is the same caller, from wherever.
  expect(await poll(node, token, { ...own, 'user-agent': 'another machine' })).toEqual(first)
  await expectHidden()
})

test('[C-21] an intent without a challenge belongs to its first retriever', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  await ada.change('PATCH', `/auth/intents/${token}`)
  const app = { 'user-agent': 'app/1' }
  const first = await poll(node, token, app)
  expect(first).toMatchObject({ status: 200, state: 'authenticated' })
  const stranger = { 'user-agent': 'stranger/1' }
  expect(await poll(node, token, stranger)).toMatchObject({ status: 410, code: 'intent_consumed' })
  const stream = node.ask(`/auth/intents/${token}/status`, { headers: { ...stranger, ...STREAM } })
  expect(await outcomeOf(stream)).toEqual([410, 'intent_consumed'])
  expect(await poll(node, token, app)).toEqual(first)
})

test('[C-21] of many callers at once one retrieves, as often as it likes', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  await ada.change('PATCH', `/auth/intents/${token}`)
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const caller = `caller/${index % 6}`
      return { caller, ...(await poll(node, token, { 'user-agent': caller })) }
    }),
  )
  const winners = new Set(answers.filter(({ status }) => status === 200).map(({ caller }) => caller))
  expect(winners.size).toBe(1)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(answers.filter(({ code }) => code === 'intent_consumed')).toHaveLength(50)
})

test('[C-21] a caller that keeps cookies is known by its cookie, wherever it goes', async () => {
  await using node = await startIdentity({ trustedProxies: ['127.0.0.1'] })
  const ada = await node.signedIn('ada')
  const created = await node.ask('/auth/intents', { method: 'POST' })
  const cookie = created.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(created.headers.get('set-cookie')).toMatch(
    /^__Host-patchbay-caller=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
  )
  const { token } = (await created.json()) as { token: string }
  await ada.change('PATCH', `/auth/intents/${token}`)
  const from = (address: string) => ({ 'x-forwarded-for': address, 'user-agent': 'app/1' })
  const first = await poll(node, token, { ...from('192.0.2.1'), cookie })
  expect(first).toMatchObject({ state: 'authenticated' })
  expect(await poll(node, token, { ...from('198.51.100.7'), cookie })).toEqual(first)
  expect(await poll(node, token, from('192.0.2.1'))).toMatchObject({ code: 'intent_consumed' })
})

test('[C-21] S3: without cookies a caller is its whole address and its user agent', async () => {
  await using node = await startIdentity({ trustedProxies: ['127.0.0.1'] })
  const ada = await node.signedIn('ada')
  const from = (address: string, agent = 'app/1') => ({ 'x-forwarded-for': address, 'user-agent': agent })
  for (const [own, neighbor] of [
    ['192.0.2.1', '192.0.2.250'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
  ] as const) {
    const { token } = await openIntent(node)
    await ada.change('PATCH', `/auth/intents/${token}`)
    const first = await poll(node, token, from(own))
    expect(first).toMatchObject({ state: 'authenticated' })
    expect(await poll(node, token, from(own))).toEqual(first)
    expect(await poll(node, token, from(neighbor))).toMatchObject({ code: 'intent_consumed' })
    expect(await poll(node, token, from(own, 'app/2'))).toMatchObject({ code: 'intent_consumed' })
  }
})

test('[C-22] S3: a neighbor in the same network with the same user agent is somebody else', async () => {
  await using node = await startIdentity({ trustedProxies: ['127.0.0.1'] })
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  for (const address of ['192.0.2.1', '192.0.2.250'])
    await poll(node, token, { 'x-forwarded-for': address, 'user-agent': 'app/1' })
  const answer = await ada.ask(`/auth/intents/${token}/request`)
  expect(await answer.json()).toMatchObject({ is_watched_by_others: true })
})

deepTest('[C-22] two different watchers put a warning on the approval page, one does not', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  const isWatched = async () => {
    const answer = await ada.ask(`/auth/intents/${token}/request`)
    return ((await answer.json()) as { is_watched_by_others: boolean }).is_watched_by_others
  }
  expect(await isWatched()).toBe(false)
  for (let count = 0; count < 3; count += 1) await poll(node, token, { 'user-agent': 'app/1' })
  expect(await isWatched()).toBe(false)
  await poll(node, token, { 'user-agent': 'stranger/1' })
  expect(await isWatched()).toBe(true)
  await poll(node, token, { 'user-agent': 'app/1' })
  expect(await isWatched()).toBe(true)
})

test('[C-22] looking at the intent is watching, too', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  await poll(node, token, { 'user-agent': 'app/1' })
  await node.ask(`/auth/intents/${token}`, { headers: { 'user-agent': 'app/1' } })
  const request = async () => await (await ada.ask(`/auth/intents/${token}/request`)).json()
  expect(await request()).toMatchObject({ is_watched_by_others: false })
  await node.ask(`/auth/intents/${token}`, { headers: { 'user-agent': 'stranger/1' } })
  expect(await request()).toMatchObject({ is_watched_by_others: true })
})

test('[C-23] an operator can demand verifiers', async () => {
  await using node = await startIdentity({ settings: { requiresVerifier: true } })
  const bare = node.ask('/auth/intents', { method: 'POST' })
  expect(await outcomeOf(bare)).toEqual([400, 'challenge_required'])
  const { challenge } = createVerifier()
  expect((await openIntent(node, { code_challenge: challenge })).completed).toBe(false)
})

deepTest.for([
  ['origin', 'https://kicad.org', 'https://kicad.org', 'Says it is a page of https://kicad.org'],
  ['origin', 'null', 'an unknown site', 'Says it is a page of an unknown site'],
  ['user-agent', 'page https://kicad.org', null, 'An unknown program'],
  ['user-agent', 'page page https://kicad.org', null, 'An unknown program'],
  ['user-agent', 'page curl/8.5.0', null, 'curl'],
] as const)('[C-280] %s: %s names the site %s, as a claim', async ([name, value, site, device]) => {
  await using node = await startIdentity({ trustedProxies: ['127.0.0.1'] })
  const ada = await node.signedIn('ada')
  const begun = await node.ask('/auth/intents', {
    method: 'POST',
    headers: { 'x-forwarded-for': '203.0.113.9', [name]: value },
  })
  const { token } = (await begun.json()) as { token: string }
  const answer = await ada.ask(`/auth/intents/${token}/request`)
  expect(await answer.json()).toMatchObject({ requested_from: { site, device, is_your_network: false } })
})

test('[C-24] the approval page learns who asks, and only with a browser session', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const created = await node.ask('/auth/intents', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'patchbay/1.0 (linux)' },
    body: JSON.stringify({ label: 'Patchbay CLI', max_age: 86_400 }),
  })
  const { token, expires_at } = (await created.json()) as { token: string; expires_at: string }
  const path = `/auth/intents/${token}/request`
  expect(await (await ada.ask(path)).json()).toEqual({
    label: 'Patchbay CLI',
    requested_from: { network: '127.0.0.1', device: 'patchbay on Linux', site: null, is_your_network: true },
    created_at: node.clock.now().toISOString(),
    expires_at,
    max_age: 86_400,
    confirmation_code: expect.any(String),
    is_watched_by_others: false,
  })
  expect(await outcomeOf(node.ask(path))).toEqual([401, 'sign_in_required'])
  await ada.change('PATCH', `/auth/intents/${token}`)
  expect(await outcomeOf(ada.ask(path))).toEqual([409, 'intent_already_linked'])
})
