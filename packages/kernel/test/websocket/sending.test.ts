import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { Peer, WebSocketOptions } from '../../src/websocket/index.ts'
import { SocketPeer } from '../../src/websocket/socket-peer.ts'
import { echo } from './echo-endpoint.ts'
import { frame, openRaw } from './raw-upgrade.ts'
import { nextText, startServer, type TestServer } from './start-server.ts'

const MIB = 1024 * 1024
/** More than the kernel's buffers of both ends together hold. */
const MORE_THAN_THE_KERNEL_TAKES = 64 * MIB

interface Watched extends AsyncDisposable {
  readonly server: TestServer
  readonly peers: Peer[]
  readonly codes: number[]
}

async function startWatched(options: Partial<WebSocketOptions> = {}): Promise<Watched> {
  const server = await startServer(options)
  const peers: Peer[] = []
  const codes: number[] = []
  server.sockets.add({
    ...echo,
    onOpen: (peer) => void peers.push(peer),
    onClose: (_, code) => void codes.push(code),
  })
  return { server, peers, codes, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** A real peer that has stopped reading. */
async function openDeaf({ server, peers }: Watched): Promise<SocketPeer> {
  const socket = await openRaw(server)
  socket.pause()
  const peer = peers.at(-1)
  if (!(peer instanceof SocketPeer)) throw new Error('no peer')
  return peer
}

test('[K-340] send says true once the operating system took the text, and the text arrives', async () => {
  await using watched = await startWatched()
  const client = await watched.server.open()
  const arrived = nextText(client)
  expect(await watched.peers[0]?.send('grüße')).toBe(true)
  expect(await arrived).toBe('grüße')
})

test('[K-340] a closed or closing peer takes nothing', async () => {
  await using watched = await startWatched()
  const client = await watched.server.open()
  const [peer] = watched.peers
  peer?.end('normal')
  expect([await peer?.send('x'), peer?.offer('x'), peer?.isOpen]).toEqual([false, false, false])
  client.terminate()
  await waitUntil('it closed', () => watched.codes.length === 1)
  expect([await peer?.send('x'), peer?.offer('x')]).toEqual([false, false])
})

test('[K-340] bytes that were not taken before the client vanished are reported so', async () => {
  await using watched = await startWatched()
  const socket = await openRaw(watched.server)
  socket.pause()
  const sent = watched.peers[0]?.send('x'.repeat(MORE_THAN_THE_KERNEL_TAKES))
  await waitUntil('the socket is full', () => socket.bytesRead > 0)
  socket.destroy()
  expect(await sent).toBe(false)
})

test('[K-340] bytes that were not taken before this side cut the peer are reported so', async () => {
  await using watched = await startWatched()
  const peer = await openDeaf(watched)
  const sent = peer.send('x'.repeat(MORE_THAN_THE_KERNEL_TAKES))
  peer.drop('going_away')
  expect(await sent).toBe(false)
})

test('[K-341] a peer that does not read is removed once its backlog is over the limit', async () => {
  const dropped: string[] = []
  await using watched = await startWatched({ metrics: { droppedSlow: (path) => void dropped.push(path) } })
  const peer = await openDeaf(watched)
  const message = 'x'.repeat(64 * 1024)
  let highest = 0
  let accepted = 0
  while (accepted < 2_000 && peer.offer(message)) {
    accepted += 1
    highest = Math.max(highest, peer.bufferedAmount)
    // Lets the kernel take what it can: only what it cannot take is backlog.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(accepted).toBeLessThan(2_000)
  expect(highest).toBeGreaterThan(MIB)
  expect(highest).toBeLessThan(MIB + message.length + 100)
  await waitUntil('it is removed', () => watched.codes.length === 1)
  expect([watched.codes, dropped, await peer.send('x')]).toEqual([[4008], ['/echo'], false])
})

test('[K-341] a slow peer costs the others nothing', async () => {
  await using watched = await startWatched({ limits: { maxBufferedBytes: 1000 } })
  const peer = await openDeaf(watched)
  const client = await watched.server.open()
  peer.offer('x'.repeat(MORE_THAN_THE_KERNEL_TAKES))
  expect(peer.offer('x')).toBe(false)
  const reply = nextText(client)
  client.send('me')
  expect(await reply).toBe('me')
  expect(watched.server.sockets.size).toBe(1)
})

test('[K-342] a ping is answered once, with its own bytes', async () => {
  await using watched = await startWatched()
  const client = await watched.server.open()
  const pongs: string[] = []
  client.on('pong', (data) => pongs.push(data.toString()))
  const reply = nextText(client)
  client.ping('abc')
  client.send('after')
  await reply
  expect(pongs).toEqual(['abc'])
})

test('[K-342] a peer that pings and does not read is removed', async () => {
  await using watched = await startWatched({ limits: { maxBufferedBytes: 1000 } })
  const socket = await openRaw(watched.server)
  socket.pause()
  const flood = Buffer.concat(Array.from({ length: 500 }, () => frame(9, 'x'.repeat(125))))
  const flooding = setInterval(() => {
    if (!socket.writableNeedDrain) for (let i = 0; i < 20; i += 1) socket.write(flood)
  }, 1)
  await waitUntil('it is removed', () => watched.codes.length === 1)
  clearInterval(flooding)
  expect(watched.codes).toEqual([4008])
})

test('[K-343] messages of every kind of length arrive as they were sent', async () => {
  await using server = await startServer()
  const texts = ['', 'a', 'ü\u{1F50C}', ...[125, 126, 127, 65_535, 65_536, 200_000].map((n) => 'x'.repeat(n))]
  const bytes = [0, 1, 125, 126, 65_535, 65_536].map((length) => new Uint8Array(length).fill(7))
  server.sockets.add({
    path: '/all',
    maxMessageBytes: 1_024,
    async onMessage(peer) {
      for (const [index, data] of [...texts, ...bytes].entries()) {
        if (index % 2 === 0) peer.offer(data)
        else await peer.send(data)
      }
    },
  })
  const client = await server.open('/all')
  const received: (string | Uint8Array)[] = []
  const all = Promise.withResolvers<void>()
  client.on('message', (data: Buffer, isBinary: boolean) => {
    received.push(isBinary ? new Uint8Array(data) : data.toString())
    if (received.length === texts.length + bytes.length) all.resolve()
  })
  client.send('go')
  await all.promise
  expect(received).toEqual([...texts, ...bytes])
})
