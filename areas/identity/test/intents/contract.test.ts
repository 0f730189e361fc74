import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { approve } from '../../src/intents/decision.store.ts'
import { startIdentity } from '../start.ts'
import { openIntent, outcomeOf, poll } from './intents.ts'

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

deepTest('[C-1] an intent has every field of the contract, and lives 15 minutes', async () => {
  await using node = await startIdentity()
  const answer = await node.ask('/auth/intents', { method: 'POST' })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const intent = (await answer.json()) as Record<string, unknown>
  expect(intent).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    created_at: expect.stringMatching(UTC),
    expires_at: expect.stringMatching(UTC),
    requested_max_age: 7_776_000,
    auth_url: expect.any(String),
    updates_url: expect.any(String),
    completed: false,
    confirmation_code: expect.any(String),
  })
  expect(Date.parse(String(intent['expires_at'])) - Date.parse(String(intent['created_at']))).toBe(900_000)
})

deepTest.for([
  [{}, 7_776_000],
  [{ max_age: 3_600 }, 3_600],
  [{ max_age: 1 }, 1],
  [{ max_age: 7_776_001 }, 7_776_001],
  [{ max_age: 365 * 86_400 }, 365 * 86_400],
] as const)('[C-2] %j gives a session of %d seconds', async ([body, seconds]) => {
  await using node = await startIdentity()
  expect((await openIntent(node, body)).requested_max_age).toBe(seconds)
})

deepTest('[C-2] the operator can allow less, also to those who ask for nothing', async () => {
  await using node = await startIdentity({ settings: { maxSessionSeconds: 86_400 } })
  expect((await openIntent(node)).requested_max_age).toBe(86_400)
  expect((await openIntent(node, { max_age: 86_400 })).requested_max_age).toBe(86_400)
  expect((await openIntent(node, { max_age: 60 })).requested_max_age).toBe(60)
})

test.for([86_401, 99_999_999, 1e300])(
  '[C-2] C10: %d seconds are more than the operator allows, and the refusal names the maximum',
  async (max_age) => {
    await using node = await startIdentity({ settings: { maxSessionSeconds: 86_400 } })
    const answer = await node.ask('/auth/intents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ max_age }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'max_age_too_long', max_age: 86_400 })
  },
)

test.for([{ max_age: 0 }, { max_age: -1 }, { max_age: 1.5 }, { max_age: '60' }, { max_age: null }])(
  '[C-2] %j is refused',
  async (body) => {
    await using node = await startIdentity()
    await expect(openIntent(node, body)).rejects.toThrow('400')
  },
)

test('[C-3] the addresses hold the token where the contract has it', async () => {
  await using node = await startIdentity({ settings: { publicUrl: 'https://patchbay.example.test' } })
  const answer = await node.ask('/auth/intents', { method: 'POST', headers: { host: 'localhost' } })
  const { token, auth_url, updates_url } = (await answer.json()) as Record<string, string>
  expect(auth_url).toBe(`https://patchbay.example.test/approve?token=${token}`)
  expect(updates_url).toBe(`https://patchbay.example.test/auth/intents/${token}/status`)
})

test.for<[string, Record<string, string>]>([
  ['an empty body of a named type', { 'content-type': 'application/json' }],
  ['a page of another origin', { origin: 'https://board.example.test' }],
  ['a page without an origin', { origin: 'null' }],
])('[C-1] %s may open an intent', async ([, headers]) => {
  await using node = await startIdentity()
  const answer = await node.ask('/auth/intents', { method: 'POST', headers: new Headers(headers) })
  expect(answer.status).toBe(201)
})

test('[C-4] GET shows whether the person has approved', async () => {
  await using node = await startIdentity()
  const intent = await openIntent(node, { max_age: 600 })
  const ada = await node.signedIn('ada')
  const before = await node.ask(`/auth/intents/${intent.token}`)
  expect(await before.json()).toEqual(intent)
  expect((await ada.change('PATCH', `/auth/intents/${intent.token}`)).status).toBe(200)
  const after = await node.ask(`/auth/intents/${intent.token}`)
  expect(await after.json()).toEqual({ ...intent, completed: true })
})

test.for(['x', 'a'.repeat(43), `${'a'.repeat(42)}!`, 'a'.repeat(90), '%00'])(
  '[C-4] the token %s is not found, whatever is asked of it',
  async (token) => {
    await using node = await startIdentity()
    const ada = await node.signedIn('ada')
    const path = `/auth/intents/${token}`
    const answers = await Promise.all([
      outcomeOf(node.ask(path)),
      outcomeOf(node.ask(`${path}/status`)),
      outcomeOf(node.ask(`${path}/status`, { headers: { accept: 'text/event-stream' } })),
      outcomeOf(ada.change('PATCH', path)),
      outcomeOf(ada.ask(`${path}/request`)),
    ])
    expect(answers).toEqual(Array.from({ length: 5 }, () => [404, 'intent_not_found']))
  },
)

test('[C-5] at 899 s everything works; at 900 s and later the intent is expired', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const [early, late] = [await openIntent(node), await openIntent(node)]
  node.clock.advance(899_000)
  expect(await outcomeOf(node.ask(`/auth/intents/${early.token}`))).toEqual([200, undefined])
  expect(await poll(node, early.token)).toMatchObject({ status: 200, state: 'pending' })
  expect((await ada.change('PATCH', `/auth/intents/${early.token}`)).status).toBe(200)
  for (const step of [1_000, 1_000]) {
    node.clock.advance(step)
    const path = `/auth/intents/${late.token}`
    expect(await outcomeOf(node.ask(path))).toEqual([410, 'intent_expired'])
    expect(await outcomeOf(node.ask(`${path}/status`))).toEqual([410, 'intent_expired'])
    expect(await outcomeOf(ada.change('PATCH', path))).toEqual([410, 'intent_expired'])
    expect(await outcomeOf(ada.ask(`${path}/request`))).toEqual([410, 'intent_expired'])
  }
  // Only a pending intent can expire.
  expect(await poll(node, early.token)).toMatchObject({ status: 200, state: 'authenticated' })
  expect(await outcomeOf(node.ask(`/auth/intents/${early.token}`))).toEqual([200, undefined])
})

