import { beginLogin, waitForLogin } from '@patchbay/client'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startNginx } from '@patchbay/testkit/nginx'
import { waitUntil } from '@patchbay/testkit/processes'
import { beforeAll, expect, vi } from 'vitest'
import { rawAnswer, startFaultProxy } from './fault-proxy.ts'
import { recordingFetch } from './recording-fetch.ts'
import {
  type ClientServer,
  sharedClientServer,
  startClientServer,
  startClientServerProcess,
} from './start-server.ts'
import { movableSurroundings } from './surroundings.ts'

// Real processes on a busy machine take their time; what must be quick is measured, and measured alone.
// Most wait for a client that waits, each behind a proxy of its own: side by side they take as long as the longest.
vi.setConfig({ testTimeout: 90_000, maxConcurrency: 30 })

let server: ClientServer
beforeAll(async () => {
  server = await sharedClientServer()
})

/** A login that waits behind a proxy, with its stream open. */
async function waitingLogin(baseUrl: string, options: { readonly pollIntervalMs?: number } = {}) {
  const recording = recordingFetch()
  const surroundings = movableSurroundings()
  const pending = await beginLogin({ baseUrl }, surroundings)
  const waiting = waitForLogin(pending, { ...options, fetch: recording.fetch }, surroundings)
  waiting.catch(() => undefined)
  await waitUntil('the stream is open', () => recording.streams() === 1)
  return { pending, waiting, recording, surroundings }
}

deepTest.concurrent('[CL-13] a stream that is cut is opened again', async () => {
  await using proxy = await startFaultProxy(server.port)
  const { pending, waiting, recording } = await waitingLogin(proxy.url)
  await waitUntil('its first comment has arrived', () => recording.heard() > 0)
  proxy.cut()
  await waitUntil('another stream is open', () => recording.streams() === 2)
  await server.ada.approve(pending.authUrl)
  expect((await waiting).sessionToken).toMatch(/^tok_/)
})

deepTest(
  '[CL-13] a login survives that its server is killed and started anew',
  async () => {
    await using other = await startClientServerProcess()
    const { pending, waiting } = await waitingLogin(other.url)
    await other.kill()
    await other.start()
    await other.ada.approve(pending.authUrl)
    expect((await waiting).sessionToken).toMatch(/^tok_/)
  },
  60_000,
)

test.concurrent('[CL-13] approved while the server was away: the token is there afterwards', async () => {
  await using proxy = await startFaultProxy(server.port)
  const { pending, waiting } = await waitingLogin(proxy.url)
  proxy.set('refuse')
  await server.ada.approve(pending.authUrl)
  proxy.set('pass')
  expect((await waiting).sessionToken).toMatch(/^tok_/)
})

/** The token of a login that was approved while its machine slept and its connections went silent. */
async function outliveASleep(frozen: 'all' | 'streams'): Promise<string> {
  await using proxy = await startFaultProxy(server.port)
  const { pending, waiting, recording, surroundings } = await waitingLogin(proxy.url)
  await waitUntil('its first comment has arrived', () => recording.heard() > 0)
  proxy.freeze(frozen)
  await server.ada.approve(pending.authUrl)
  surroundings.sleepFor(60_000)
  return (await waiting).sessionToken
}

test.concurrent('[CL-14] a stream that nobody serves any more is given up by the wall clock', async () => {
  expect(await outliveASleep('streams')).toMatch(/^tok_/)
})

// A request on a connection that was kept is given up after 10 s.
deepTest('[CL-14] also where nobody serves any connection that was kept', async () => {
  expect(await outliveASleep('all')).toMatch(/^tok_/)
})

deepTest.concurrent.each([
  '502 Bad Gateway',
  '503 Service Unavailable',
  '504 Gateway Timeout',
  '500 Oops',
  '408 Request Timeout',
])('[CL-15] %s passes', async (status) => {
  await using proxy = await startFaultProxy(server.port)
  const { pending, waiting } = await waitingLogin(proxy.url)
  proxy.set({ answer: rawAnswer(status, { 'content-type': 'text/html' }, '<h1>Sorry</h1>') })
  await waitUntil('it has failed twice', () => proxy.answered() >= 2)
  await server.ada.approve(pending.authUrl)
  proxy.set('pass')
  expect((await waiting).sessionToken).toMatch(/^tok_/)
})

