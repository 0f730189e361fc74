import { randomUUID } from 'node:crypto'
import { CALLBACK_OUTCOMES } from '@patchbay/contracts/gateway'
import { depth } from '@patchbay/testkit/depth'
import { describe, expect, test } from 'vitest'
import { DIRECTORIES, startRig } from './rig.ts'
import { startTestGateway } from './start.ts'

const CALLBACKS = depth({ common: 300, deep: 1_000 })

describe.each(DIRECTORIES)('%s', (kind) => {
  test('[B-20][B-56] a code reaches the connection that registered its state, with every parameter', async () => {
    await using rig = await startRig(kind)
    await using client = await rig.first.connect()
    await using other = await rig.first.connect()
    const state = randomUUID()
    await client.register(state)
    await other.register(randomUUID())
    const query = { code: 'SplxlOBeZQQYbYS6WxSbIA', state, scope: 'a b', iss: 'https://issuer.example.test' }
    expect(await rig.second.callback(query)).toBe('done')
    expect(await client.next()).toEqual({ type: 'callback', state, code: query.code, query })
    expect(other.received).toHaveLength(1)
  })

  test(`[B-21][B-56] of ${CALLBACKS} callbacks at once one is delivered`, async () => {
    await using rig = await startRig(kind)
    await using client = await rig.first.connect()
    const state = randomUUID()
    await client.register(state)
    const told = await Promise.all(
      Array.from({ length: CALLBACKS }, (_, index) =>
        (index % 2 === 0 ? rig.first : rig.second).callback({ code: `code-${index}`, state }),
      ),
    )
    expect(
      Object.fromEntries(
        Map.groupBy(told, String)
          .entries()
          .map(([k, v]) => [k, v.length]),
      ),
    ).toEqual({
      done: 1,
      'unknown-state': CALLBACKS - 1,
    })
    const winner = told.indexOf('done')
    expect(await client.next()).toMatchObject({ type: 'callback', code: `code-${winner}` })
    await client.register(randomUUID())
    expect(client.received.filter(({ type }) => type === 'callback')).toHaveLength(1)
  })
})

test('[B-22] a connection that is gone is told as such, not as done', async () => {
  await using gateway = await startTestGateway()
  const client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  client.socket.terminate()
  // Whether the gateway has noticed yet or not, nobody is told that it worked.
  expect(await gateway.callback({ code: 'abc', state })).toMatch(/^(unknown-state|client-gone)$/)
})

test('[B-23] the query is unmodified', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const text = `code=a%2Bb%20c%26d&state=${state}&__proto__=polluted&constructor=x&scope=one+two&e=&tag=1&tag=2&tag=&%C3%A9=%F0%9F%94%8C&iss=https%3A%2F%2Fissuer.example.test%2F`
  await gateway.callback(text)
  const message = await client.next()
  if (message.type !== 'callback') throw new Error(message.type)
  expect(message.code).toBe('a+b c&d')
  expect(Object.entries(message.query)).toEqual([
    ['code', 'a+b c&d'],
    ['state', state],
    ['__proto__', 'polluted'],
    ['constructor', 'x'],
    ['scope', 'one two'],
    ['e', ''],
    ['tag', ['1', '2', '']],
    ['é', '🔌'],
    ['iss', 'https://issuer.example.test/'],
  ])
})

