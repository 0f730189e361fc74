import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { address, call, endpoint, type Problem, UnexpectedResponse } from '../src/core/index.ts'

const renameThing = endpoint({
  method: 'PATCH',
  path: '/things/{owner}/{id}',
  name: 'renameThing',
  summary: 'Gives a thing another name',
  tag: 'Things',
  params: Type.Object({ owner: Type.String(), id: Type.String() }),
  query: Type.Object({ dry: Type.Optional(Type.Boolean()) }),
  body: Type.Object({ name: Type.String() }),
  responses: { 200: Type.Object({ name: Type.String() }), 204: null },
  problems: ['not_found'],
})

const input = { params: { owner: 'a/b', id: 'ü' }, query: { dry: true }, body: { name: 'lamp' } }

/** A `fetch` that answers with one response and remembers what it was asked. */
function answering(response: Response) {
  const seen: { url: string; init: RequestInit | undefined }[] = []
  const fetcher: typeof fetch = async (url, init) => {
    seen.push({ url: String(url), init })
    return response
  }
  return { seen, options: { baseUrl: 'http://127.0.0.1:1/', fetch: fetcher } }
}

const json = (status: number, body: unknown, type = 'application/json') =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': `${type}; charset=utf-8`, 'retry-after': '7' },
  })

test('[CT-4] path parameters are percent-encoded and query values sent once per item', () => {
  expect(address('/x/{a}', { params: { a: 'b/../c?' } })).toBe('/x/b%2F..%2Fc%3F')
  expect(address('/x', { query: { tag: ['p', 'q'], skip: undefined, n: 5 } })).toBe('/x?tag=p&tag=q&n=5')
})

test('[CT-4] a missing or dotted path parameter is refused before anything is sent', () => {
  expect(() => address('/x/{a}/y', {})).toThrow(/path parameter a/)
  expect(() => address('/x/{a}/y', { params: { a: '..' } })).toThrow(/path parameter a/)
})

test('[CT-5] a declared answer resolves, typed by its status', async () => {
  const { seen, options } = answering(json(200, { name: 'lamp' }))
  const answer = await call(renameThing, input, options)
  expect(answer.status === 200 && answer.body.name).toBe('lamp')
  expect(seen[0]?.url).toBe('http://127.0.0.1:1/things/a%2Fb/%C3%BC?dry=true')
  expect(seen[0]?.init).toMatchObject({ method: 'PATCH', body: '{"name":"lamp"}' })
})

test('[CT-5] an answer without a body has none', async () => {
  const { options } = answering(new Response(null, { status: 204 }))
  expect((await call(renameThing, input, options)).body).toBeUndefined()
})

test('[CT-6] a known refusal is thrown as a Problem with its extensions and Retry-After', async () => {
  const { options } = answering(
    json(429, { code: 'rate_limited', detail: 'slow', hint: 1 }, 'application/problem+json'),
  )
  const error = (await call(renameThing, input, options).catch((e: unknown) => e)) as Problem
  expect(error).toMatchObject({ name: 'Problem', code: 'rate_limited', status: 429, detail: 'slow' })
  expect(error.extensions).toEqual({ hint: 1 })
  expect(error.headers).toEqual({ 'retry-after': '7' })
})

test.each([
  ['an undeclared status', new Response('hello', { status: 201 })],
  [
    'an HTML page of a proxy',
    new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } }),
  ],
  ['a 502 without a problem', new Response('bad gateway', { status: 502 })],
  ['a code the table does not know', json(400, { code: 'nope' }, 'application/problem+json')],
  [
    'a problem that is not JSON',
    new Response('{', { status: 400, headers: { 'content-type': 'application/problem+json' } }),
  ],
])('[CT-7] %s is an UnexpectedResponse', async (_, response) => {
  await expect(call(renameThing, input, answering(response).options)).rejects.toBeInstanceOf(
    UnexpectedResponse,
  )
})

const sendThing = endpoint({
  method: 'POST',
  path: '/things',
  name: 'sendThing',
  summary: 'Takes a thing',
  tag: 'Things',
  upload: { mediaType: 'application/zip', description: 'The thing.' },
  responses: { 204: null },
})

test('[CT-13] an upload is sent as it is, under the media type of its endpoint', async () => {
  const bytes = new Uint8Array([1, 2, 3])
  const stream = new Blob([bytes]).stream()
  for (const upload of [bytes, stream]) {
    const { seen, options } = answering(new Response(null, { status: 204 }))
    await call(sendThing, { upload }, options)
    expect(seen[0]?.init?.body).toBe(upload)
    expect(new Headers(seen[0]?.init?.headers).get('content-type')).toBe('application/zip')
    expect(seen[0]?.init).toHaveProperty('method', 'POST')
    expect('duplex' in (seen[0]?.init ?? {})).toBe(upload === stream)
  }
})
