import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/websocket/index.ts'
import { echo } from './echo-endpoint.ts'
import { frame, openRaw } from './raw-upgrade.ts'
import { closed, nextText, startServer } from './start-server.ts'

/** Records what handlers saw. */
function recorder(extra: Partial<Endpoint> = {}) {
  const seen: string[] = []
  const codes: number[] = []
  const endpoint: Endpoint = {
    path: '/echo',
    maxMessageBytes: 16,
    onMessage: (_, text) => void seen.push(text),
    onClose: (_, code) => void codes.push(code),
    ...extra,
  }
  return { seen, codes, endpoint }
}

test('[K-320] a message of the limit passes, one byte more closes with 1009', async () => {
  await using server = await startServer()
  const { seen, codes, endpoint } = recorder()
  server.sockets.add(endpoint)
  const client = await server.open()
  const end = closed(client)
  client.send('x'.repeat(16))
  client.send('é'.repeat(8))
  client.send('y'.repeat(17))
  expect(await end).toEqual({ code: 1009, reason: 'message_too_large' })
  expect(seen).toEqual(['x'.repeat(16), 'é'.repeat(8)])
  await waitUntil('onClose', () => codes.length === 1)
  expect(codes).toEqual([1009])
})

test('[K-320] the limit holds for the sum of fragments', async () => {
  await using server = await startServer()
  const { seen, codes, endpoint } = recorder()
  server.sockets.add(endpoint)
  const socket = await openRaw(server)
  socket.write(Buffer.concat([frame(1, 'x'.repeat(10), { fin: false }), frame(0, 'x'.repeat(10))]))
  await waitUntil('onClose', () => codes.length === 1)
  expect([seen, codes]).toEqual([[], [1009]])
})

test('[K-321] a binary message closes with 1003', async () => {
  await using server = await startServer()
  const { seen, endpoint } = recorder()
  server.sockets.add(endpoint)
  const client = await server.open()
  client.send(Buffer.from('bytes'))
  expect(await closed(client)).toEqual({ code: 1003, reason: 'unsupported_data' })
  expect(seen).toEqual([])
})

test('[K-321] an endpoint that takes binary messages gets them, and can send them', async () => {
  await using server = await startServer()
  const { endpoint } = recorder({ onBinary: (peer, bytes) => void peer.offer(bytes.toReversed()) })
  server.sockets.add(endpoint)
  const client = await server.open()
  const reply = new Promise((resolve) =>
    client.once('message', (data, isBinary) => resolve([data, isBinary])),
  )
  client.send(Buffer.from([1, 2, 3]))
  expect(await reply).toEqual([Buffer.from([3, 2, 1]), true])
})

test('[K-323] a handler that throws closes its own peer with 1011, is logged, and nothing else happens', async () => {
  const broken = {
    onOpen: () => {
      throw new Error('open broke')
    },
    onMessage: () => {
      throw new Error('message broke')
    },
    onMessageLater: () => Promise.reject(new Error('later broke')),
  }
  await using server = await startServer()
  server.sockets.add(echo)
  server.sockets.add({ ...echo, path: '/open', onOpen: broken.onOpen })
  server.sockets.add({ ...echo, path: '/message', onMessage: broken.onMessage })
  server.sockets.add({ ...echo, path: '/later', onMessage: broken.onMessageLater })
  const bystander = await server.open()
  for (const [path, message] of [
    ['/open', 'open broke'],
    ['/message', 'message broke'],
    ['/later', 'later broke'],
  ] as const) {
    const client = await server.open(path)
    const end = closed(client)
    client.send('x')
    expect(await end).toEqual({ code: 1011, reason: 'internal_error' })
    expect(server.lines).toContainEqual(
      expect.objectContaining({ level: 'error', path, err: expect.objectContaining({ message }) }),
    )
  }
  const reply = nextText(bystander)
  bystander.send('undisturbed')
  expect(await reply).toBe('undisturbed')
})

test('[K-323] a failing onClose is logged and its place is free', async () => {
  await using server = await startServer()
  server.sockets.add({
    ...echo,
    path: '/now',
    onClose: () => {
      throw new Error('close broke')
    },
  })
  server.sockets.add({ ...echo, path: '/later', onClose: () => Promise.reject(new Error('close broke')) })
  for (const path of ['/now', '/later']) {
    const client = await server.open(path)
    client.close()
    await waitUntil(path, () =>
      server.lines.some((line) => line['path'] === path && line['level'] === 'error'),
    )
  }
  expect(server.sockets.size).toBe(0)
})

