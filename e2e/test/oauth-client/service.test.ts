import { type RunningOidcProvider, startOidcProvider } from '@patchbay/dev-identity-provider'
import { oauthConnect } from '@patchbay/oauth-client/fastify'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person } from './person.ts'
import { pendingIs, type RunningGateway, startGateway } from './start-gateway.ts'
import { introduce, type ServiceSettings, serviceSettings, startHttpService } from './start-service.ts'

let gateway: RunningGateway
let provider: RunningOidcProvider

beforeAll(async () => {
  gateway = await startGateway()
  provider = await startOidcProvider()
  await introduce(provider, gateway)
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

async function startFastifyService(options: ServiceSettings['options']) {
  const app = fastify()
  await app.register(oauthConnect, options)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, [Symbol.asyncDispose]: () => app.close() }
}

describe.for([
  ['node:http', startHttpService],
  ['Fastify', startFastifyService],
] as const)('a service on %s', ([, startService]) => {
  const start = async (changes: Partial<ServiceSettings['options']> = {}, secret?: string) => {
    await using cleanup = new AsyncDisposableStack()
    const settings = cleanup.use(await serviceSettings(gateway, provider.issuer, secret))
    const service = cleanup.use(await startService({ ...settings.options, ...changes }))
    const owned = cleanup.move()
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(service.url + path, { headers, redirect: 'manual' })
    return { ...settings, ...service, ask, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }

  test('[B-450] a person connects, and the service has tokens', async () => {
    await using service = await start()
    const person = new Person()
    const first = await service.ask('/auth')
    expect(first.status).toBe(302)
    expect(first.headers.get('location')).toContain(`${provider.issuer}/auth?`)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(first.headers.get('referrer-policy')).toBe('no-referrer')

    const last = await person.allow(`${service.url}/auth`)
    expect(last.url.pathname).toBe('/callback/result/done')
    await expect
      .poll(() => person.json(`${service.url}/status`), { timeout: 10_000 })
      .toEqual({ configured: true, pending: false })
    const accessToken = await service.tokens.getAccessToken('default')
    const claims = await fetch(`${provider.issuer}/me`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    expect(await claims.json()).toMatchObject({ sub: 'ada' })
  })

  test('[B-451] another user is not configured, and another browser sees no phrase', async () => {
    await using service = await start()
    const started = await service.ask('/auth', { 'x-user': 'ada' })
    const [cookie = ''] = started.headers.get('set-cookie')?.split(';') ?? []
    const status = async (headers: Record<string, string>) => (await service.ask('/status', headers)).json()
    expect(await status({ cookie, 'x-user': 'ada' })).toEqual({
      configured: false,
      pending: true,
      phrase: expect.stringMatching(/^\S+ \S+ \S+$/),
    })
    expect(await status({ 'x-user': 'ada' })).toEqual({ configured: false, pending: false })
    expect(await status({ cookie, 'x-user': 'grace' })).toEqual({ configured: false, pending: false })

    await new Person().allow(started.headers.get('location') ?? '')
    const isDone = async () => (await status({ 'x-user': 'ada' })).configured
    await expect.poll(isDone, { timeout: 10_000 }).toBe(true)
    expect(await status({ cookie, 'x-user': 'grace' })).toEqual({ configured: false, pending: false })
  })

  test('[B-452][B-460] a second flow of a browser ends the first; closing ends them all', async () => {
    await using service = await start()
    const first = await service.ask('/auth')
    const [cookie = ''] = first.headers.get('set-cookie')?.split(';') ?? []
    await service.ask('/auth', { cookie })
    await pendingIs(gateway, 1)
    const state = new URL(first.headers.get('location') ?? '').searchParams.get('state') ?? ''
    expect(await gateway.answer({ state, code: 'c' })).toBe('/callback/result/unknown-state')
    await service[Symbol.asyncDispose]()
    await pendingIs(gateway, 0)
  })

  test('[B-454] flows are capped over all users, and for each', async () => {
    await using service = await start({ maxFlows: 7 })
    const startAs = async (user: string) => (await service.ask('/auth', { 'x-user': user })).status
    for (let flow = 0; flow < 6; flow += 1) expect(await startAs('ada')).toBe(302)
    await pendingIs(gateway, 5)
    expect([await startAs('grace'), await startAs('zoe')]).toEqual([302, 302])
    const refused = await service.ask('/auth', { 'x-user': 'mallory' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    await pendingIs(gateway, 7)
    expect(await startAs('ada')).toBe(302)
  })

  test('[B-455] what the provider or the exchange refused is said in words', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    await using service = await start({ onError })
    const person = new Person()
    await person.refuse(`${service.url}/auth`)
    await expect
      .poll(() => person.json(`${service.url}/status`), { timeout: 10_000 })
      .toEqual({
        configured: false,
        pending: false,
        error: { code: 'access_denied', message: expect.stringContaining('test users') },
      })

    await using misconfigured = await start({ onError }, 'not the secret')
    const another = new Person()
    await another.allow(`${misconfigured.url}/auth`)
    await expect
      .poll(() => another.json(`${misconfigured.url}/status`), { timeout: 10_000 })
      .toMatchObject({ configured: false, error: { code: 'invalid_client', message: /settings/ } })
    expect(errors).toMatchObject([{ code: 'provider_error' }, { code: 'invalid_client' }])
  })
})
