import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { ConnectionCaps } from '../../src/websocket/handshake/connection-caps.ts'
import type { Endpoint } from '../../src/websocket/index.ts'
import { echo } from './echo-endpoint.ts'
import { ask, frame } from './raw-upgrade.ts'
import { closed, nextText, startServer } from './start-server.ts'
import { upgradeText } from './upgrade-text.ts'

const nameOf = ({ headers }: IncomingMessage) => headers['user-agent'] ?? 'nobody'
const from = (client: string) => ({ headers: { 'user-agent': client } })

test('[K-309] while draining, 503', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  await server.sockets.drain({ windowMs: 0, graceMs: 0 })
  const answer = await ask(server)
  expect([answer.status, answer.problem['code']]).toEqual([503, 'shutting_down'])
})

test('[K-309] and 503 after that, for as long as the server listens: a proxy asks the next node then', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  await server.sockets.close()
  const answer = await ask(server)
  expect([answer.status, answer.problem['code']]).toEqual([503, 'shutting_down'])
})

test('[K-309] a handshake that was authenticating when draining began is refused as well', async () => {
  await using server = await startServer()
  const entered = Promise.withResolvers<void>()
  const release = Promise.withResolvers<undefined>()
  server.sockets.add({
    ...echo,
    authenticate: () => {
      entered.resolve()
      return release.promise
    },
  })
  const answer = ask(server)
  await entered.promise
  await server.sockets.drain({ windowMs: 0, graceMs: 0 })
  release.resolve(undefined)
  expect((await answer).problem['code']).toBe('shutting_down')
})

test('[K-310] above the cap in all, 429 with Retry-After, until somebody leaves', async () => {
  await using server = await startServer({ limits: { maxConnections: 2 } })
  server.sockets.add(echo)
  const first = await server.open()
  await server.open()
  const answer = await ask(server)
  expect([answer.status, answer.problem['code'], answer.headers['retry-after']]).toEqual([
    429,
    'rate_limited',
    '10',
  ])
  first.close()
  await closed(first)
  await waitUntil('a free place', () => server.sockets.size === 1)
  await server.open()
})

test('[K-310] above the cap of one address, 429 for that address only', async () => {
  await using server = await startServer({ addressOf: nameOf, limits: { maxConnectionsPerAddress: 1 } })
  server.sockets.add(echo)
  await server.open('/echo', from('a'))
  expect((await ask(server, from('a'))).status).toBe(429)
  await server.open('/echo', from('b'))
})

test('[K-310] the address is the one of the socket unless told otherwise', async () => {
  await using server = await startServer()
  server.sockets.add({ ...echo, onOpen: (peer) => void peer.offer(peer.address) })
  expect(await nextText(server.dial())).toBe('127.0.0.1')
})

test('[K-310] handshakes under way count, and give their place back when they are refused', async () => {
  await using server = await startServer({ limits: { maxConnections: 1 } })
  const entered = Promise.withResolvers<void>()
  const verdict = Promise.withResolvers<undefined>()
  server.sockets.add({
    ...echo,
    authenticate: () => {
      entered.resolve()
      return verdict.promise
    },
  })
  server.sockets.add({ ...echo, path: '/free' })
  const pending = ask(server)
  await entered.promise
  expect((await ask(server, { path: '/free' })).status).toBe(429)
  verdict.reject(new Problem('not_found'))
  expect((await pending).status).toBe(404)
  await server.open('/free')
})

test('[K-310] a place is given back once, in whatever order connections come and go', () => {
  const caps = new ConnectionCaps({ maxConnections: 3, maxConnectionsPerAddress: 2 })
  const [a, b] = [caps.take('x'), caps.take('x')]
  expect(a).toBe(b)
  expect(() => caps.take('x')).toThrow(Problem)
  caps.take('y')
  expect(() => caps.take('z')).toThrow(Problem)
  caps.giveBack(a)
  caps.giveBack(b)
  expect(caps.taken).toBe(1)
  expect(caps.take('x').taken).toBe(1)
})

test('[K-311] what authenticate returns is the data of the peer', async () => {
  await using server = await startServer()
  const whoami: Endpoint<{ user: string }> = {
    path: '/whoami',
    maxMessageBytes: 10,
    authenticate: async (request) => ({ user: nameOf(request) }),
    onMessage: (peer) => void peer.offer(peer.data.user),
  }
  server.sockets.add(whoami)
  const [ada, bob] = [await server.open('/whoami', from('ada')), await server.open('/whoami', from('bob'))]
  const names = Promise.all([nextText(ada), nextText(bob)])
  ada.send('?')
  bob.send('?')
  expect(await names).toEqual(['ada', 'bob'])
})