deepTest.concurrent(
  '[CL-15] failures that do not pass are reported with their cause when the login has expired',
  async () => {
    await using proxy = await startFaultProxy(server.port)
    const { waiting, surroundings } = await waitingLogin(proxy.url)
    proxy.set({ answer: rawAnswer('502 Bad Gateway') })
    surroundings.sleepFor(16 * 60_000)
    await expect(waiting).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('it answered 502'),
      cause: expect.objectContaining({ status: 502 }),
    })
  },
  60_000,
)

deepTest.concurrent.each([
  ['403 Forbidden', '', 'refused'],
  ['404 Not Found', '', 'refused'],
  ['200 OK', '{"state":"paused"}', 'unexpected'],
  ['200 OK', '{"state":"authenticated"}', 'unexpected'],
  ['200 OK', '<h1>Welcome to our wireless network</h1>', 'unexpected'],
])('[CL-16] %s %s ends the wait at once', async (status, body, code) => {
  await using proxy = await startFaultProxy(server.port)
  const pending = await beginLogin({ baseUrl: proxy.url })
  proxy.set({
    answer: rawAnswer(
      status,
      { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' },
      body,
    ),
  })
  await expect(waitForLogin(pending)).rejects.toMatchObject({ name: 'LoginError', code })
  expect(proxy.answered()).toBeLessThanOrEqual(2)
})

test.concurrent('[CL-22] an answer without end is not kept', async () => {
  await using proxy = await startFaultProxy(server.port)
  const pending = await beginLogin({ baseUrl: proxy.url })
  const huge = `{"state":"${'x'.repeat(200_000)}"}`
  proxy.set({ answer: rawAnswer('200 OK', { 'content-type': 'application/json' }, huge) })
  await expect(waitForLogin(pending, { transport: 'poll' })).rejects.toMatchObject({
    code: 'unexpected',
    message: expect.stringContaining('too large'),
  })
  proxy.set({ answer: rawAnswer('200 OK', { 'content-type': 'text/event-stream' }, `data: ${huge}`) })
  await expect(waitForLogin(pending)).rejects.toMatchObject({ code: 'unexpected' })
})

deepTest.concurrent.each([
  ['seconds', () => '2'],
  ['a date', () => new Date(Date.now() + 3_000).toUTCString()],
])('[CL-17] Retry-After as %s is waited for', async (_what, value) => {
  await using proxy = await startFaultProxy(server.port)
  const recording = recordingFetch()
  const pending = await beginLogin({ baseUrl: proxy.url })
  await server.ada.approve(pending.authUrl)
  proxy.set({ answer: rawAnswer('429 Too Many Requests', { 'retry-after': value() }) })
  const waiting = waitForLogin(pending, { fetch: recording.fetch }, movableSurroundings())
  await waitUntil('it was refused', () => proxy.answered() === 1)
  proxy.set('pass')
  expect((await waiting).sessionToken).toMatch(/^tok_/)
  const [refused, answered] = recording.sent.slice(-2)
  expect((answered?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(1_900)
})

deepTest.concurrent(
  '[CL-19] approved while this machine slept past the deadline: the token is fetched on waking',
  async () => {
    await using proxy = await startFaultProxy(server.port)
    const { pending, waiting, surroundings } = await waitingLogin(proxy.url)
    proxy.set('refuse')
    await server.ada.approve(pending.authUrl)
    surroundings.sleepFor(8 * 60 * 60_000)
    // The network comes back a little later than the machine.
    const refusedAt = performance.now()
    await waitUntil('the machine is awake', () => performance.now() - refusedAt > 1_500)
    proxy.set('pass')
    expect((await waiting).sessionToken).toMatch(/^tok_/)
  },
)

deepTest.concurrent('[CL-19] past the deadline and not approved, the login has expired', async () => {
  const { waiting, surroundings, recording } = await waitingLogin(server.url)
  surroundings.sleepFor(16 * 60_000)
  await expect(waiting).rejects.toMatchObject({ code: 'expired' })
  expect(recording.polls()).toBe(1)
})

deepTest.concurrent('[CL-19] a clock that is a year behind does not matter', async () => {
  const surroundings = movableSurroundings()
  surroundings.sleepFor(-365 * 86_400_000)
  const pending = await beginLogin({ baseUrl: server.url }, surroundings)
  await server.ada.approve(pending.authUrl)
  expect((await waitForLogin(pending, {}, surroundings)).sessionToken).toMatch(/^tok_/)
  expect(pending.waitUntil - surroundings.now()).toBeGreaterThan(14 * 60_000)
})

const nginx = (directives: string) =>
  startNginx({
    config: ({ port }) => `server { listen 127.0.0.1:${port}; location / {
      proxy_pass http://127.0.0.1:${server.port}; proxy_http_version 1.1; ${directives} } }`,
  })

deepTest.concurrent('[CL-10] the stream passes an nginx with its default settings', async () => {
  await using proxy = await nginx('')
  const { pending, waiting, recording } = await waitingLogin(proxy.url)
  await waitUntil('its first comment has arrived', () => recording.heard() > 0)
  await server.ada.approve(pending.authUrl)
  expect((await waiting).sessionToken).toMatch(/^tok_/)
  expect(recording.polls()).toBe(0)
})

deepTest.concurrent(
  '[CL-10] an nginx that buffers delivers the token as well: the server ends the stream after it',
  async () => {
    await using proxy = await nginx('proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;')
    const { pending, waiting, recording } = await waitingLogin(proxy.url)
    // Once it was heard, nothing is asked for beside it for 20 s: what arrives came over the stream.
    await waitUntil('its first comment has arrived', () => recording.heard() > 0)
    await server.ada.approve(pending.authUrl)
    expect((await waiting).sessionToken).toMatch(/^tok_/)
    expect([recording.streams(), recording.polls()]).toEqual([1, 0])
  },
)

deepTest.concurrent('[CL-12] where streams bring nothing, the status is asked for beside them', async () => {
  await using proxy = await startFaultProxy(server.port)
  proxy.set('mute-streams')
  const { pending, waiting, recording } = await waitingLogin(proxy.url)
  await waitUntil('it polls', () => recording.polls() > 0)
  expect(recording.heard()).toBe(0)
  await server.ada.approve(pending.authUrl)
  expect((await waiting).sessionToken).toMatch(/^tok_/)
  expect(recording.streams()).toBe(1)
})

deepTest.concurrent('[CL-12] after 20 s of silence the stream is given up for polling', async () => {
  await using proxy = await startFaultProxy(server.port)
  proxy.set('mute-streams')
  const { pending, waiting, recording, surroundings } = await waitingLogin(proxy.url, { pollIntervalMs: 200 })
  const stream = recording.sent[0]
  await waitUntil('it polls', () => recording.polls() > 0)
  expect(stream?.signal?.aborted).toBe(false)
  surroundings.sleepFor(20_500)
  await waitUntil('the stream is closed', () => stream?.signal?.aborted === true)
  const polls = recording.polls()
  await waitUntil('it polls on', () => recording.polls() > polls + 1)
  await server.ada.approve(pending.authUrl)
  expect((await waiting).sessionToken).toMatch(/^tok_/)
  expect(recording.streams()).toBe(1)
})

test.concurrent('[CL-12] a stream whose comments stop coming is not relied upon either', async () => {
  await using proxy = await startFaultProxy(server.port)
  const { pending, waiting, recording, surroundings } = await waitingLogin(proxy.url)
  await waitUntil('its first comment has arrived', () => recording.heard() > 0)
  proxy.freeze('streams')
  await server.ada.approve(pending.authUrl)
  surroundings.sleepFor(20_500)
  expect((await waiting).sessionToken).toMatch(/^tok_/)
  expect(recording.streams()).toBe(1)
  expect(recording.polls()).toBeGreaterThan(0)
})

test.concurrent('[CL-11] where there is no room for a stream, it polls', async () => {
  await using small = await startClientServer({ PATCHBAY_STREAMS_PER_ADDRESS: '1' })
  const first = await waitingLogin(small.url)
  await waitUntil('it has its stream', () => first.recording.heard() > 0)
  const second = await waitingLogin(small.url)
  await small.ada.approve(second.pending.authUrl)
  expect((await second.waiting).sessionToken).toMatch(/^tok_/)
  expect(second.recording.polls()).toBeGreaterThan(0)
  await small.ada.decline(first.pending.authUrl)
  await expect(first.waiting).rejects.toMatchObject({ code: 'declined' })
}, 60_000)
