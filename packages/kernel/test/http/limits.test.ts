import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Problem } from '@patchbay/contracts/core'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { createInProcessBus, type RateLimit } from '../../src/bus/index.ts'
import { systemClock } from '../../src/clock/index.ts'
import { startHttp } from './harness.ts'

const headers = { host: 'localhost' }
const limited = { config: { rateLimit: { max: 2, windowMs: 60_000 } } as object, handler: async () => 'x' }

test('[K-210] over the limit answers 429 with Retry-After', async () => {
  await using http = startHttp()
  http.app.route({ method: 'GET', url: '/x', ...limited })
  const statuses = []
  for (let i = 0; i < 3; i += 1) statuses.push((await http.app.inject({ url: '/x', headers })).statusCode)
  expect(statuses).toEqual([200, 200, 429])
  const answer = await http.app.inject({ url: '/x', headers })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.json()).toMatchObject({
    code: 'rate_limited',
    retry_after_seconds: Number(answer.headers['retry-after']),
  })
})

test('[K-210] of an IPv6 address the network counts: one subscriber has more addresses than any limit', async () => {
  await using http = startHttp({ trustedProxies: ['127.0.0.1'] })
  http.app.route({ method: 'GET', url: '/x', ...limited })
  const ask = async (address: string) =>
    (await http.app.inject({ url: '/x', headers: { ...headers, 'x-forwarded-for': address } })).statusCode
  const one = [await ask('2001:db8::1'), await ask('2001:db8::2'), await ask('2001:db8::ffff:3')]
  expect(one).toEqual([200, 200, 429])
  expect([await ask('2001:db8:0:1::1'), await ask('192.0.2.1'), await ask('192.0.2.2')]).toEqual([
    200, 200, 200,
  ])
})

test('[K-210] without the shared counter the node limits by itself', async () => {
  const unreachable: RateLimit = {
    hit: () => Promise.reject(new Problem('bus_unavailable')),
  }
  const local = createInProcessBus({ node: 'n1', clock: systemClock }).rateLimit
  await using http = startHttp({ rateLimits: { shared: unreachable, local } })
  http.app.route({ method: 'GET', url: '/x', ...limited })
  const statuses = []
  for (let i = 0; i < 3; i += 1) statuses.push((await http.app.inject({ url: '/x', headers })).statusCode)
  expect(statuses).toEqual([200, 200, 429])
})

deepTest('[K-215] a handler past its deadline is answered for with 504', async () => {
  await using http = startHttp({ deadlineMs: 300 })
  http.app.get('/slow', () => new Promise(() => {}))
  const begun = performance.now()
  const answer = await http.app.inject({ url: '/slow', headers })
  expect(answer.json()).toMatchObject({ code: 'deadline_exceeded', status: 504 })
  expect(performance.now() - begun).toBeLessThan(atLatest(1_500))
})

test('[K-215] an answer that comes after its deadline is dropped', async () => {
  await using http = startHttp({ deadlineMs: 200 })
  const gate = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  http.app.get('/slow', async (_request, reply) => {
    await gate.promise
    sent.resolve()
    return reply.code(200).header('etag', '"x"').send('late')
  })
  const answer = await http.app.inject({ url: '/slow', headers })
  expect([answer.statusCode, answer.headers['etag']]).toEqual([504, undefined])
  gate.resolve()
  await sent.promise
  const text = (await http.app.inject({ url: '/metrics', headers })).body
  expect(text).toContain('route="/slow",status="504"')
  expect(text).not.toContain('route="/slow",status="200"')
})

deepTest('[K-215] a stream has no deadline when its route says so', async () => {
  await using http = startHttp({ deadlineMs: 200 })
  http.app.route({
    method: 'GET',
    url: '/stream',
    config: { deadlineMs: 0 },
    handler: (_request, reply) => {
      setTimeout(() => void reply.send('late'), 500)
    },
  })
  expect((await http.app.inject({ url: '/stream', headers })).body).toBe('late')
})

deepTest('[K-215] a handler that took the connection over answers for itself', async () => {
  await using http = startHttp({ deadlineMs: 200 })
  http.app.get('/taken', (_request, reply) => {
    reply.hijack()
    reply.raw.write('begun ')
    setTimeout(() => reply.raw.end('and ended'), 500)
  })
  const url = await http.listen()
  expect(await (await fetch(`${url}/taken`)).text()).toBe('begun and ended')
})

test('[K-216] draining finishes what is in flight and refuses new connections', async () => {
  const http = startHttp()
  let release = () => {}
  http.app.get('/held', (_request, reply) => {
    release = () => void reply.send('done')
  })
  const url = await http.listen()
  const held = fetch(`${url}/held`)
  await waitUntil('the request is held', () => release.length === 0 && String(release).includes('send'))
  const drained = http.drain(20_000)
  await expect(fetch(`${url}/health`)).rejects.toThrow()
  release()
  const answer = await held
  const begun = performance.now()
  expect(await answer.text()).toBe('done')
  expect(answer.headers.get('connection')).toBe('close')
  await drained
  // Less than it was given: it does not wait for the connections that are kept alive.
  expect(performance.now() - begun).toBeLessThan(atLatest(3_000))
})

test('[K-216] a connection on which nothing was asked yet does not hold it up', async () => {
  const http = startHttp()
  const { port } = new URL(await http.listen())
  // Ahead of need, as browsers open them.
  const spare = connect(Number(port), '127.0.0.1').resume()
  await once(spare, 'connect')
  const ended = once(spare, 'close')
  // Far beyond what this test may take.
  await http.drain(600_000)
  await ended
  expect(spare.destroyed).toBe(true)
})

test('[K-859] behind a proxy, connections that it keeps are used once more while new ones are refused', async () => {
  const http = startHttp({ trustedProxies: ['127.0.0.1'] })
  http.app.post('/x', async () => 'done')
  const url = await http.listen()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = async () => {
    const request = httpRequest(`${url}/x`, { agent, method: 'POST' }).end()
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
    return { status: answer.statusCode, isKept: request.reusedSocket, says: answer.headers.connection }
  }
  expect(await post()).toEqual({ status: 200, isKept: false, says: 'keep-alive' })
  const drained = http.drain(60_000)
  const answers = []
  do answers.push(await post())
  while (answers.at(-1)?.says === 'keep-alive')
  expect(new Set(answers.map(({ status, isKept }) => `${status} ${isKept}`))).toEqual(new Set(['200 true']))
  await expect(fetch(`${url}/health`)).rejects.toThrow()
  await drained
  agent.destroy()
})

test('[K-216] what does not finish is cut at the deadline', async () => {
  const http = startHttp({ deadlineMs: 60_000 })
  let reached = false
  http.app.get('/held', () => {
    reached = true
    return new Promise(() => {})
  })
  const url = await http.listen()
  const held = fetch(`${url}/held`).catch((error: unknown) => error)
  await waitUntil('the request is held', () => reached)
  const begun = performance.now()
  await http.drain(300)
  expect(performance.now() - begun).toBeLessThan(atLatest(2_000))
  expect(await held).toBeInstanceOf(Error)
})
