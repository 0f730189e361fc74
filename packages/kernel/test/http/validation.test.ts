import { endpoint } from '@patchbay/contracts'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { on } from '../../src/http/index.ts'
import { startHttp } from './harness.ts'

const makeThing = endpoint({
  method: 'POST',
  path: '/things/{id}',
  name: 'makeThing',
  summary: 'Makes a thing',
  tag: 'Things',
  params: Type.Object({ id: Type.Integer() }),
  query: Type.Object(
    {
      dry: Type.Optional(Type.Boolean()),
      limit: Type.Integer({ default: 10 }),
      tag: Type.Optional(Type.Array(Type.String())),
    },
    { additionalProperties: false },
  ),
  body: Type.Object(
    { name: Type.String(), size: Type.Optional(Type.Integer()) },
    { additionalProperties: false },
  ),
  responses: { 201: Type.Object({ id: Type.Integer(), limit: Type.Integer(), name: Type.String() }) },
})

function startThings() {
  const http = startHttp()
  const seen: unknown[] = []
  http.app.route({
    ...on(makeThing),
    async handler(request, reply) {
      seen.push({ params: request.params, query: request.query, body: request.body })
      return reply.code(201).send({
        id: request.params.id,
        limit: request.query.limit,
        name: request.body.name,
        secret: 'x',
      } as never)
    },
  })
  const post = (url: string, payload: unknown) =>
    http.app.inject({ method: 'POST', url, headers: { host: 'localhost' }, payload: payload as object })
  return { http, seen, post }
}

describe('[K-201] a body outside its schema is refused with a pointer, and nothing is coerced', () => {
  test.each([
    ['a number as text', { name: 'a', size: '5' }, '/size'],
    ['an unknown key', { name: 'a', 'o/dd': 1 }, '/o~1dd'],
    ['a missing key', {}, '/name'],
    ['another type', [], ''],
  ])('%s', async (_, payload, pointer) => {
    const { http, post } = startThings()
    await using _http = http
    const answer = await post('/things/1', payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ in: 'body', pointer }] })
  })
})

test('[K-202] query and path text become what their schema asks for', async () => {
  const { http, seen, post } = startThings()
  await using _http = http
  expect((await post('/things/7?dry=true&limit=3&tag=a', { name: 'a' })).statusCode).toBe(201)
  expect(seen).toEqual([
    { params: { id: 7 }, query: { dry: true, limit: 3, tag: ['a'] }, body: { name: 'a' } },
  ])
})

test('[K-202] a default stands in for an absent query value', async () => {
  const { http, post } = startThings()
  await using _http = http
  expect((await post('/things/7', { name: 'a' })).json()).toMatchObject({ limit: 10 })
})

test.each([
  '/things/x',
  '/things/7?limit=',
  '/things/7?limit=1.5',
  '/things/7?dry=maybe',
  '/things/7?limit=1&limit=2',
  '/things/7?odd=1',
])('[K-202] %s is refused', async (url) => {
  const { http, post } = startThings()
  await using _http = http
  expect((await post(url, { name: 'a' })).json()).toMatchObject({ code: 'invalid_request' })
})

test('[K-218] a field that the answer schema does not declare is not sent', async () => {
  const { http, post } = startThings()
  await using _http = http
  expect((await post('/things/7', { name: 'a' })).json()).toEqual({ id: 7, limit: 10, name: 'a' })
})

test('[K-223] a process that leaves queries alone sees an empty one, and the address as it came', async () => {
  await using http = startHttp({ leavesQueryAlone: true })
  http.app.get('/raw', async (request) => ({ query: request.query, url: request.raw.url }))
  const answer = await http.app.inject({ url: '/raw?a=1&a=2', headers: { host: 'localhost' } })
  expect(answer.json()).toEqual({ query: {}, url: '/raw?a=1&a=2' })
})

test('[K-225] a body that may be absent is an empty object with its defaults, and is judged when it is there', async () => {
  const renew = endpoint({
    method: 'POST',
    path: '/renew',
    name: 'renew',
    summary: 'Renews',
    tag: 'Things',
    body: Type.Object({ days: Type.Optional(Type.Integer({ default: 7 })) }, { additionalProperties: false }),
    bodyIsOptional: true,
    responses: { 200: Type.Object({ days: Type.Integer() }) },
  })
  const http = startHttp()
  http.app.route({ ...on(renew), handler: async (request) => ({ days: request.body.days ?? 0 }) })
  const send = async (payload?: object) =>
    await http.app.inject({ method: 'POST', url: '/renew', ...(payload === undefined ? {} : { payload }) })
  expect((await send()).json()).toEqual({ days: 7 })
  expect((await send({})).json()).toEqual({ days: 7 })
  expect((await send({ days: 2 })).json()).toEqual({ days: 2 })
  const named = { 'content-type': 'application/json' }
  const empty = await http.app.inject({ method: 'POST', url: '/renew', headers: named, payload: '' })
  expect(empty.json()).toEqual({ days: 7 })
  expect((await send({ days: '2' })).statusCode).toBe(400)
  expect((await send([])).statusCode).toBe(400)
})
