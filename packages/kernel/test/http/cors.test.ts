import { endpoint } from '@patchbay/contracts/core'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { on } from '../../src/http/index.ts'
import { startHttp, type TestHttp } from './harness.ts'

const shown = { responses: { 200: null }, summary: 'x', tag: 'x' } as const
const readOpen = endpoint({
  ...shown,
  method: 'GET',
  path: '/open/{id}',
  name: 'readOpen',
  cors: 'public',
  headers: Type.Object({ 'x-own': Type.Optional(Type.String()) }),
})
const changeOpen = endpoint({ ...shown, method: 'PATCH', path: '/open/{id}', name: 'changeOpen' })
const readOwn = endpoint({ ...shown, method: 'GET', path: '/own', name: 'readOwn' })
const ask = { host: 'localhost', origin: 'https://app.example' }
const preflight = { ...ask, 'access-control-request-method': 'GET' }

function startOpen(refusesOtherOrigins = false): TestHttp {
  const http = startHttp({ refusesOtherOrigins })
  http.app.route({
    ...on(readOpen, { rateLimit: { max: 2, windowMs: 60_000 } }),
    handler: (_request, reply) => reply.send(),
  })
  for (const each of [changeOpen, readOwn])
    http.app.route({ ...on(each), handler: (_request, reply) => reply.send() })
  return http
}

test('[K-840] R8: an endpoint for every origin says so in answers and refusals', async () => {
  await using http = startOpen()
  const statuses: number[] = []
  for (const url of ['/open/1', '/open/1', '/open/1']) {
    const { statusCode, headers } = await http.app.inject({ url, headers: ask })
    statuses.push(statusCode)
    expect([url, headers['access-control-allow-origin']]).toEqual([url, '*'])
    expect(headers['access-control-expose-headers']).toContain('etag')
    expect(headers['access-control-expose-headers']).toContain('retry-after')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  }
  expect(statuses).toEqual([200, 200, 429])
})

test('[K-840] R8: its preflight allows its own methods and no header that carries a credential', async () => {
  await using http = startOpen()
  const { statusCode, headers } = await http.app.inject({
    method: 'OPTIONS',
    url: '/open/1',
    headers: preflight,
  })
  expect(statusCode).toBe(204)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
  })
  const allowed = String(headers['access-control-allow-headers']).split(', ')
  expect(allowed).toEqual(expect.arrayContaining(['range', 'if-none-match', 'content-type', 'x-own']))
  for (const name of ['*', 'authorization', 'x-api-key', 'x-csrf-token']) expect(allowed).not.toContain(name)
  expect(headers['access-control-allow-credentials']).toBeUndefined()
})

test.each([
  ['an endpoint that does not say so', false, '/own'],
  ['another method at the same address', false, 'PATCH /open/1'],
  ['an installation that refuses other origins', true, '/open/1'],
])('[K-841] R8: %s tells pages of other origins nothing', async (_name, refuses, asked) => {
  await using http = startOpen(refuses)
  const [url = '', method = 'GET'] = asked.split(' ').toReversed()
  const answer = await http.app.inject({ method: method as 'GET', url, headers: ask })
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  if (method === 'PATCH') return
  const before = await http.app.inject({ method: 'OPTIONS', url, headers: preflight })
  expect([before.statusCode, before.headers['access-control-allow-origin']]).toEqual([405, undefined])
})
