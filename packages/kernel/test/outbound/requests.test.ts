import { createServer as createTlsServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { certify } from './certificate.ts'
import { dialLoopback, LIMITS, openOutbound, readAll, reasonOf, serve } from './rig.ts'

test('[K-806] the host header is that of the URL, and the connection that of the checked address', async () => {
  await using server = await serve((_request, response) => response.end())
  const { dialled, connect } = dialLoopback()
  await using outbound = openOutbound({ 'files.example.com': ['127.0.0.1'] }, { connect })
  await using _ = await outbound.open(`http://files.example.com:${server.port}/x`, LIMITS)
  expect(server.requests[0]?.headers.host).toBe(`files.example.com:${server.port}`)
  expect(dialled).toEqual(['127.0.0.1'])
})

test('[K-806] over TLS the server name and the certificate are those of the URL', async () => {
  await using certificate = await certify('files.example.com')
  await using server = await serve((request, response) => {
    response.end(String((request.socket as TLSSocket).servername))
  }, createTlsServer(certificate))
  const { connect } = dialLoopback({ ca: certificate.cert })
  const names = { 'files.example.com': ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] }
  await using outbound = openOutbound(names, { connect })
  const { body } = await outbound.open(`https://files.example.com.:${server.port}/`, LIMITS)
  expect(await readAll(body)).toBe('files.example.com')
  expect(server.requests[0]?.headers.host).toBe(`files.example.com:${server.port}`)
  expect(await reasonOf(outbound, `https://other.example.com:${server.port}/`)).toBe('unreachable')
  expect(await reasonOf(outbound, `https://127.0.0.1:${server.port}/`)).toBe('unreachable')
  await using distrustful = openOutbound(names)
  expect(await reasonOf(distrustful, `https://files.example.com:${server.port}/`)).toBe('unreachable')
  expect(server.requests).toHaveLength(1)
})

test('[K-814] a request says what it wants and nothing about who asks, after a redirect too', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/end') response.end('done')
    else response.writeHead(302, { location: '/end', 'set-cookie': 'id=1; Path=/' }).end()
  })
  await using outbound = openOutbound()
  const { body } = await outbound.open(`${server.url}/start`, LIMITS)
  expect(await readAll(body)).toBe('done')
  const expected = {
    host: `127.0.0.1:${server.port}`,
    'user-agent': 'patchbay-test',
    'accept-encoding': 'identity',
    connection: 'close',
  }
  expect(server.requests.map(({ headers, method }) => ({ method, headers }))).toEqual([
    { method: 'GET', headers: expected },
    { method: 'GET', headers: expected },
  ])
})

test('[K-815] headers that ask for a form of the answer are sent', async () => {
  await using server = await serve((_request, response) => response.end())
  await using outbound = openOutbound()
  const headers = { Accept: 'application/zip', 'if-none-match': '"abc"' }
  await using _ = await outbound.open(server.url, { ...LIMITS, headers })
  expect(server.requests[0]?.headers).toMatchObject({ accept: 'application/zip', 'if-none-match': '"abc"' })
})

test.for([
  ['Authorization', 'Bearer x'],
  ['cookie', 'id=1'],
  ['Referer', 'http://a.example/'],
  ['host', 'a.example'],
  ['accept-encoding', 'gzip'],
  ['x-forwarded-for', '1.2.3.4'],
  ['accept', 'a\r\nhost: b'],
] as const)('[K-815] the header %s: %j is a TypeError', async ([name, value]) => {
  await using server = await serve((_request, response) => response.end())
  await using outbound = openOutbound()
  await expect(outbound.open(server.url, { ...LIMITS, headers: { [name]: value } })).rejects.toThrow(
    TypeError,
  )
  expect(server.requests).toEqual([])
})

test('[K-816] every request has a connection of its own, and it is closed at the end', async () => {
  await using server = await serve((_request, response) => response.end('x'))
  const { dialled, connect } = dialLoopback()
  await using outbound = openOutbound({}, { connect })
  for (let count = 0; count < 3; count += 1) {
    const { body } = await outbound.open(server.url, LIMITS)
    expect(await readAll(body)).toBe('x')
  }
  expect(dialled).toHaveLength(3)
  await expect.poll(() => server.sockets.size).toBe(0)
})
