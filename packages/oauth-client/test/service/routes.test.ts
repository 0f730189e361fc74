import { describe, expect, test } from 'vitest'
import { serviceSettings, startFastify, startHttp } from './start-service.ts'

const adapters = [
  ['node:http', startHttp],
  ['Fastify', startFastify],
] as const

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { headers, method, redirect: 'manual' })

describe.for(adapters)('with %s', ([, start]) => {
  test('[B-450] before anything has happened, the status is not configured', async () => {
    await using service = await serviceSettings()
    await using running = await start(service.settings)
    const response = await get(`${running.url}/status`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({ configured: false, pending: false })
  })

  test('[B-453] a request from another site gets a page that asks, and starts nothing', async () => {
    await using service = await serviceSettings()
    await using running = await start(service.settings)
    const response = await get(`${running.url}/auth`, { 'sec-fetch-site': 'cross-site' })
    expect(response.status).toBe(403)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(await response.text()).toContain('<a href="./auth">Connect to example</a>')
  })

  test('[B-455] a gateway that is away is said on the page, by the status route and to the log', async () => {
    await using service = await serviceSettings()
    const errors: unknown[] = []
    await using running = await start({ ...service.settings, onError: (error) => errors.push(error) })
    const response = await get(`${running.url}/auth`)
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('The gateway could not be reached')
    const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? []
    const status = await get(`${running.url}/status`, { cookie })
    expect(await status.json()).toEqual({
      configured: false,
      pending: false,
      error: {
        code: 'gateway_unreachable',
        message: expect.stringContaining('gateway could not be reached'),
      },
    })
    expect(errors).toMatchObject([{ code: 'gateway_unreachable' }])
  })

  test('[B-451] how it went is not told to another browser', async () => {
    await using service = await serviceSettings()
    await using running = await start(service.settings)
    expect((await get(`${running.url}/auth`)).status).toBe(502)
    const status = await get(`${running.url}/status`, { cookie: `patchbay-connect=${'A'.repeat(43)}` })
    expect(await status.json()).toEqual({ configured: false, pending: false })
  })

  test('[B-451] nor to another user of the same browser', async () => {
    await using service = await serviceSettings()
    const userOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-user'])
    await using running = await start({ ...service.settings, userOf })
    const response = await get(`${running.url}/auth`, { 'x-user': 'ada' })
    const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? []
    const ask = async (user: string) =>
      (await get(`${running.url}/status`, { cookie, 'x-user': user })).json()
    expect(await ask('grace')).toEqual({ configured: false, pending: false })
    expect(await ask('ada')).toMatchObject({ error: { code: 'gateway_unreachable' } })
  })

  test('[B-456] the cookie is fresh for every flow, whatever the browser brings', async () => {
    await using service = await serviceSettings()
    await using running = await start(service.settings)
    const planted = `patchbay-connect=${'A'.repeat(43)}`
    const cookies = await Promise.all(
      [0, 1].map(async () =>
        (await get(`${running.url}/auth`, { cookie: planted })).headers.get('set-cookie'),
      ),
    )
    expect(new Set([...cookies, planted]).size).toBe(3)
    for (const cookie of cookies) expect(cookie).toMatch(/^patchbay-connect=[\w-]{43}; Path=\/; HttpOnly;/)
  })

  test('[B-456] behind a proxy that ends TLS the service says that cookies are secure', async () => {
    await using service = await serviceSettings()
    await using running = await start({ ...service.settings, secureCookies: true })
    const { headers } = await get(`${running.url}/auth`)
    expect(headers.get('set-cookie')).toMatch(/^__Host-.*; Secure$/)
  })

  test('[B-457] nobody is signed in', async () => {
    await using service = await serviceSettings()
    await using running = await start({ ...service.settings, userOf: async () => undefined })
    const [auth, status] = await Promise.all([get(`${running.url}/auth`), get(`${running.url}/status`)])
    expect([auth.status, status.status]).toEqual([401, 401])
    expect(auth.headers.get('set-cookie')).toBeNull()
    expect(await status.json()).toMatchObject({ configured: false, error: { code: 'signed_out' } })
  })

  test('[B-407] settings that cannot work stop the service, not the first person', async () => {
    await using service = await serviceSettings()
    await expect((async () => await start({ ...service.settings, authPath: 'auth' }))()).rejects.toThrow(
      /authPath/,
    )
    await expect((async () => await start({ ...service.settings, authPath: '/status' }))()).rejects.toThrow(
      /differ/,
    )
    await expect((async () => await start({ ...service.settings, clientId: '' }))()).rejects.toThrow(
      /clientId/,
    )
  })
})

describe('node:http', () => {
  test('[B-458] other paths are the caller’s, other methods start nothing', async () => {
    await using service = await serviceSettings()
    await using running = await startHttp({
      ...service.settings,
      authPath: '/a/connect',
      statusPath: '/a/state',
    })
    expect(await (await get(`${running.url}/auth`)).text()).toBe('mine')
    expect((await get(`${running.url}/a/state?x=1`)).status).toBe(200)
    for (const method of ['HEAD', 'POST', 'DELETE']) {
      const response = await get(`${running.url}/a/connect`, {}, method)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  test('[B-458] a service that cannot tell who is there answers 500 and logs why', async () => {
    await using service = await serviceSettings()
    const errors: unknown[] = []
    const userOf = () => Promise.reject(new Error('no session store'))
    await using running = await startHttp({
      ...service.settings,
      userOf,
      onError: (error) => errors.push(error),
    })
    const response = await get(`${running.url}/auth`)
    expect([response.status, await response.text()]).toEqual([500, ''])
    expect(errors).toMatchObject([{ message: 'no session store' }])
  })
})

describe('Fastify', () => {
  test('[B-459] it stands below a prefix, and HEAD starts nothing', async () => {
    await using service = await serviceSettings()
    await using running = await startFastify(service.settings, '/connect')
    expect((await get(`${running.url}/status`)).status).toBe(200)
    const head = await get(`${running.url}/auth`, {}, 'HEAD')
    expect([head.status, head.headers.get('set-cookie')]).toEqual([404, null])
  })
})
