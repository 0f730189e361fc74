import { endpoint, Problem } from '@patchbay/contracts/core'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import {
  type ReceivedSpan,
  startTraceReceiver,
  type TraceReceiver,
  traceTree,
} from '@patchbay/testkit/trace-receiver'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRedisBus } from '../../src/bus/redis/bus.ts'
import { systemClock } from '../../src/clock/index.ts'
import { on } from '../../src/http/index.ts'
import { unique } from '../bus/rig.ts'
import { startHttp } from '../http/harness.ts'
import { connect, emptyDatabase } from '../postgres/open-database.ts'
import { openTestTracing, type TestTracing } from './rig.ts'

const SECRET = 'hush-1234'
const LIFETIMES = { ttlMs: 60_000, tombstoneMs: 1_000 }

let receiver: TraceReceiver
let rig: TestTracing
const cleanup = new AsyncDisposableStack()
beforeAll(async () => {
  receiver = cleanup.use(await startTraceReceiver())
  rig = cleanup.use(await openTestTracing(receiver.url))
})
afterAll(() => cleanup.disposeAsync())

const postThing = endpoint({
  method: 'POST',
  path: '/things/{id}',
  name: 'postThing',
  summary: 'Something',
  tag: 'Test',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ q: Type.Optional(Type.String()) }),
  body: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  responses: { 204: null },
})

async function openThings({ trustsTraceparent = false, tracing = rig.tracing } = {}) {
  await using opened = new AsyncDisposableStack()
  const redis = opened.use(await startRedis())
  const database = opened.use(await emptyDatabase())
  const { db } = opened.use(connect(database.url, { tracing }))
  const open = (node: string) =>
    createRedisBus({ url: redis.url, node, clock: systemClock, commandTimeoutMs: 10_000, tracing })
  const [here, there] = [opened.use(await open('here')), opened.use(await open('there'))]
  const old = opened.use(
    await createRedisBus({ url: redis.url, node: 'old', clock: systemClock, commandTimeoutMs: 10_000 }),
  )
  const directory = there.directory('claims', LIFETIMES)
  directory.onDelivery(async (_epoch, message) => {
    await sql`select ${message}::text as delivered`.execute(db)
    return 'taken'
  })
  for (const bus of [there, old])
    bus.channel.handle('test.command', async (message) => {
      await sql`select ${message}::text as handled`.execute(db)
      return 'done'
    })
  const http = opened.use(startHttp({ tracing, trustsTraceparent, node: unique('node') }))
  http.app.route({
    ...on(postThing),
    async handler(request, reply) {
      const { id } = request.params
      const { text } = request.body
      if (text === 'refuse') throw new Problem('not_permitted', { detail: id })
      if (text === 'break') throw new Error(`broken ${id}`)
      await sql`select ${text}::text as found`.execute(db)
      if (text === 'deliver') {
        await directory.claim(id, 'e1')
        await here.directory('claims', LIFETIMES).deliver(id, text, 5_000)
      } else await here.channel.send(text === 'old' ? 'old' : 'there', 'test.command', text, 5_000)
      return reply.code(204).send(null)
    },
  })
  http.app.get('/stream', async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200).write('a')
  })
  const url = await http.listen()
  const owned = opened.move()
  return {
    url,
    async post(text: string, headers: Record<string, string> = {}) {
      const answer = await fetch(`${url}/things/${SECRET}?q=${SECRET}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ text }),
      })
      return answer
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The last one of a request, once everything of it has arrived: roots are sent after their steps. */
async function requestSpan(answer: Response): Promise<ReceivedSpan> {
  const id = answer.headers.get('x-request-id')
  const look = () => receiver.spans.findLast(({ attributes }) => attributes['patchbay.request_id'] === id)
  await waitUntil('the request arrives', () => look() !== undefined)
  return look() as ReceivedSpan
}

test('[K-716][K-719][K-717] a request, its statements, Redis commands and what another node does for it are one trace, without what they are about', async () => {
  await using things = await openThings()
  const answer = await things.post(SECRET)
  const root = await requestSpan(answer)
  expect(root).toMatchObject({
    name: 'POST /things/:id',
    kind: 'server',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/things/:id',
      'http.response.status_code': 204,
    },
    isFaulty: false,
  })
  expect(
    traceTree(receiver.spans, root.traceId, { nameOf: ({ kind }) => kind }),
  ).toBe(`server: POST /things/:id
├─ client: sql select
└─ producer: send test.command
   ├─ client: redis send
   └─ consumer: handle test.command
      └─ client: sql select`)
  const delivered = await requestSpan(await things.post('deliver'))
  expect(traceTree(receiver.spans, delivered.traceId)).toContain(`send claims
   ├─ patchbay-test: redis deliver
   └─ patchbay-test: handle claims`)
  expect(receiver.bodies.join()).not.toContain(SECRET)
})

test('[K-719] a node that does not trace answers as ever', async () => {
  await using things = await openThings()
  const answer = await things.post('old')
  expect(answer.status).toBe(204)
  const root = await requestSpan(answer)
  const names = receiver.spans.filter(({ traceId }) => traceId === root.traceId).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['POST /things/:id', 'redis send', 'send test.command', 'sql select'])
})

test('[K-716][K-717] what is refused, breaks or has no address says so by its code alone, and probes say nothing', async () => {
  await using things = await openThings()
  const refused = await requestSpan(await things.post('refuse'))
  expect(refused).toMatchObject({ attributes: { 'error.type': 'not_permitted' }, isFaulty: false })
  const broken = await requestSpan(await things.post('break'))
  expect(broken).toMatchObject({ attributes: { 'error.type': 'internal_error' }, isFaulty: true })
  const before = receiver.spans.length
  for (const path of ['/health', '/ready', '/metrics', `/nowhere/${SECRET}`]) await fetch(things.url + path)
  const stream = new AbortController()
  await fetch(`${things.url}/stream`, { signal: stream.signal })
  stream.abort()
  await receiver.find('GET /stream')
  expect(receiver.spans.slice(before).map(({ name }) => name)).toEqual(['GET /stream'])
  expect(receiver.bodies.join()).not.toContain(SECRET)
})

test('[K-718] a stranger is linked; where the header is trusted its trace goes on', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  await using strangers = await openThings()
  const linked = await requestSpan(await strangers.post('refuse', headers))
  expect(linked).toMatchObject({ parentSpanId: undefined, links: [{ traceId, spanId: '00f067aa0ba902b7' }] })
  expect(linked.traceId).not.toBe(traceId)
  await using friends = await openThings({ trustsTraceparent: true })
  const continued = await requestSpan(await friends.post('refuse', headers))
  expect(continued).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', links: [] })
})
