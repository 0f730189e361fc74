import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { localAddress } from '@patchbay/contracts/limits'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { createOAuthClient, type FlowOptions, startOAuthFlow } from '@patchbay/oauth-client'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect } from 'vitest'
import { Person } from './person.ts'
import { pendingIs, type RunningGateway, startGateway } from './start-gateway.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let gateway: RunningGateway
let options: FlowOptions

beforeAll(async () => {
  gateway = await startGateway()
  options = {
    provider: 'example',
    authUrl: 'https://id.example.test/authorize',
    clientId: 'board',
    scopes: 'read',
    gatewayUrl: gateway.url,
  }
})
afterAll(() => gateway[Symbol.asyncDispose]())

test('[B-406] C14: client, gateway and provider mean the same redirect URI where nobody names one', async () => {
  // A gateway that was not told its public address, and a client that was not told the gateway's; only the port is another.
  await using unnamed = await startGateway({ PATCHBAY_GATEWAY_PUBLIC_URL: '' })
  const own = localAddress(unnamed.port)
  await using provider = await startOidcProvider({
    clients: [{ id: 'board', redirectUris: [`${own}/callback`] }],
  })
  const authUrl = `${provider.issuer}/auth`
  const flow = await startOAuthFlow({ ...options, authUrl, scopes: 'openid', gatewayUrl: own })
  const last = await new Person().allow(flow.authRedirectUrl)
  expect(last.url.href).toBe(`${own}/callback/result/done`)
  expect((await flow.waitForCode()).redirectUri).toBe(`${own}/callback`)
})

test('[B-401] from the wish to connect to tokens, with a real provider', async () => {
  await using provider = await startOidcProvider({
    clients: [{ id: 'board', redirectUris: [`${gateway.url}/callback`] }],
  })
  const flow = await startOAuthFlow({
    provider: 'example',
    authUrl: `${provider.issuer}/auth`,
    clientId: 'board',
    scopes: 'openid email',
    extraParams: { prompt: 'consent' },
    gatewayUrl: gateway.url,
    issuer: provider.issuer,
    requireIss: true,
  })
  const last = await new Person().allow(flow.authRedirectUrl)
  expect(last.url.pathname).toBe('/callback/result/done')
  const answer = await flow.waitForCode()
  expect(answer).toMatchObject({
    state: flow.state,
    redirectUri: `${gateway.url}/callback`,
    codeVerifier: flow.codeVerifier,
    iss: provider.issuer,
    query: { code: answer.code, state: flow.state, iss: provider.issuer },
  })
  const response = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'board',
      code: answer.code,
      code_verifier: answer.codeVerifier,
      redirect_uri: answer.redirectUri,
    }),
  })
  expect(await response.json()).toMatchObject({ access_token: expect.any(String) })
})

test('[B-401] the gateway has the state as soon as the person can be sent off', async () => {
  const before = (await gateway.status()).pending
  await using flow = await startOAuthFlow(options)
  expect((await gateway.status()).pending).toBe(before + 1)
  expect(await gateway.answer({ state: flow.state, code: 'c' })).toBe('/callback/result/done')
})

test('[B-400] every flow has a state of its own, and says how long it lasts', async () => {
  const startedAt = Date.now()
  await using one = await startOAuthFlow(options)
  await using other = await startOAuthFlow({ ...options, timeoutMs: 60_000 })
  expect(one.state).toMatch(UUID)
  expect(other.state).not.toBe(one.state)
  expect(new URL(one.authRedirectUrl).searchParams.get('state')).toBe(one.state)
  expect(one.redirectUri).toBe(`${gateway.url}/callback`)
  expect(one.phrase).toMatch(/^\S+ \S+ \S+$/)
  expect(one.expiresAt - startedAt).toBeGreaterThan(9 * 60_000)
  expect(one.expiresAt - Date.now()).toBeLessThanOrEqual(10 * 60_000)
  expect(other.expiresAt - Date.now()).toBeLessThanOrEqual(60_000)
})

test('[B-402] the challenge in the address is that of the verifier', async () => {
  await using flow = await startOAuthFlow(options)
  const { searchParams } = new URL(flow.authRedirectUrl)
  expect(searchParams.get('code_challenge_method')).toBe('S256')
  expect(searchParams.get('code_challenge')).toBe(
    createHash('sha256').update(flow.codeVerifier).digest('base64url'),
  )
})

test('[B-406] a client knows its gateway once and for all', async () => {
  const { gatewayUrl = '', ...fields } = options
  const client = createOAuthClient({ gatewayUrl, label: 'Workbench' })
  await using flow = await client.startOAuthFlow(fields)
  expect(flow.redirectUri).toBe(`${gateway.url}/callback`)
})

test('[B-409] a state that the gateway has seen is replaced, three times at most', async () => {
  await using first = await startOAuthFlow(options)
  const fresh = randomUUID()
  const states = [first.state, first.state, fresh]
  const surroundings = { now: () => Date.now(), randomBytes, randomUUID: () => states.shift() ?? first.state }
  await using second = await startOAuthFlow(options, surroundings)
  expect(second.state).toBe(fresh)
  await expect(startOAuthFlow(options, surroundings)).rejects.toMatchObject({ code: 'state_taken' })
  expect(await gateway.answer({ state: first.state, code: 'mine' })).toBe('/callback/result/done')
  expect(await first.waitForCode()).toMatchObject({ code: 'mine' })
})

test('[B-410][B-411] one code, one answer, and the connection is closed', async () => {
  const flow = await startOAuthFlow(options)
  expect(await gateway.answer({ state: flow.state, code: 'first' })).toBe('/callback/result/done')
  expect(await gateway.answer({ state: flow.state, code: 'second' })).toBe('/callback/result/unknown-state')
  expect(flow.waitForCode()).toBe(flow.waitForCode())
  expect(await flow.waitForCode()).toMatchObject({ code: 'first' })
  await expect.poll(async () => (await gateway.status()).sockets, { timeout: 10_000 }).toBe(0)
})

test('[B-411] an abort after the code changes nothing', async () => {
  const flow = await startOAuthFlow(options)
  await gateway.answer({ state: flow.state, code: 'c' })
  await flow.waitForCode()
  flow.abort()
  expect(await flow.waitForCode()).toMatchObject({ code: 'c' })
})

deepTest('[B-400] a hundred flows at once do not mix up their codes', async () => {
  const flows = await Promise.all(Array.from({ length: 100 }, () => startOAuthFlow(options)))
  await Promise.all(flows.map(({ state }) => gateway.answer({ state, code: `code of ${state}` })))
  for (const flow of flows) expect((await flow.waitForCode()).code).toBe(`code of ${flow.state}`)
  await pendingIs(gateway, 0)
})
