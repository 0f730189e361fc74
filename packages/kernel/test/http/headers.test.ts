import { connect } from 'node:net'
import { PAGE_CSP, Problem } from '@patchbay/contracts/core'
import { describe, expect, test } from 'vitest'
import { startHttp } from './harness.ts'

const host = { host: 'localhost' }

test('[K-205] the request id of the answer is the one in the log', async () => {
  await using http = startHttp()
  http.app.get('/x', async () => 'x')
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await http.app.inject({ url: '/x', headers: host })).headers['x-request-id']),
  )
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(http.lines.some((line) => JSON.parse(line).requestId === id)).toBe(true)
})

test('[K-205] an incoming id counts only behind a trusted proxy, and only when well formed', async () => {
  const ask = async (trustedProxies: string[], id: string) => {
    await using http = startHttp({ trustedProxies })
    return (await http.app.inject({ url: '/health', headers: { ...host, 'x-request-id': id } })).headers[
      'x-request-id'
    ]
  }
  expect(await ask([], 'abcdefgh')).not.toBe('abcdefgh')
  expect(await ask(['127.0.0.1'], 'abcdefgh')).toBe('abcdefgh')
  expect(await ask(['127.0.0.1'], 'a b"c{}defgh')).toMatch(/^n1-/)
})

test.each(['/x', '/nothing', '/%zz', '/reference', '/problems'])(
  '[K-206] %s carries the security headers',
  async (url) => {
    await using http = startHttp()
    http.app.get('/x', async () => 'x')
    const { headers } = await http.app.inject({ url, headers: host })
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  },
)

test('[K-206] so does the refusal of a hook that comes before those of the factory', async () => {
  await using http = startHttp()
  await http.app.register(async (scope) => {
    scope.addHook('onRequest', async () => {
      throw new Problem('database_unavailable')
    })
    scope.get('/gated', async () => 'x')
  })
  const { statusCode, headers } = await http.app.inject({ url: '/gated', headers: host })
  expect([statusCode, headers['x-content-type-options']]).toEqual([503, 'nosniff'])
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(http.lines.some((line) => JSON.parse(line).requestId === headers['x-request-id'])).toBe(true)
})

test('[K-206] a page also has those that only mean something for a document', async () => {
  await using http = startHttp()
  const { headers } = await http.app.inject({ url: '/reference', headers: host })
  expect(headers).toMatchObject({
    'content-security-policy': PAGE_CSP,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringMatching(/camera=\(\), .*usb=\(\)/),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  })
})

test('[K-206] the policy of pages allows no inline script or style', () => {
  expect(PAGE_CSP).not.toContain('unsafe')
  expect(PAGE_CSP).not.toContain('*')
})

describe('[K-207] the Host allow-list', () => {
  test.each([
    ['/x', 'localhost:8790', 200],
    ['/x', 'evil.example', 421],
    ['/x', 'local host', 421],
    ['/x', 'localhost@evil.example', 421],
    ['/health', 'evil.example', 200],
    ['/ready', '10.0.0.7:8790', 200],
    ['/metrics', 'evil.example', 421],
  ])('%s asked as %s answers %i', async (url, name, status) => {
    await using http = startHttp()
    http.app.get('/x', async () => 'x')
    expect((await http.app.inject({ url, headers: { host: name } })).statusCode).toBe(status)
  })
})

test('[K-207] a request that names two hosts is refused', async () => {
  await using http = startHttp()
  http.app.get('/x', async () => 'x')
  const { port } = new URL(await http.listen())
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write('GET /x HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    })
    socket.once('data', (chunk) => resolve(chunk.toString()))
    socket.once('error', reject)
  })
  expect(answer).toMatch(/^HTTP\/1.1 4(00|21) /)
})

describe('[K-208] the Origin check', () => {
  test.each([
    ['POST', 'http://localhost:8790', 200],
    ['POST', undefined, 200],
    ['POST', 'http://evil.example', 403],
    ['POST', 'null', 403],
    ['GET', 'http://evil.example', 200],
  ] as const)('%s from %s answers %i', async (method, origin, status) => {
    await using http = startHttp()
    http.app.route({ method: ['GET', 'POST'], url: '/x', handler: async () => 'x' })
    const headers = origin === undefined ? host : { ...host, origin }
    expect((await http.app.inject({ method, url: '/x', headers })).statusCode).toBe(status)
  })

  test('a route can accept other origins', async () => {
    await using http = startHttp()
    http.app.route({
      method: 'POST',
      url: '/x',
      config: { crossOrigin: true },
      handler: async () => 'x',
    })
    const answer = await http.app.inject({
      method: 'POST',
      url: '/x',
      headers: { ...host, origin: 'https://provider.example' },
    })
    expect(answer.statusCode).toBe(200)
  })
})

test.each([
  [[], '127.0.0.1'],
  [['127.0.0.0/8'], '203.0.113.9'],
])('[K-209] with trusted proxies %j the client is %s', async (trustedProxies, expected) => {
  await using http = startHttp({ trustedProxies })
  http.app.get('/ip', async (request) => request.ip)
  const url = await http.listen()
  const answer = await fetch(`${url}/ip`, { headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' } })
  expect(await answer.text()).toBe(expected)
})
