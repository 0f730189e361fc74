import { createServer, get } from 'node:http'
import { promisify } from 'node:util'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { createLog } from '../../src/log/index.ts'
import { checkUpgrade } from '../../src/websocket/handshake/upgrade.ts'
import { attachWebSockets } from '../../src/websocket/index.ts'
import { echo } from './echo-endpoint.ts'
import { ask, parseAnswer, readToEnd } from './raw-upgrade.ts'
import { nextText, startServer } from './start-server.ts'
import { KEY, upgradeText } from './upgrade-text.ts'

const log = createLog({ level: 'silent', process: 'test' })

test('[K-301] several endpoints share one server, each with its own paths', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  server.sockets.add({
    path: ['/loud', '/louder'],
    maxMessageBytes: 100,
    onMessage: (peer, text) => void peer.offer(`${peer.path} ${text.toUpperCase()}`),
  })
  for (const [path, answer] of [
    ['/echo', 'hi'],
    ['/loud', '/loud HI'],
    ['/louder', '/louder HI'],
  ] as const) {
    const client = await server.open(path)
    const reply = nextText(client)
    client.send('hi')
    expect(await reply).toBe(answer)
  }
  expect(server.sockets.size).toBe(3)
})

test('[K-301] a second registry, a taken path and an entry that matches nothing fail at start-up', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  expect(() => server.sockets.add(echo)).toThrow('/echo')
  expect(() => server.sockets.add({ ...echo, path: 'no-slash' })).toThrow('no-slash')
  expect(() => server.sockets.add({ ...echo, path: '/q?x' })).toThrow('/q?x')

  const http = createServer()
  const options = { log, allowedHosts: ['localhost'], allowedOrigins: ['https://a.example'] }
  expect(() => attachWebSockets(http, { ...options, allowedHosts: ['http://localhost'] })).toThrow(
    'http://localhost',
  )
  expect(() => attachWebSockets(http, { ...options, allowedOrigins: ['a.example'] })).toThrow('a.example')
  await using _ = attachWebSockets(http, options)
  expect(() => attachWebSockets(http, options)).toThrow('upgrades')
})

test('[K-302] the checks run in order and the first that fails answers', async () => {
  await using server = await startServer({ limits: { maxConnections: 0 } })
  server.sockets.add(echo)
  server.sockets.add({ ...echo, path: '/open' })
  const faults = {
    path: '/nowhere',
    method: 'POST',
    headers: { host: 'evil.example', origin: 'https://evil.example' },
  }
  const codes: unknown[] = [(await ask(server, faults)).problem['code']]
  codes.push((await ask(server, { ...faults, method: 'GET' })).problem['code'])
  codes.push((await ask(server, { headers: faults.headers })).problem['code'])
  codes.push((await ask(server, { headers: { origin: 'https://evil.example' } })).problem['code'])
  codes.push((await ask(server)).problem['code'])
  await server.sockets.drain({ windowMs: 0, graceMs: 0 })
  codes.push((await ask(server)).problem['code'])
  expect(codes).toEqual([
    'method_not_allowed',
    'not_found',
    'host_not_allowed',
    'origin_not_allowed',
    'rate_limited',
    'shutting_down',
  ])
})

test('[K-303] a refusal is a whole HTTP answer with a problem body', async () => {
  await using server = await startServer()
  const { status, headers, body, problem } = await ask(server)
  expect(status).toBe(404)
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  expect(problem).toEqual({
    type: '/problems/not_found',
    title: 'Not found',
    status: 404,
    code: 'not_found',
  })
})

test('[K-303] a client that sends on before it reads gets the refusal, and its socket is closed at once', async () => {
  await using server = await startServer({ limits: { closeTimeoutMs: 60_000 } })
  const socket = await server.tcp()
  socket.write(upgradeText())
  socket.write(Buffer.alloc(200_000))
  expect(parseAnswer(await readToEnd(socket)).problem['code']).toBe('not_found')
  const connections = promisify(server.http.getConnections.bind(server.http))
  await waitUntil('the server let go of it', async () => (await connections()) === 0, { deadlineMs: 5_000 })
})

test('[K-303] a client that keeps a refused socket open loses it at the deadline', async () => {
  await using server = await startServer({ limits: { closeTimeoutMs: 100 } })
  const socket = await server.tcp()
  socket.allowHalfOpen = true
  socket.write(upgradeText())
  await readToEnd(socket)
  expect(socket.writable).toBe(true)
  const writing = setInterval(() => socket.write('x'), 10)
  await waitUntil('it is cut', () => !socket.writable, { deadlineMs: 3_000 })
  clearInterval(writing)
})

