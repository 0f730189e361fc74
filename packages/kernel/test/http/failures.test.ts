import { connect } from 'node:net'
import { PROBLEMS, Problem } from '@patchbay/contracts/core'
import { expect, test } from 'vitest'
import { startHttp } from './harness.ts'

const headers = { host: 'localhost' }

function startEcho() {
  const http = startHttp({ bodyLimitBytes: 100 })
  http.app.post('/echo', async (request) => request.body)
  http.app.get('/echo', async () => 'x')
  http.app.get('/wrong', async () => {
    throw new Error('password is hunter2')
  })
  http.app.get('/refused', async () => {
    throw new Problem('rate_limited', { detail: 'slow', headers: { 'retry-after': '3' } })
  })
  return http
}

test.each([
  ['an unknown address', { method: 'GET', url: '/nothing' }, 'not_found'],
  ['a wrong method', { method: 'DELETE', url: '/echo' }, 'method_not_allowed'],
  ['too large a body', { method: 'POST', url: '/echo', payload: { a: 'x'.repeat(200) } }, 'body_too_large'],
  [
    'a foreign content type',
    { method: 'POST', url: '/echo', payload: '<a/>', headers: { 'content-type': 'text/xml' } },
    'unsupported_media_type',
  ],
  [
    'malformed JSON',
    { method: 'POST', url: '/echo', payload: '{"a":', headers: { 'content-type': 'application/json' } },
    'malformed_json',
  ],
  [
    'an empty JSON body',
    { method: 'POST', url: '/echo', payload: '', headers: { 'content-type': 'application/json' } },
    'malformed_json',
  ],
  [
    'a poisoned prototype',
    {
      method: 'POST',
      url: '/echo',
      payload: '{"__proto__":{"a":1}}',
      headers: { 'content-type': 'application/json' },
    },
    'malformed_json',
  ],
  ['a bad escape in the address', { method: 'GET', url: '/%zz' }, 'malformed_request'],
] as const)('[K-203] %s is a problem', async (_, request, code) => {
  await using http = startEcho()
  const answer = await http.app.inject({
    ...request,
    headers: { ...headers, ...('headers' in request ? request.headers : {}) },
  })
  expect(answer.statusCode).toBe(PROBLEMS[code].status)
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(answer.json()).toMatchObject({ code, status: PROBLEMS[code].status, title: PROBLEMS[code].title })
})

test('[K-203] a wrong method names the right ones', async () => {
  await using http = startEcho()
  const answer = await http.app.inject({ method: 'DELETE', url: '/echo?x=1', headers })
  expect(answer.headers['allow']).toBe('GET, HEAD, POST')
})

test.each([
  ['malformed HTTP', 'NONSENSE\r\n\r\n', 400, 'malformed_request'],
  [
    'oversized headers',
    `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
])('[K-203] %s is a problem, written to the socket', async (_, bytes, status, code) => {
  await using http = startEcho()
  const { port } = new URL(await http.listen())
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(text).toContain('application/problem+json')
  expect(text).toContain(`"code":"${code}"`)
})

test('[K-204] an unexpected error says nothing to the client and everything to the log', async () => {
  await using http = startEcho()
  const answer = await http.app.inject({ url: '/wrong', headers })
  expect(answer.statusCode).toBe(500)
  expect(answer.body).not.toContain('hunter2')
  const line = http.lines.find((text) => text.includes('hunter2'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'error',
    requestId: answer.headers['x-request-id'],
  })
})

test('[K-203] a thrown problem keeps its detail and headers', async () => {
  await using http = startEcho()
  const answer = await http.app.inject({ url: '/refused', headers })
  expect(answer.headers['retry-after']).toBe('3')
  expect(answer.json()).toMatchObject({ code: 'rate_limited', detail: 'slow' })
})