test('[K-311] a Problem is the answer, with its headers and members', async () => {
  await using server = await startServer()
  const problem = new Problem('rate_limited', {
    detail: 'Slowly.',
    extensions: { retry_after_seconds: 3 },
    headers: { 'retry-after': '3' },
  })
  server.sockets.add({ ...echo, authenticate: () => Promise.reject(problem) })
  const answer = await ask(server)
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3'])
  expect(answer.problem).toMatchObject({ detail: 'Slowly.', retry_after_seconds: 3 })
})

test('[K-311] anything else answers 500, says nothing and is logged', async () => {
  await using server = await startServer()
  server.sockets.add({
    ...echo,
    authenticate: () => {
      throw new Error('table users is missing')
    },
  })
  const answer = await ask(server)
  expect([answer.status, answer.problem['code']]).toEqual([500, 'internal_error'])
  expect(answer.body).not.toContain('users')
  expect(server.lines).toContainEqual(
    expect.objectContaining({
      level: 'error',
      err: expect.objectContaining({ message: 'table users is missing' }),
    }),
  )
})

test('[K-311] silence beyond the deadline answers 504 and aborts the signal', async () => {
  await using server = await startServer({ limits: { authenticateTimeoutMs: 50 } })
  let signal: AbortSignal | undefined
  server.sockets.add({
    ...echo,
    authenticate: (_, given) => {
      signal = given
      return new Promise<undefined>(() => {})
    },
  })
  expect((await ask(server)).problem['code']).toBe('deadline_exceeded')
  expect(signal?.aborted).toBe(true)
})

test('[K-312] a socket that is reset while it authenticates disturbs nobody and gives its place back', async () => {
  await using server = await startServer({ limits: { maxConnections: 1 } })
  const entered = Promise.withResolvers<void>()
  const release = Promise.withResolvers<undefined>()
  server.sockets.add({
    ...echo,
    path: '/slow',
    authenticate: () => {
      entered.resolve()
      return release.promise
    },
  })
  server.sockets.add(echo)
  const socket = await server.tcp()
  socket.write(upgradeText({ path: '/slow' }))
  await entered.promise
  socket.resetAndDestroy()
  await once(socket, 'close')
  release.resolve(undefined)
  await waitUntil('the place is free', () =>
    server.open().then(
      () => true,
      () => false,
    ),
  )
  expect(server.sockets.size).toBe(1)
})

test('[K-312] a reset before the refusal is written, and one in the middle of a frame, disturb nobody', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  for (const rest of ['', '\x81', '\x81\xfe\x00']) {
    const [refused, accepted] = [await server.tcp(), await server.tcp()]
    refused.write(upgradeText({ path: '/nowhere' }))
    accepted.write(`${upgradeText()}${rest}`, 'latin1')
    refused.resetAndDestroy()
    accepted.once('data', () => accepted.resetAndDestroy())
    await Promise.all([once(refused, 'close'), once(accepted, 'close')])
  }
  await waitUntil('all places are free', () => server.sockets.size === 0)
  const client = await server.open()
  const reply = nextText(client)
  client.send('still here')
  expect(await reply).toBe('still here')
})

test('[K-312] a Problem whose headers cannot be written costs only its own socket', async () => {
  await using server = await startServer()
  const problem = new Problem('not_found', { headers: { 'x-bad': 'a\r\nset-cookie: b' } })
  server.sockets.add({ ...echo, authenticate: () => Promise.reject(problem) })
  const socket = await server.tcp()
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  socket.write(upgradeText())
  await once(socket, 'close')
  expect(received).toBe('')
  expect(server.lines.at(-1)).toMatchObject({ level: 'error' })
})

test('[K-314] frames that come before authentication has ended are handled after it', async () => {
  await using server = await startServer()
  const seen: string[] = []
  const [entered, release] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()]
  server.sockets.add({
    ...echo,
    authenticate: () => {
      entered.resolve()
      return release.promise
    },
    onMessage: (_, text) => void seen.push(text),
  })
  const socket = await server.tcp()
  socket.write(Buffer.concat([Buffer.from(upgradeText()), frame(1, 'with the handshake')]))
  await entered.promise
  socket.write(frame(1, 'while it waits'))
  release.resolve(undefined)
  await waitUntil('both are handled', () => seen.length === 2)
  expect(seen).toEqual(['with the handshake', 'while it waits'])
})
