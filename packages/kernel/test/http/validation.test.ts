import { endpoint } from '@patchbay/contracts/core'
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

const touchThing = endpoint({
  method: 'POST',
  path: '/touch',
  name: 'touchThing',
  summary: 'Touches a thing',
  tag: 'Things',
  responses: { 200: Type.Object({}) },
})
const nameThing = endpoint({
  ...touchThing,
  path: '/name',
  name: 'nameThing',
  body: Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: false }),
  bodyIsOptional: true,
})

test.each(['application/x-www-form-urlencoded', 'application/json', 'text/plain', undefined])(
  '[K-238] C15: a body of no bytes is none, also as %s',
  async (type) => {
    const { http } = startThings()
    http.app.route({ ...on(touchThing), handler: async () => ({}) })
    http.app.route({ ...on(nameThing), handler: async () => ({}) })
    const url = await http.listen()
    const post = (path: string, body: string) =>
      fetch(url + path, { method: 'POST', headers: type === undefined ? {} : { 'content-type': type }, body })
    expect((await post('/touch', '')).status).toBe(200)
    expect((await post('/name', '')).status).toBe(200)
    expect((await post('/things/1', '')).status).toBeOneOf([400, 415])
    await http[Symbol.asyncDispose]()
  },
)

const moveThing = endpoint({
  ...touchThing,
  path: '/move',
  name: 'moveThing',
  body: Type.Union([
    Type.Object({ action: Type.Literal('go'), to: Type.String() }, { additionalProperties: false }),
    Type.Object({ action: Type.Literal('stop') }, { additionalProperties: false }),
    Type.Object({ action: Type.Literal('turn'), by: Type.Integer() }, { additionalProperties: false }),
  ]),
})

test.each([
  [{ action: 'go' }, '/to'],
  [{ action: 'go', to: 1 }, '/to'],
  [{ action: 'stop', to: 'x' }, '/to'],
  [{ action: 'turn', by: 'far' }, '/by'],
  [{ action: 'jump' }, '/action'],
  [{ action: 1 }, '/action'],
  [{}, '/action'],
  [[], ''],
])('[K-239] F8: of %j only the member that it names complains', async (body, pointer) => {
  const { http } = startThings()
  http.app.route({ ...on(moveThing), handler: async () => ({}) })
  const post = (payload: object) =>
    http.app.inject({ method: 'POST', url: '/move', headers: { host: 'localhost' }, payload })
  const { errors } = (await post(body)).json<{ errors: { pointer: string }[] }>()
  expect(errors.map((each) => each.pointer)).toEqual([pointer])
  expect((await post({ action: 'go', to: 'x' })).statusCode).toBe(200)
})

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