test.each([
  ['the code twice', (state: string) => `code=a&code=b&state=${state}`],
  ['the same code twice', (state: string) => `code=a&code=a&state=${state}`],
  ['the state twice', (state: string) => `code=a&state=${state}&state=${state}`],
  ['the issuer twice', (state: string) => `code=a&state=${state}&iss=a&iss=b`],
  ['no state', () => 'code=a'],
  ['a state that is no UUID', () => 'code=a&state=guess'],
  ['neither code nor error', (state: string) => `state=${state}`],
  ['an empty code', (state: string) => `code=&state=${state}`],
  ['nothing', () => ''],
])('[B-24] %s answers 400 with a page, and nothing is delivered', async (_, queryOf) => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const answer = await gateway.ask(`/callback?${queryOf(state)}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.text()).toContain('This answer cannot be used')
  expect(await gateway.callback({ code: 'right', state })).toBe('done')
  expect(await client.next()).toMatchObject({ type: 'callback', code: 'right' })
})

test.each([
  ['access_denied', 'access-denied'],
  ['server_error', 'provider-error'],
])('[B-25] the error %s reaches the client, and the person is told why', async (error, outcome) => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const query = { error, error_description: 'Not on the list', state }
  expect(await gateway.callback(query)).toBe(outcome)
  expect(await client.next()).toEqual({ type: 'error', state, error, reason: 'provider_error', query })
  expect(await gateway.callback({ code: 'afterwards', state })).toBe('unknown-state')
})

test('[B-25] an error is explained also when nobody waits for it', async () => {
  await using gateway = await startTestGateway()
  expect(await gateway.callback({ error: 'access_denied', state: randomUUID() })).toBe('access-denied')
  const page = await (await gateway.ask('/callback/result/access-denied')).text()
  expect(page).toMatch(/test/i)
})

test('[B-26] a form post is taken like a query, from any origin, and from the body alone', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const [state, other] = [randomUUID(), randomUUID()]
  await client.register(state)
  await client.register(other)
  const post = (body: URLSearchParams, query = '') =>
    gateway.ask(`/callback${query}`, {
      method: 'POST',
      body,
      headers: { origin: 'https://provider.example.test', 'sec-fetch-site': 'cross-site' },
    })
  const mixed = await post(new URLSearchParams({ code: 'abc' }), `?state=${other}`)
  expect(mixed.status).toBe(400)
  const answer = await post(
    new URLSearchParams({ code: 'abc', state, iss: 'x' }),
    `?code=evil&state=${other}`,
  )
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/callback/result/done'])
  expect(await client.next()).toEqual({
    type: 'callback',
    state,
    code: 'abc',
    query: { code: 'abc', state, iss: 'x' },
  })
  const json = await gateway.ask('/callback', {
    method: 'POST',
    body: JSON.stringify({ code: 'abc', state: other }),
    headers: { 'content-type': 'application/json' },
  })
  expect(json.status).toBe(415)
})

test('[B-27] every answer leads to an address that holds nothing of it, and leaves no trace', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const first = await gateway.ask(`/callback?code=SECRET&state=${state}`)
  const second = await gateway.ask(`/callback?code=SECRET&state=${state}`)
  for (const answer of [first, second]) {
    expect(answer.status).toBe(303)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('location')).not.toMatch(new RegExp(`SECRET|${state}|\\?|#`))
    expect(await answer.text()).toBe('')
  }
  for (const outcome of CALLBACK_OUTCOMES) {
    const page = await gateway.ask(`/callback/result/${outcome}`)
    expect([page.status, page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
      200,
      'no-store',
      'no-referrer',
    ])
  }
  expect((await gateway.ask('/callback/result/anything')).status).toBe(400)
})

test('[B-27] behind a path prefix the address keeps the prefix', async () => {
  await using gateway = await startTestGateway({
    environment: {
      PATCHBAY_GATEWAY_PUBLIC_URL: 'http://localhost:8795/gw/',
      PATCHBAY_GATEWAY_DELIVERY: 'direct',
    },
  })
  const answer = await gateway.ask(`/callback?code=a&state=${randomUUID()}`)
  expect(answer.headers.get('location')).toBe('/gw/callback/result/unknown-state')
  expect(await (await gateway.ask('/status')).json()).toMatchObject({
    callbackUrl: 'http://localhost:8795/gw/callback',
  })
})

test('[B-28] a HEAD request delivers nothing', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const looked = await gateway.ask(`/callback?code=abc&state=${state}`, { method: 'HEAD' })
  expect(looked.status).toBe(405)
  expect(await gateway.callback({ code: 'abc', state })).toBe('done')
})

test('[B-29] a state that nobody registered says so and leaves nothing behind', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  expect(await gateway.callback({ code: 'abc', state })).toBe('unknown-state')
  expect(await client.register(state)).toMatchObject({ type: 'registered' })
})