test('[C-5] an approval that is still under way when somebody is told of the expiry fails', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  const began = node.clock.now()
  node.clock.advance(900_000)
  expect(await poll(node, token)).toMatchObject({ status: 410, code: 'intent_expired' })
  // As a node does it that took the time before the poll, or whose clock is behind.
  const clock = { now: () => new Date(began.getTime() + 899_000) }
  expect(await approve({ ...node.deps, clock }, token, ada)).toBeUndefined()
  expect(await poll(node, token)).toMatchObject({ status: 410, code: 'intent_expired' })
})

test('[C-5] an approval in time that was committed late is not called expired', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  const clock = { now: () => new Date(node.clock.now().getTime() - 1_000) }
  node.clock.advance(900_000)
  expect(await approve({ ...node.deps, clock }, token, ada)).toMatchObject({ linkedAt: clock.now() })
  expect(await poll(node, token)).toMatchObject({ status: 200, state: 'authenticated' })
})

test('[C-7] status answers the token once the person has approved, and again while the session lives', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node, { max_age: 3_600 })
  expect(await poll(node, token)).toEqual({ status: 200, state: 'pending' })
  await ada.change('PATCH', `/auth/intents/${token}`)
  const consumedAt = async () =>
    (await node.db.selectFrom('intents').select('consumed_at').executeTakeFirstOrThrow()).consumed_at
  expect(await consumedAt()).toBeNull()
  const first = await poll(node, token)
  expect(first).toEqual({
    status: 200,
    state: 'authenticated',
    session_token: expect.stringMatching(/^tok_[\w-]{43}$/),
  })
  const consumed = await consumedAt()
  expect(consumed).toEqual(node.clock.now())
  node.clock.advance(3_599_000)
  expect(await poll(node, token)).toEqual(first)
  expect(await consumedAt()).toEqual(consumed)
})

test('[C-7] C15: a HEAD is answered, and retrieves nothing', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  await ada.change('PATCH', `/auth/intents/${token}`)
  const head = await node.ask(`/auth/intents/${token}/status`, {
    method: 'HEAD',
    headers: { 'user-agent': 'preview' },
  })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
  expect((await node.ask('/auth/intents/unknown/status', { method: 'HEAD' })).status).toBe(404)
  expect(await poll(node, token)).toMatchObject({ state: 'authenticated' })
})

test('[C-7] a HEAD is refused where a GET is: to a second caller, and after the end of the session', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const head = async (token: string, agent: string) =>
    (await node.ask(`/auth/intents/${token}/status`, { method: 'HEAD', headers: { 'user-agent': agent } }))
      .status
  const [taken, unseen] = [await openIntent(node, { max_age: 60 }), await openIntent(node, { max_age: 60 })]
  for (const { token } of [taken, unseen]) await ada.change('PATCH', `/auth/intents/${token}`)
  await poll(node, taken.token, { 'user-agent': 'app/1' })
  expect(await head(taken.token, 'app/1')).toBe(200)
  expect(await head(taken.token, 'stranger/1')).toBe(410)
  node.clock.advance(60_000)
  expect(await head(taken.token, 'app/1')).toBe(410)
  expect(await head(unseen.token, 'app/1')).toBe(410)
  const rows = await node.db.selectFrom('intents').select('consumed_at').execute()
  expect(rows.filter(({ consumed_at: consumedAt }) => consumedAt === null)).toHaveLength(1)
})

