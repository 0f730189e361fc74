import { randomUUID } from 'node:crypto'
import { phraseOf } from '@patchbay/contracts/identity'
import { ConfigError, readConfig } from '@patchbay/kernel/config'
import { describe, expect, test } from 'vitest'
import { gatewayConfig } from '../src/index.ts'
import { DIRECTORIES, startRig } from './rig.ts'
import { type Face, startTestGateway } from './start.ts'

const CONFIRM = { PATCHBAY_GATEWAY_DELIVERY: 'confirm' }

/** What a browser does with the answer to a callback: keeps the cookies for the address it is sent to, and goes there. */
async function arrive(gateway: Face, query: Record<string, string>) {
  const answer = await gateway.ask(`/callback?${new URLSearchParams(query).toString()}`)
  const location = answer.headers.get('location') ?? ''
  const setCookies = answer.headers.getSetCookie()
  const cookie = setCookies
    .filter((text) => !text.includes('Max-Age=0'))
    .map((text) => text.split('; ')[0])
    .join('; ')
  const page = await gateway.ask(location, { headers: { cookie } })
  const html = await page.text()
  const nonce = /name="nonce" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const decide = (decision: string, more: { nonce?: string; cookie?: string; headers?: object } = {}) =>
    gateway.ask(location, {
      method: 'POST',
      body: new URLSearchParams({ decision, nonce: more.nonce ?? nonce }),
      headers: {
        cookie: more.cookie ?? cookie,
        origin: 'null',
        'sec-fetch-site': 'same-origin',
        ...more.headers,
      },
    })
  return { answer, location, setCookies, cookie, page, html, nonce, decide }
}

describe.each(DIRECTORIES)('%s', (kind) => {
  test('[B-30] nothing is delivered before the person has said so', async () => {
    await using rig = await startRig(kind, CONFIRM)
    await using client = await rig.first.connect()
    const state = randomUUID()
    await client.register(state, { provider: 'Example ID', label: 'bench supply' })
    const flow = await arrive(rig.second, { code: 'abc', state, iss: 'https://issuer.example.test' })
    expect(flow.answer.status).toBe(303)
    expect(flow.html).toContain('Example ID')
    expect(flow.html).toContain('bench supply')
    expect(flow.html).toContain(await phraseOf(state))
    expect((await rig.first.status()).pendingHere).toBe(1)
    expect(client.received).toHaveLength(1)

    const decided = await flow.decide('deliver')
    expect([decided.status, decided.headers.get('location')]).toEqual([303, '/callback/result/done'])
    expect(await client.next()).toEqual({
      type: 'callback',
      state,
      code: 'abc',
      query: { code: 'abc', state, iss: 'https://issuer.example.test' },
    })
  })

  test('[B-32] declining ends the registration and tells the client', async () => {
    await using rig = await startRig(kind, CONFIRM)
    await using client = await rig.first.connect()
    const state = randomUUID()
    await client.register(state)
    const flow = await arrive(rig.second, { code: 'abc', state })
    const decided = await flow.decide('decline')
    expect(decided.headers.get('location')).toBe('/callback/result/declined')
    expect(await client.next()).toMatchObject({ type: 'error', state, reason: 'declined' })
    expect((await flow.decide('deliver')).headers.get('location')).toBe('/callback/result/unknown-state')
    expect(client.received.some(({ type }) => type === 'callback')).toBe(false)
  })
})

test('[B-30] an error of the provider needs no question', async () => {
  await using gateway = await startTestGateway({ environment: CONFIRM })
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  expect(await gateway.callback({ error: 'access_denied', state })).toBe('access-denied')
  expect(await client.next()).toMatchObject({ type: 'error', reason: 'provider_error' })
})

test('[B-30] a state that nobody holds is not asked about', async () => {
  await using gateway = await startTestGateway({ environment: CONFIRM })
  expect(await gateway.callback({ code: 'abc', state: randomUUID() })).toBe('unknown-state')
  expect((await gateway.ask(`/callback/confirm/${'a'.repeat(22)}`)).headers.get('location')).toBe(
    '/callback/result/unknown-state',
  )
})

test('[B-31] only the page that asked, in the browser that came back, can answer', async () => {
  await using gateway = await startTestGateway({ environment: CONFIRM })
  await using client = await gateway.connect()
  const [state, other] = [randomUUID(), randomUUID()]
  await client.register(state)
  await client.register(other)
  const flow = await arrive(gateway, { code: 'abc', state })
  const second = await arrive(gateway, { code: 'def', state: other })
  const refused = [
    await flow.decide('deliver', { cookie: '' }),
    await flow.decide('deliver', { cookie: second.cookie }),
    await flow.decide('deliver', { nonce: second.nonce }),
    await flow.decide('deliver', { nonce: '' }),
    await flow.decide('deliver', { cookie: `${flow.cookie}; ${flow.cookie}` }),
    await flow.decide('deliver', { headers: { origin: 'https://evil.example.test' } }),
    await flow.decide('deliver', { headers: { 'sec-fetch-site': 'cross-site' } }),
    await flow.decide('deliver', { headers: { 'sec-fetch-site': 'same-site' } }),
  ]
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
  expect(client.received).toHaveLength(2)
  expect((await flow.decide('deliver')).headers.get('location')).toBe('/callback/result/done')
})

