import { createDatabase } from '@patchbay/kernel/postgres'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { IdentityTables } from '../../src/tables.ts'
import { startIdentity } from '../start.ts'
import { createVerifier, openIntent, outcomeOf, poll } from './intents.ts'
import { openStream } from './open-stream.ts'

const within = { deadlineMs: 5_000 }
const reaches = (url: string) =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  )

test('[C-40] a stream stays open until the person decides, tells it, and ends', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  const stream = await openStream(node.url, token)
  expect(stream.status).toBe(200)
  expect(stream.events()).toEqual([])
  await ada.change('PATCH', `/auth/intents/${token}`)
  await stream.ended
  const { session_token } = await poll(node, token)
  expect(stream.events()).toEqual([{ event: 'authenticated', data: JSON.stringify({ session_token }) }])
})

test('[C-40] what was decided before is replayed on connect', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const [approved, declined, expired] = await Promise.all([
    openIntent(node),
    openIntent(node),
    openIntent(node),
  ])
  await ada.change('PATCH', `/auth/intents/${approved.token}`)
  await ada.change('PATCH', `/auth/intents/${declined.token}`, { decision: 'decline' })
  node.clock.advance(900_000)
  const streams = await Promise.all(
    [approved, declined, expired].map(({ token }) => openStream(node.url, token)),
  )
  await Promise.all(streams.map(({ ended }) => ended))
  expect(streams.map((stream) => stream.events().map(({ event }) => event))).toEqual([
    ['authenticated'],
    ['declined'],
    ['timeout'],
  ])
  expect(streams[2]?.text()).toContain('event: timeout\ndata:\n\n')
})

deepTest(
  '[C-40] an intent that expires while it is watched sends timeout, not a second too early',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    try {
      await using node = await startIdentity()
      const [{ token }, other] = [await openIntent(node), await openIntent(node)]
      node.clock.advance(300_000)
      const stream = await openStream(node.url, token)
      node.clock.advance(599_000)
      vi.advanceTimersByTime(2_000)
      // What the node does after a look takes no longer than to tell another stream of a decision.
      const told = await openStream(node.url, other.token)
      await (await node.signedIn('ada')).change('PATCH', `/auth/intents/${other.token}`)
      await told.ended
      expect(stream.events()).toEqual([])
      node.clock.advance(1_000)
      vi.advanceTimersByTime(1_000)
      await stream.ended
      expect(stream.events()).toEqual([{ event: 'timeout', data: '' }])
    } finally {
      vi.useRealTimers()
    }
  },
)

test('[C-40] a decline ends the stream of the application', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { verifier, challenge } = createVerifier()
  const { token } = await openIntent(node, { code_challenge: challenge })
  const stream = await openStream(node.url, token, { 'intent-verifier': verifier })
  await ada.change('PATCH', `/auth/intents/${token}`, { decision: 'decline' })
  await stream.ended
  expect(stream.events()).toEqual([{ event: 'declined', data: '' }])
})

test('[C-40] of two callers on one intent, one stream has the token and the other just ends', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const { token } = await openIntent(node)
  const streams = await Promise.all(
    ['app/1', 'stranger/1'].map((agent) => openStream(node.url, token, { 'user-agent': agent })),
  )
  await ada.change('PATCH', `/auth/intents/${token}`)
  await Promise.all(streams.map(({ ended }) => ended))
  expect(streams.flatMap((stream) => stream.events()).map(({ event }) => event)).toEqual(['authenticated'])
})

test('[C-41] a comment comes at once, and the headers keep proxies from buffering', async () => {
  await using node = await startIdentity()
  const { token } = await openIntent(node)
  const stream = await openStream(node.url, token)
  await waitUntil('the first comment', () => stream.text().startsWith(': ping\n\n'), within)
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  })
  expect(stream.headers).not.toHaveProperty('content-encoding')
  stream.leave()
})

