import { atLatest } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueBy, shuffle } from '../../src/websocket/drain.ts'
import { echo } from './echo-endpoint.ts'
import { openRaw } from './raw-upgrade.ts'
import { closed, startServer } from './start-server.ts'

test('[K-350] everybody is closed with 1001, spread over the window', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  const clients = await Promise.all(Array.from({ length: 20 }, () => server.open()))
  const start = performance.now()
  const ends = clients.map(async (client) => ({ ...(await closed(client)), at: performance.now() - start }))
  await server.sockets.drain({ windowMs: 400, graceMs: 1_000 })
  const all = await Promise.all(ends)
  expect(all.map(({ code, reason }) => [code, reason])).toEqual(all.map(() => [1001, 'going_away']))
  const times = all.map(({ at }) => at).toSorted((a, b) => a - b)
  const tooEarly = times.filter((at, i) => at < (400 * i) / times.length - 2)
  expect(tooEarly).toEqual([])
  expect(server.sockets.size).toBe(0)
})

test('[K-350] the order is drawn by lot', () => {
  const lots = [0.3, 0.1, 0.4, 0.2]
  expect(shuffle(['a', 'b', 'c', 'd'], () => lots.shift() ?? 0)).toEqual(['b', 'd', 'a', 'c'])
  fc.assert(
    fc.property(fc.array(fc.string()), (items) => {
      expect(shuffle(items, Math.random).toSorted()).toEqual(items.toSorted())
    }),
  )
})

test('[K-350] what is due grows evenly from none to all, whatever the phase', () => {
  const window = fc.integer({ min: 1, max: 30_000 })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      window,
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (n, w, phase) => {
        const due = [0, 0.25, 0.5, 0.75, 1].map((part) => dueBy(w * part, n, w, phase))
        expect(due.at(-1)).toBe(n)
        for (const [i, count] of due.entries())
          expect(Math.abs(count - (n * i) / 4)).toBeLessThanOrEqual(1.001)
        expect(due).toEqual(due.toSorted((a, b) => a - b))
      },
    ),
  )
})

test('[K-351] whoever does not finish closing is cut, within window and grace', async () => {
  await using server = await startServer()
  const codes: number[] = []
  server.sockets.add({ ...echo, onClose: (_, code) => void codes.push(code) })
  await Promise.all([openRaw(server), openRaw(server), server.open()])
  const start = performance.now()
  await server.sockets.drain({ windowMs: 100, graceMs: 200 })
  const took = performance.now() - start
  expect(took).toBeGreaterThan(290)
  expect(took).toBeLessThan(atLatest(3_000))
  expect([server.sockets.size, codes]).toEqual([0, [1001, 1001, 1001]])
})

test('[K-351] draining ends as soon as everybody has left', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  await server.open()
  const start = performance.now()
  await server.sockets.drain({ windowMs: 0, graceMs: 60_000 })
  expect(performance.now() - start).toBeLessThan(atLatest(5_000))
})

test('[K-352] draining and closing any number of times in any order ends in peace', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  await Promise.all([server.open(), openRaw(server)])
  const draining = server.sockets.drain({ windowMs: 60_000, graceMs: 60_000 })
  expect(server.sockets.drain({ windowMs: 1, graceMs: 1 })).toBe(draining)
  const closing = server.sockets.close()
  expect(server.sockets.close()).toBe(closing)
  await Promise.all([draining, closing])
  expect(server.sockets.size).toBe(0)
  await server.sockets.drain({ windowMs: 1, graceMs: 1 })
  await server.sockets.close()
})

test('[K-352] a registry that was closed drains at once', async () => {
  await using server = await startServer()
  server.sockets.add(echo)
  await server.open()
  await server.sockets.close()
  await server.sockets.drain({ windowMs: 60_000, graceMs: 60_000 })
  expect(server.sockets.size).toBe(0)
})

test('[K-353] an endpoint puts the affairs of a peer in order before it is closed', async () => {
  await using server = await startServer()
  const events: string[] = []
  const inOrder = Promise.withResolvers<void>()
  server.sockets.add({
    ...echo,
    onGoingAway: async (peer) => {
      events.push(`going, open: ${peer.isOpen}`)
      await inOrder.promise
      events.push('in order')
    },
    onClose: () => void events.push('closed'),
  })
  const client = await server.open()
  const end = closed(client)
  const drained = server.sockets.drain({ windowMs: 0, graceMs: 5_000 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([client.readyState, events]).toEqual([client.OPEN, ['going, open: true']])
  inOrder.resolve()
  await drained
  expect([(await end).code, events]).toEqual([1001, ['going, open: true', 'in order', 'closed']])
})

test('[K-353] an endpoint that throws or hangs does not keep a peer open', async () => {
  await using server = await startServer()
  server.sockets.add({
    ...echo,
    path: '/throws',
    onGoingAway: () => {
      throw new Error('planted')
    },
  })
  server.sockets.add({ ...echo, path: '/hangs', onGoingAway: () => new Promise(() => {}) })
  const [thrown, hung] = [await server.open('/throws'), await server.open('/hangs')]
  const ends = [closed(thrown), closed(hung)]
  await server.sockets.drain({ windowMs: 0, graceMs: 200 })
  expect((await Promise.all(ends)).map(({ code }) => code)).toEqual([1001, 1001])
  expect(server.lines.filter(({ msg }) => msg === 'WebSocket handler failed')).toHaveLength(1)
})