test('[B-33] the code waits in a cookie for one address, out of reach of scripts, and is gone after the answer', async () => {
  await using gateway = await startTestGateway({ environment: CONFIRM })
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const flow = await arrive(gateway, { code: 'abc', state })
  expect(flow.setCookies.filter((text) => !text.includes('Max-Age=0'))).toHaveLength(1)
  expect(flow.setCookies[0]).toMatch(new RegExp(`; Path=${flow.location}; HttpOnly; SameSite=Lax$`))
  expect(flow.location).not.toContain(state)
  expect(flow.html).not.toContain('abc"')
  expect(flow.html).not.toContain(state)
  const cleared = (await flow.decide('deliver')).headers.getSetCookie()
  expect(cleared.length).toBeGreaterThan(0)
  for (const text of cleared) expect(text).toMatch(new RegExp(`=; Path=${flow.location};.*Max-Age=0`))
})

test('[B-33] on a public URL with TLS the cookie is for TLS alone', async () => {
  await using gateway = await startTestGateway({
    environment: { ...CONFIRM, PATCHBAY_GATEWAY_PUBLIC_URL: 'https://gw.example.test/base' },
  })
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const answer = await gateway.ask(`/callback?code=abc&state=${state}`)
  expect(answer.headers.get('location')).toMatch(/^\/base\/callback\/confirm\//)
  expect(answer.headers.getSetCookie()[0]).toMatch(/Path=\/base\/callback\/confirm\/.*; Secure$/)
})

test('[B-33] an answer of 12 kB fits, a longer one is refused with a page', async () => {
  await using gateway = await startTestGateway({ environment: CONFIRM })
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const code = 'c'.repeat(11_900)
  const flow = await arrive(gateway, { code, state })
  for (const text of flow.setCookies) expect(text.length).toBeLessThan(4_000)
  expect((await flow.decide('deliver')).headers.get('location')).toBe('/callback/result/done')
  expect(await client.next()).toMatchObject({ type: 'callback', code })
  const body = new URLSearchParams({ code: 'c'.repeat(20_000), state })
  const refused = await gateway.ask('/callback', { method: 'POST', body })
  expect([refused.status, (await refused.text()).includes('longer than this gateway accepts')]).toEqual([
    400,
    true,
  ])
})

test('[B-35] on loopback codes are delivered directly unless told otherwise', () => {
  for (const url of [
    'http://localhost:8795',
    'http://127.0.0.1:8795',
    'http://[::1]:8795',
    'http://gw.localhost',
  ]) {
    expect(readConfig(gatewayConfig, { PATCHBAY_GATEWAY_PUBLIC_URL: url }).delivery).toBeUndefined()
  }
  expect(readConfig(gatewayConfig, {}).delivery).toBeUndefined()
})

test.each([
  'https://gateway.example.test',
  'http://192.168.1.5:8795',
  'https://localhost.example.test',
  'http://127.0.0.1.example.test',
  'http://10.0.0.1',
])('[B-35] at %s the operator must choose', (url) => {
  const read = (delivery?: string) =>
    readConfig(gatewayConfig, {
      PATCHBAY_GATEWAY_PUBLIC_URL: url,
      ...(delivery === undefined ? {} : { PATCHBAY_GATEWAY_DELIVERY: delivery }),
    })
  expect(() => read()).toThrow(ConfigError)
  expect(() => read()).toThrow(/PATCHBAY_GATEWAY_DELIVERY.*attacker/s)
  expect(read('confirm').delivery).toBe('confirm')
  expect(read('direct').delivery).toBe('direct')
})

test.each(['0.0.0.0', '::', '192.168.1.5'])('[B-35] bound to %s the operator must choose as well', (host) => {
  expect(() => readConfig(gatewayConfig, { PATCHBAY_GATEWAY_HOST: host })).toThrow(
    /PATCHBAY_GATEWAY_DELIVERY/,
  )
  const chosen = { PATCHBAY_GATEWAY_HOST: host, PATCHBAY_GATEWAY_DELIVERY: 'direct' }
  expect(readConfig(gatewayConfig, chosen).delivery).toBe('direct')
  expect(readConfig(gatewayConfig, { PATCHBAY_GATEWAY_HOST: '::1' }).delivery).toBeUndefined()
})