test('[K-304] another method, key or version is refused, and the version is named', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  const post = await ask(server, { method: 'POST' })
  expect([post.status, post.headers['allow']]).toEqual([405, 'GET'])
  for (const key of [null, '', 'short', `${KEY}x`]) {
    const answer = await ask(server, { headers: { 'sec-websocket-key': key } })
    expect([answer.status, answer.problem['code']]).toEqual([400, 'malformed_request'])
  }
  for (const version of [null, '8', '12', '13, 8', 'x']) {
    const answer = await ask(server, { headers: { 'sec-websocket-version': version } })
    expect([answer.status, answer.headers['sec-websocket-version']]).toEqual([400, '13'])
  }
  const protocol = await ask(server, { headers: { 'sec-websocket-protocol': 'a,,b' } })
  expect([protocol.status, protocol.problem['code']]).toEqual([400, 'malformed_request'])
})

test('[K-305] an offer of another protocol is answered as plain HTTP', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
  const body = await new Promise<string>((resolve, reject) => {
    get({ port: server.port, host: '127.0.0.1', path: '/echo', headers }, (response) => {
      response.setEncoding('utf8').once('data', resolve)
    }).on('error', reject)
  })
  expect(body).toBe('plain')
  const request = { method: 'GET', headers: { upgrade: 'h2c', 'sec-websocket-key': KEY } }
  expect(() => checkUpgrade(request)).toThrow(expect.objectContaining({ code: 'malformed_request' }))
})

test('[K-306] an unknown path answers 404, the query does not matter', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  for (const path of ['/', '/Echo', '/echo/', '/echo/x', '//echo', '/%65cho', '*']) {
    expect({ path, status: (await ask(server, { path })).status }).toEqual({ path, status: 404 })
  }
  await server.open('/echo?token=1')
})

test('[K-307] a foreign or repeated host answers 421', async () => {
  await using server = await startServer({ allowedHosts: ['patchbay.example', '[::1]:80'] })
  server.sockets.add(echo)
  for (const host of ['evil.example', 'patchbay.example.evil.example', '[::1]', 'a b']) {
    const answer = await ask(server, { headers: { host } })
    expect([host, answer.status, answer.problem['code']]).toEqual([host, 421, 'host_not_allowed'])
  }
  const twice = await ask(server, { headers: { host: ['patchbay.example', 'patchbay.example'] } })
  expect(twice.status).toBe(421)
  for (const host of ['PATCHBAY.example:1234', '[::1]:80']) await server.open('/echo', { headers: { host } })
})

test('[K-308] a foreign origin answers 403; none at all and a listed one pass', async () => {
  await using server = await startServer({ allowedOrigins: ['https://app.example'] })
  server.sockets.add(echo)
  for (const origin of [
    'https://evil.example',
    'http://app.example',
    'https://app.example:8443',
    'null',
    '',
  ]) {
    const answer = await ask(server, { headers: { origin } })
    expect([origin, answer.status, answer.problem['code']]).toEqual([origin, 403, 'origin_not_allowed'])
  }
  await server.open('/echo', { origin: 'https://app.example' })
  await server.open('/echo')
})

test('[K-308] the opaque origin passes where it is listed', async () => {
  await using server = await startServer({ allowedOrigins: ['null'] })
  server.sockets.add(echo)
  await server.open('/echo', { origin: 'null' })
  expect((await ask(server, { headers: { origin: 'https://a.example' } })).status).toBe(403)
})

test('[K-313] neither extension nor subprotocol is agreed to', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  const socket = await server.tcp()
  socket.write(
    upgradeText({
      headers: { 'sec-websocket-extensions': 'permessage-deflate', 'sec-websocket-protocol': 'secret-token' },
    }),
  )
  const answer = parseAnswer(
    await new Promise<string>((resolve) => socket.once('data', (c) => resolve(String(c)))),
  )
  expect(answer.status).toBe(101)
  expect(Object.keys(answer.headers).toSorted()).toEqual(['Connection', 'Sec-WebSocket-Accept', 'Upgrade'])
  const compressing = await server.open('/echo', { perMessageDeflate: true })
  expect(compressing.extensions).toBe('')
})

test('[K-301] a server that has closed has no registry anymore', async () => {
  const server = await startServer()
  server.sockets.add(echo)
  expect(server.http.listenerCount('upgrade')).toBe(1)
  await server[Symbol.asyncDispose]()
  expect(server.http.listenerCount('upgrade')).toBe(0)
})