test('[K-324] onClose runs once, with our code if we closed and the received one if the client did', async () => {
  await using server = await startServer()
  const { codes, endpoint } = recorder({ onMessage: (peer) => peer.end('normal') })
  server.sockets.add(endpoint)
  const leaving = await server.open()
  leaving.close(4321)
  await waitUntil('the client left', () => codes.length === 1)
  const vanishing = await server.open()
  vanishing.terminate()
  await waitUntil('the client vanished', () => codes.length === 2)
  const sentAway = await server.open()
  sentAway.send('please')
  expect(await closed(sentAway)).toEqual({ code: 1000, reason: 'normal' })
  await waitUntil('the client was sent away', () => codes.length === 3)
  const mute = await openRaw(server)
  mute.write(frame(1, 'please'))
  await waitUntil('the close frame came', () => mute.bytesRead > 130)
  mute.resetAndDestroy()
  await waitUntil('the client broke off', () => codes.length === 4)
  expect(codes).toEqual([4321, 1006, 1000, 1000])
})

test('[K-324] a client that never answers the close frame is cut at the deadline', async () => {
  await using server = await startServer({ limits: { closeTimeoutMs: 50 } })
  const { codes, endpoint } = recorder({ onOpen: (peer) => peer.end('policy_violation') })
  server.sockets.add(endpoint)
  await openRaw(server)
  await waitUntil('it is cut', () => codes.length === 1, { deadlineMs: 2_000 })
  expect(codes).toEqual([1008])
})

test('[K-325] a peer with too many messages under way is not read from until some are done', async () => {
  await using server = await startServer({ limits: { maxInFlight: 2, pingIntervalMs: 40 } })
  const waiting: (() => void)[] = []
  const { endpoint } = recorder({ onMessage: () => new Promise((resolve) => waiting.push(resolve)) })
  server.sockets.add(endpoint)
  const client = await server.open()
  client.send('1')
  client.send('2')
  await waitUntil('two are under way', () => waiting.length === 2)
  let pings = 0
  client.on('ping', () => {
    pings += 1
  })
  client.send('3')
  // Longer than two intervals: a peer that we do not read from must not be taken for dead.
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect([waiting.length, pings, client.readyState]).toEqual([2, 0, client.OPEN])
  waiting[0]?.()
  await waitUntil('the third is read', () => waiting.length === 3)
})

test('[K-325] a peer that is not read from can still be closed', async () => {
  await using server = await startServer({ limits: { maxInFlight: 1, closeTimeoutMs: 60_000 } })
  const { codes, endpoint } = recorder({
    onMessage: (peer) => {
      setTimeout(() => peer.end('normal'), 20)
      return new Promise(() => {})
    },
  })
  server.sockets.add(endpoint)
  const client = await server.open()
  client.send('1')
  expect(await closed(client)).toMatchObject({ code: 1000 })
  await waitUntil('onClose', () => codes.length === 1, { deadlineMs: 2_000 })
})

test('[K-326] once this side closes, no further message reaches a handler', async () => {
  await using server = await startServer()
  const { seen, codes, endpoint } = recorder({
    onMessage: (peer, text) => {
      seen.push(text)
      peer.end('normal')
    },
  })
  server.sockets.add(endpoint)
  const socket = await openRaw(server)
  socket.write(Buffer.concat([frame(1, 'first'), frame(1, 'second'), frame(8, '')]))
  await waitUntil('onClose', () => codes.length === 1)
  expect(seen).toEqual(['first'])
})

function pieces(count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => frame(i === 0 ? 1 : 0, 'x', { fin: false }))
}

test('[K-327] a message in absurdly many pieces closes with 1008', async () => {
  await using server = await startServer()
  const { seen, codes, endpoint } = recorder({ maxMessageBytes: 1024 })
  server.sockets.add(endpoint)
  const honest = await openRaw(server)
  honest.write(Buffer.concat([...pieces(60), frame(0, '')]))
  await waitUntil('sixty pieces are one message', () => seen.length === 1)
  const hostile = await openRaw(server)
  hostile.write(Buffer.concat(pieces(100)))
  await waitUntil('it is closed', () => codes.length === 1)
  expect([seen, codes]).toEqual([['x'.repeat(60)], [1008]])
})

test('[K-327] so does a message that drips in byte by byte', async () => {
  await using server = await startServer({ limits: { closeTimeoutMs: 100 } })
  const { codes, endpoint } = recorder({ maxMessageBytes: 4096 })
  server.sockets.add(endpoint)
  const socket = await openRaw(server)
  socket.setNoDelay()
  socket.write(frame(1, 'x'.repeat(2000)).subarray(0, 8))
  const dripping = setInterval(() => socket.write('x'), 1)
  await waitUntil('it is closed', () => codes.length === 1)
  clearInterval(dripping)
  expect([codes, socket.bytesWritten < 2000]).toEqual([[1008], true])
})