deepTest('[C-41] every stream gets a comment every 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    await using node = await startIdentity()
    const intents = await Promise.all(Array.from({ length: 20 }, () => openIntent(node)))
    const streams = await Promise.all(intents.map(({ token }) => openStream(node.url, token)))
    for (const expected of [2, 3, 4]) {
      vi.advanceTimersByTime(15_000)
      for (const stream of streams) {
        const pings = () => stream.text().match(/: ping\n\n/g)?.length
        await waitUntil(`${expected} pings`, () => pings() === expected, within)
      }
    }
    for (const stream of streams) stream.leave()
    expect(streams).toHaveLength(20)
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  'text/event-stream;q=0',
  'application/json, text/event-stream; Q=0.0',
  '*/*',
  'text/event-streams',
])('[C-7] C15: whoever accepts %s is not given a stream', async (accept) => {
  await using node = await startIdentity()
  const { token } = await openIntent(node)
  const answer = await node.ask(`/auth/intents/${token}/status`, { headers: { accept } })
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(await answer.json()).toEqual({ state: 'pending' })
})

test('[C-44] a client address has so many streams and no more', async () => {
  await using node = await startIdentity({ settings: { streamsPerAddress: 3 } })
  const intents = await Promise.all(Array.from({ length: 4 }, () => openIntent(node)))
  const streams = await Promise.all(intents.slice(0, 3).map(({ token }) => openStream(node.url, token)))
  const path = `/auth/intents/${intents[3]?.token}/status`
  const refused = await node.ask(path, { headers: { accept: 'text/event-stream' } })
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await outcomeOf(refused)).toEqual([429, 'rate_limited'])
  expect(await poll(node, intents[3]?.token ?? '')).toMatchObject({ state: 'pending' })
  streams[0]?.leave()
  const again = async () => (await openStream(node.url, intents[3]?.token ?? '')).status === 200
  await waitUntil('a place is free again', again, within)
  for (const stream of streams) stream.leave()
})

test('[C-44] an intent has so many streams and no more', async () => {
  await using node = await startIdentity()
  const { token } = await openIntent(node)
  const streams = await Promise.all(Array.from({ length: 17 }, () => openStream(node.url, token)))
  expect(streams.filter(({ status }) => status === 200)).toHaveLength(16)
  expect(streams.filter(({ status }) => status === 429)).toHaveLength(1)
  const other = await openStream(node.url, (await openIntent(node)).token)
  expect(other.status).toBe(200)
  for (const stream of [...streams, other]) stream.leave()
})

test('[C-44] refused streams take no place', async () => {
  await using node = await startIdentity({ settings: { streamsPerAddress: 2 } })
  const { token } = await openIntent(node, { code_challenge: createVerifier().challenge })
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1) statuses.push((await openStream(node.url, token)).status)
  expect(statuses).toEqual([404, 404, 404, 404, 404, 404])
})

test('[C-45] a node that stops ends its streams without an event', async () => {
  const node = await startIdentity()
  const { token } = await openIntent(node)
  const stream = await openStream(node.url, token)
  await node[Symbol.asyncDispose]()
  await stream.ended
  expect(stream.events()).toEqual([])
})

test('[C-45] a stream that is being opened while the node stops is told so, and keeps it from nothing', async () => {
  const node = await startIdentity()
  const { token } = await openIntent(node)
  await using other = createDatabase<IdentityTables>({
    url: node.databaseUrl,
    poolSize: 1,
    applicationName: 'lock',
  })
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = other.db.transaction().execute(async (transaction) => {
    await sql`lock table intents in access exclusive mode`.execute(transaction)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const opening = openStream(node.url, token)
  const open = () => node.deps.metrics.getSingleMetricAsString('patchbay_intent_streams')
  await waitUntil(
    'it is on its way',
    async () => (await open()).includes('of="streams",process="server"} 1'),
    within,
  )
  const stopped = node[Symbol.asyncDispose]()
  await waitUntil('the node drains', async () => !(await reaches(node.url)), within)
  release.resolve()
  await holding
  const stream = await opening
  expect(stream.status).toBe(503)
  await stopped
})

test('[C-48] clients that went away leave nothing behind', async () => {
  await using node = await startIdentity()
  const intents = await Promise.all(Array.from({ length: 10 }, () => openIntent(node)))
  const open = async () => {
    const metrics = await node.deps.metrics.getMetricsAsJSON()
    const gauge = metrics.find(({ name }) => name === 'patchbay_intent_streams')
    return gauge?.values.map(({ value }) => value).join()
  }
  const streams = await Promise.all(intents.map(({ token }) => openStream(node.url, token)))
  await waitUntil('all are counted', async () => (await open()) === '10,10', within)
  for (const stream of streams) stream.leave()
  await waitUntil('none is left', async () => (await open()) === '0,0', within)
  expect(await open()).toBe('0,0')
})
