import { createServer as createTlsServer } from 'node:https'
import { expect, test } from 'vitest'
import { certify } from './certificate.ts'
import { dialLoopback, LIMITS, openOutbound, readAll, reasonOf, refusal, serve } from './rig.ts'

const redirectTo = (location: string, status = 302) =>
  serve((_request, response) => response.writeHead(status, { location }).end('moved'))

test.for([301, 302, 303, 307, 308])('[K-810] a %i to a permitted place is followed', async (status) => {
  await using goal = await serve((_request, response) => response.end('here'))
  await using start = await redirectTo(`${goal.url}/file?a=1#part`, status)
  await using outbound = openOutbound()
  const { body, status: last, url } = await outbound.open(start.url, LIMITS)
  expect({ body: await readAll(body), status: last, url }).toEqual({
    body: 'here',
    status: 200,
    url: `${goal.url}/file?a=1`,
  })
})

test.for([
  ['http://10.0.0.1/', 'address'],
  ['http://169.254.169.254/latest/meta-data/', 'address'],
  ['//2130706434.example@[::1]/', 'credentials'],
  ['http://[::1]/', 'address'],
  ['http://0xa000001/', 'address'],
  ['http://internal.example/', 'name'],
  ['http://user:secret@127.0.0.1/', 'credentials'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'scheme'],
  ['http://8.8.8.8:25/', 'port'],
  ['http://', 'url'],
] as const)('[K-810] a redirect to %s is refused with %s', async ([location, reason]) => {
  await using start = await redirectTo(location)
  const { dialled, connect } = dialLoopback()
  await using outbound = openOutbound({ 'internal.example': ['10.0.0.1'] }, { connect })
  expect(await reasonOf(outbound, start.url)).toBe(reason)
  expect(dialled).toEqual(['127.0.0.1'])
})

test('[K-810] a relative redirect stays on its server and is checked again', async () => {
  await using start = await serve((request, response) => {
    if (request.url === '/a/b') response.end('relative')
    else response.writeHead(302, { location: 'b' }).end()
  })
  const answers = [['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']]
  await using outbound = openOutbound({}, { lookup: async () => answers.shift() ?? [] })
  const url = `http://turning.example:${start.port}/a/start`
  const { body } = await outbound.open(url, LIMITS)
  expect(await readAll(body)).toBe('relative')
  expect(await reasonOf(outbound, url)).toBe('name')
})

test('[K-810] the endless body of a redirect is not read', async () => {
  await using goal = await serve((_request, response) => response.end('here'))
  await using start = await serve((_request, response) => {
    response.writeHead(302, { location: goal.url }).write('x'.repeat(100_000))
  })
  await using outbound = openOutbound()
  const { body } = await outbound.open(start.url, { ...LIMITS, maxBytes: 10 })
  await expect.poll(() => start.sockets.size).toBe(0)
  expect(await readAll(body)).toBe('here')
})

test('[K-811] five redirects are followed and the sixth is refused', async () => {
  await using server = await serve((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('arrived')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  await using outbound = openOutbound()
  const { body } = await outbound.open(`${server.url}/5`, LIMITS)
  expect(await readAll(body)).toBe('arrived')
  expect(await reasonOf(outbound, `${server.url}/6`)).toBe('redirects')
  expect(server.requests).toHaveLength(12)
})

test('[K-811] with no redirects allowed the first one is refused', async () => {
  await using server = await redirectTo('/')
  await using outbound = openOutbound({}, { maxRedirects: 0 })
  expect(await reasonOf(outbound, server.url)).toBe('redirects')
  expect(server.requests).toHaveLength(1)
})

test('[K-812] https does not lead to http', async () => {
  await using certificate = await certify('secure.example')
  await using plain = await serve((_request, response) => response.end('plain'))
  const tls = createTlsServer(certificate)
  await using secure = await serve(
    (_request, response) => response.writeHead(302, { location: plain.url }).end(),
    tls,
  )
  const { connect } = dialLoopback({ ca: certificate.cert })
  await using outbound = openOutbound({ 'secure.example': ['127.0.0.1'] }, { connect })
  const error = await refusal(outbound.open(`https://secure.example:${secure.port}/`, LIMITS))
  expect(error.reason).toBe('scheme')
  expect(plain.requests).toEqual([])
})

test('[K-813] the answer names where it came from, without the fragment', async () => {
  await using server = await serve((_request, response) => response.end())
  await using outbound = openOutbound()
  await using response = await outbound.open(`${server.url}/a/../b%20c?d=%7E#e`, LIMITS)
  expect(response.url).toBe(`${server.url}/b%20c?d=%7E`)
  expect(server.requests[0]?.url).toBe('/b%20c?d=%7E')
})

test('[K-813] an answer that points nowhere is an answer like any other', async () => {
  await using server = await serve((_request, response) => response.writeHead(302).end('no location'))
  await using outbound = openOutbound()
  const { body, status } = await outbound.open(server.url, LIMITS)
  expect({ status, body: await readAll(body) }).toEqual({ status: 302, body: 'no location' })
})