test('[C-8] an intent whose session has ended answers 410 and never opens again', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node, { max_age: 60 })
  await ada.change('PATCH', `/auth/intents/${token}`)
  const { session_token } = await poll(node, token)
  await node.ask('/auth/session', { method: 'DELETE', headers: { authorization: `Bearer ${session_token}` } })
  expect(await poll(node, token)).toMatchObject({ status: 410, code: 'intent_session_ended' })
  expect(await outcomeOf(ada.change('PATCH', `/auth/intents/${token}`))).toEqual([
    409,
    'intent_already_linked',
  ])

  const other = await openIntent(node, { max_age: 60 })
  await ada.change('PATCH', `/auth/intents/${other.token}`)
  expect(await poll(node, other.token)).toMatchObject({ state: 'authenticated' })
  node.clock.advance(60_000)
  expect(await poll(node, other.token)).toMatchObject({ status: 410, code: 'intent_session_ended' })
})

test('[C-9] the session lives as long as was asked for, from the approval on', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node, { max_age: 7_200, label: 'Board viewer' })
  node.clock.advance(600_000)
  await ada.change('PATCH', `/auth/intents/${token}`)
  const { session_token } = await poll(node, token)
  const whoami = () => node.ask('/auth/whoami', { headers: { authorization: `Bearer ${session_token}` } })
  expect(await (await whoami()).json()).toMatchObject({
    person: { handle: 'ada' },
    credential: {
      kind: 'application',
      label: 'Board viewer',
      expires_at: new Date(node.clock.now().getTime() + 7_200_000).toISOString(),
    },
  })
  node.clock.advance(7_199_000)
  expect((await whoami()).status).toBe(200)
  node.clock.advance(2_000)
  expect(await outcomeOf(whoami())).toEqual([401, 'credential_invalid'])
})

test('[C-10] a declined intent is over for everybody', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  const path = `/auth/intents/${token}`
  const declined = await ada.change('PATCH', path, { decision: 'decline' })
  expect(await declined.json()).toMatchObject({ completed: false })
  expect(await outcomeOf(node.ask(path))).toEqual([410, 'intent_declined'])
  expect(await poll(node, token)).toMatchObject({ status: 410, code: 'intent_declined' })
  expect(await outcomeOf(ada.change('PATCH', path))).toEqual([410, 'intent_declined'])
  expect(
    await node.db.selectFrom('sessions').select('id').where('kind', '=', 'application').execute(),
  ).toEqual([])
})

test('[C-11] the two words are on the intent and on the approval page', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const [first, second] = [await openIntent(node), await openIntent(node)]
  expect(first.confirmation_code).toMatch(/^[a-z]{4,7} [a-z]{4,7}$/)
  expect(first.confirmation_code).not.toBe(second.confirmation_code)
  const request = await ada.ask(`/auth/intents/${first.token}/request`)
  expect(await request.json()).toMatchObject({ confirmation_code: first.confirmation_code })
})

deepTest.for([
  { surprise: 1 },
  { label: '' },
  { label: ' padded' },
  { label: 'two\nlines' },
  { label: 'zero\u200Bwidth' },
  { label: 'right\u202Eto left' },
  { label: '\u3164' },
  { label: '\u2800' },
  { label: 'a\u115F' },
  { label: 'a\uFFA0b' },
  { label: 'a\u034F' },
  { label: 'x\uFE0F' },
  { label: '\u0301x' },
  { label: 'two  blanks' },
  { label: 'x'.repeat(81) },
  { code_challenge: 'short' },
  [],
])('[C-12] %j is refused', async (body) => {
  await using node = await startIdentity()
  await expect(openIntent(node, body)).rejects.toThrow('400')
})

test.for(['KiCad 9 – Prüfstand', '基板ビューア', 'R&D "bench" #4 <b>'])(
  '[C-12] the label %s is taken',
  async (label) => {
    await using node = await startIdentity()
    const ada = await node.signedIn('ada')
    const { token } = await openIntent(node, { label })
    expect(await (await ada.ask(`/auth/intents/${token}/request`)).json()).toMatchObject({ label })
  },
)
