import { waitUntil } from '@patchbay/testkit/processes'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bucket, takeToken } from '../../src/websocket/message-rate.ts'
import { echo } from './echo-endpoint.ts'
import { frame, openRaw } from './raw-upgrade.ts'
import { closed, startServer } from './start-server.ts'

test('[K-322] a burst of the limit passes, one more closes with 1008', async () => {
  await using server = await startServer()
  let handled = 0
  server.sockets.add({ ...echo, rate: { perSecond: 1, burst: 5 }, onMessage: () => void (handled += 1) })
  const client = await server.open()
  const end = closed(client)
  for (let i = 0; i < 5; i += 1) client.send('x')
  await waitUntil('the burst is handled', () => handled === 5)
  client.send('x')
  client.send('x')
  expect(await end).toEqual({ code: 1008, reason: 'policy_violation' })
  expect(handled).toBe(5)
})

test('[K-322] pings count as well', async () => {
  await using server = await startServer({ limits: { closeTimeoutMs: 50 } })
  const codes: number[] = []
  server.sockets.add({ ...echo, rate: { perSecond: 2 }, onClose: (_, code) => void codes.push(code) })
  const socket = await openRaw(server)
  socket.write(Buffer.concat([frame(9, ''), frame(9, ''), frame(9, '')]))
  await waitUntil('it is closed', () => codes.length === 1)
  expect(codes).toEqual([1008])
})

test('[K-322] over any stretch of time no more pass than the burst and what came in meanwhile', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 200 })
  const rate = fc.record({
    perSecond: fc.integer({ min: 1, max: 50 }),
    burst: fc.integer({ min: 1, max: 50 }),
  })
  fc.assert(
    fc.property(rate, steps, (limit, gaps) => {
      const bucket: Bucket = { tokens: limit.burst, refilledAt: 0 }
      let now = 0
      let passed = 0
      for (const gap of gaps) {
        now += gap
        if (takeToken(bucket, limit, now)) passed += 1
        expect(passed).toBeLessThanOrEqual(limit.burst + (limit.perSecond * now) / 1000 + 1e-6)
        expect(bucket.tokens).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test('[K-322] whoever stays below the limit is never refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 500 }), (perSecond, count) => {
      const bucket: Bucket = { tokens: 1, refilledAt: 0 }
      for (let i = 0; i < count; i += 1) {
        expect(takeToken(bucket, { perSecond, burst: 2 }, (i * 1001) / perSecond)).toBe(true)
      }
    }),
  )
})
