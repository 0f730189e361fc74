import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { Peers } from '../../src/websocket/peers.ts'
import { sliceCount } from '../../src/websocket/registry.ts'
import { SocketPeer } from '../../src/websocket/socket-peer.ts'
import { echo } from './echo-endpoint.ts'
import { openRaw } from './raw-upgrade.ts'
import { startServer, type TestServer } from './start-server.ts'

const PING = 0x89
const CLOSE = 0x88

async function startWatched(pingIntervalMs: number): Promise<{ server: TestServer; codes: number[] }> {
  const server = await startServer({ limits: { pingIntervalMs } })
  const codes: number[] = []
  server.sockets.add({ ...echo, maxMessageBytes: 10_000, onClose: (_, code) => void codes.push(code) })
  return { server, codes }
}

test('[K-330] every peer is pinged once per interval, and one that answers stays', async () => {
  const { server, codes } = await startWatched(100)
  await using _ = server
  const clients = await Promise.all(Array.from({ length: 10 }, () => server.open()))
  const pings = clients.map(() => 0)
  const start = performance.now()
  clients.forEach((client, i) => client.on('ping', () => void (pings[i] = (pings[i] ?? 0) + 1)))
  await waitUntil('five pings each', () => pings.every((count) => count >= 5))
  const intervals = (performance.now() - start) / 100
  expect(Math.max(...pings)).toBeLessThanOrEqual(intervals + 1)
  expect([server.sockets.size, codes]).toEqual([10, []])
})

test('[K-331] a peer that sends nothing, not even pongs, is removed and told why', async () => {
  const { server, codes } = await startWatched(80)
  await using _ = server
  const received: Buffer[] = []
  const socket = await openRaw(server, (chunk) => received.push(chunk))
  await waitUntil('it is removed', () => codes.length === 1, { deadlineMs: 3_000 })
  expect(codes).toEqual([4001])
  await waitUntil('the end arrived', () => socket.readableEnded || socket.destroyed)
  const all = Buffer.concat(received)
  const frames = all.subarray(all.indexOf('\r\n\r\n') + 4)
  expect([...frames.subarray(0, 3)]).toEqual([PING, 0, CLOSE])
  expect(frames.readUInt16BE(4)).toBe(4001)
  expect(frames.subarray(6).toString()).toBe('dead_peer')
})

deepTest('[K-331] a peer that is still sending a long message stays, though it answers no ping', async () => {
  const { server, codes } = await startWatched(80)
  await using _ = server
  const socket = await openRaw(server)
  socket.write(Buffer.from([0x81, 0xfe, 0x20, 0x00, 0, 0, 0, 0]))
  const start = performance.now()
  const dripping = setInterval(() => socket.write('x'), 15)
  await waitUntil('five intervals', () => performance.now() - start > 400)
  expect([server.sockets.size, codes]).toEqual([1, []])
  clearInterval(dripping)
  await waitUntil('it is removed once it falls silent', () => codes.length === 1, { deadlineMs: 3_000 })
})

test('[K-332] peers are dealt out evenly over the slices of an interval', () => {
  expect([sliceCount(25_000), sliceCount(100), sliceCount(1)]).toEqual([100, 10, 2])
  const peers = new Peers(10)
  const all: SocketPeer[] = Array.from({ length: 95 }, () =>
    Reflect.construct(SocketPeer, [null, undefined, {}]),
  )
  for (const peer of all) peers.add(peer)
  expect(peers.slices.map((slice) => slice.size)).toEqual([10, 10, 10, 10, 10, 9, 9, 9, 9, 9])
  for (const peer of all.slice(0, 50)) peers.remove(peer)
  for (const peer of all.slice(0, 50)) peers.remove(peer)
  expect(peers.size).toBe(45)
})

deepTest('[K-332] the pings of one interval do not come all at once', async () => {
  const { server } = await startWatched(400)
  await using _ = server
  const clients = await Promise.all(Array.from({ length: 40 }, () => server.open()))
  const times: number[] = []
  for (const client of clients) client.once('ping', () => times.push(performance.now()))
  await waitUntil('one ping each', () => times.length === 40)
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(200)
})

test('[K-333] a peer that ended its half and reads nothing is cut', async () => {
  await using server = await startServer({ limits: { pingIntervalMs: 80 } })
  const codes: number[] = []
  server.sockets.add({
    ...echo,
    onOpen: (peer) => void peer.offer('x'.repeat(64 * 1024 * 1024)),
    onClose: (_, code) => void codes.push(code),
  })
  const socket = await openRaw(server)
  socket.pause()
  socket.end()
  await waitUntil('it is cut', () => codes.length === 1, { deadlineMs: 5_000 })
  expect([codes, server.sockets.size]).toEqual([[1006], 0])
})
