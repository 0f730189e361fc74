import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { waitUntil } from '@patchbay/testkit/processes'
import { describe, expect, test } from 'vitest'
import { readyHead, sendReady } from '../../src/http/index.ts'
import { startHttp, type TestHttp } from './harness.ts'

const BODY = Buffer.from('{"a":1}')
const NAMED = { 'cache-control': 'no-cache', etag: '"x"', 'content-type': 'application/json' }
const WHOLE = readyHead(200, { ...NAMED, 'content-length': `${BODY.byteLength}` })
const UNCHANGED = readyHead(304, NAMED)

function startReady(overrides: Parameters<typeof startHttp>[0] = {}): TestHttp {
  const http = startHttp(overrides)
  const method = ['GET', 'HEAD']
  http.app.route({ method, url: '/ready/:id', handler: (_request, reply) => sendReady(reply, WHOLE, BODY) })
  http.app.route({ method, url: '/unchanged', handler: (_request, reply) => sendReady(reply, UNCHANGED) })
  http.app.route({
    method,
    url: '/ordinary/:id',
    handler: (_request, reply) => reply.headers(NAMED).send(BODY),
  })
  return http
}

/** `fetch` hides what is about the connection. */
async function ask(url: string, method = 'GET', headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined
    headers: Record<string, unknown>
    body: string
  }>()
  request(url, { method, headers }, (response) => {
    const { statusCode: status } = response
    buffer(response).then(
      (body) => resolve({ status, headers: { ...response.headers }, body: body.toString() }),
      reject,
    )
  })
    .once('error', reject)
    .end()
  return await promise
}

describe('[K-233] an answer that was made in advance', () => {
  test.each(['GET', 'HEAD'])('is the one that the framework would give to a %s', async (method) => {
    await using http = startReady()
    const url = await http.listen()
    const { 'x-request-id': id, date: _date, ...named } = (await ask(`${url}/ready/1`, method)).headers
    const ordinary = await ask(`${url}/ordinary/1`, method)
    const { 'x-request-id': otherId, date: _otherDate, ...expected } = ordinary.headers
    expect(named).toEqual(expected)
    expect(named).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-length': '7' })
    expect(named['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(id).toMatch(/^n1-/)
    expect(id).not.toBe(otherId)
    expect(ordinary.body).toBe(method === 'GET' ? '{"a":1}' : '')
    expect((await ask(`${url}/ready/1`, method)).body).toBe(ordinary.body)
  })

  test('has no length and no body as a 304', async () => {
    await using http = startReady()
    const { status, headers, body } = await ask(`${await http.listen()}/unchanged`)
    expect([status, headers['content-length'], headers['etag'], body]).toEqual([304, undefined, '"x"', ''])
  })

  test('is counted and logged by its route, with its request id', async () => {
    await using http = startReady()
    const url = await http.listen()
    const { headers } = await ask(`${url}/ready/tok_secret`)
    await ask(`${url}/ready/tok_secret`, 'HEAD')
    const text = (await ask(`${url}/metrics`)).body
    for (const method of ['GET', 'HEAD'])
      expect(text).toContain(`_count{process="test",method="${method}",route="/ready/:id",status="200"} 1`)
    const line = http.lines.map((each) => JSON.parse(each)).find((each) => each.route === '/ready/:id')
    expect(line).toMatchObject({ requestId: headers['x-request-id'], status: 200, method: 'GET' })
    expect(http.lines.join('')).not.toContain('tok_secret')
  })

  test('comes after the guards', async () => {
    await using http = startReady()
    const url = await http.listen()
    expect((await ask(`${url}/ready/1`, 'GET', { host: 'evil.example' })).status).toBe(421)
  })

  test('ends its connection while the node drains', async () => {
    await using http = startReady()
    const url = await http.listen()
    expect((await ask(`${url}/ready/1`)).headers['connection']).toBe('keep-alive')
    http.announceDrain()
    const { status, headers, body } = await ask(`${url}/ready/1`)
    expect([status, headers['connection'], body]).toEqual([200, 'close', '{"a":1}'])
  })

  test('reaches whoever was waiting for it when the node began to drain', async () => {
    const http = startHttp()
    const gate = Promise.withResolvers<void>()
    let isHeld = false
    http.app.get('/held', async (_request, reply) => {
      isHeld = true
      await gate.promise
      return sendReady(reply, WHOLE, BODY)
    })
    const held = ask(`${await http.listen()}/held`)
    await waitUntil('the request is held', () => isHeld)
    const drained = http.drain(20_000)
    gate.resolve()
    const { headers, body } = await held
    expect([headers['connection'], body]).toEqual(['close', '{"a":1}'])
    await drained
  })

  test('is dropped when the deadline of its route has answered', async () => {
    await using http = startHttp({ deadlineMs: 200 })
    const gate = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    http.app.get('/slow', async (_request, reply) => {
      await gate.promise
      sendReady(reply, WHOLE, BODY)
      sent.resolve()
    })
    const url = await http.listen()
    expect((await ask(`${url}/slow`)).status).toBe(504)
    gate.resolve()
    await sent.promise
    const text = (await ask(`${url}/metrics`)).body
    expect(text).toContain('_count{process="test",method="GET",route="/slow",status="504"} 1')
    expect(text).not.toContain('route="/slow",status="200"')
  })

  test('is not answered for by the deadline once it is sent', async () => {
    await using http = startReady({ deadlineMs: 200 })
    http.app.get('/hangs', () => new Promise(() => {}))
    const url = await http.listen()
    expect((await ask(`${url}/ready/1`)).status).toBe(200)
    // Whoever began later was looked at, so it was too.
    expect((await ask(`${url}/hangs`)).status).toBe(504)
    expect((await ask(`${url}/metrics`)).body).not.toContain('route="/ready/:id",status="504"')
  })

  test.each([
    ['x-a', 'line\nbreak'],
    ['x a', 'space in the name'],
  ])('cannot be made with %s: %s', (name, value) => {
    expect(() => readyHead(200, { [name]: value })).toThrow(/Invalid character|valid HTTP token/)
  })
})
