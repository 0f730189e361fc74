import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { dialLoopback, LIMITS, listen, openOutbound, readAll, refusal, serve } from './rig.ts'

/** Sends a byte now and then, and never ends. */
const dripping = (everyMs: number) =>
  serve((_request, response) => {
    response.write('x')
    const timer = setInterval(() => response.write('x'), everyMs)
    response.on('close', () => clearInterval(timer))
  })

/** Takes connections, reads, and says nothing. */
const silent = () => listen(createServer((socket) => socket.resume()))

// They wait for deadlines, each at a server of its own.
deepTest.concurrent('[K-821] a body that drips is cut off at the deadline', async () => {
  await using server = await dripping(10)
  await using outbound = openOutbound()
  const { body } = await outbound.open(server.url, { ...LIMITS, deadlineMs: 2_500, idleMs: 2_400 })
  expect((await refusal(readAll(body))).reason).toBe('deadline')
  await waitUntil('the connection is closed', () => server.sockets.size === 0)
})

deepTest.concurrent(
  '[K-821] a body that nobody reads is closed at the deadline, and says so to a late reader',
  async () => {
    await using server = await dripping(10)
    await using outbound = openOutbound()
    const { body } = await outbound.open(server.url, { ...LIMITS, deadlineMs: 1_000 })
    await waitUntil('the connection is closed', () => server.sockets.size === 0)
    expect((await refusal(readAll(body))).reason).toBe('deadline')
  },
)

test.concurrent.for([
  ['the lookup', 'http://silent.example/'],
  ['the handshake', 'https://127.0.0.1:'],
  ['the answer', 'http://127.0.0.1:'],
] as const)('[K-821] the deadline holds for %s', async ([, url]) => {
  await using server = await silent()
  await using outbound = openOutbound({}, { lookup: () => new Promise(() => undefined) })
  const target = url.endsWith(':') ? `${url}${server.port}/` : url
  const error = await refusal(outbound.open(target, { ...LIMITS, deadlineMs: 50 }))
  expect(error.reason).toBe('deadline')
  await waitUntil('the connection is closed', () => server.sockets.size === 0)
})

test.concurrent('[K-821] redirects share one deadline', async () => {
  await using server = await serve((request, response) => {
    const location = `/${Number(request.url?.slice(1)) + 1}`
    setTimeout(() => response.writeHead(302, { location }).end(), 60)
  })
  await using outbound = openOutbound({}, { maxRedirects: 50 })
  const error = await refusal(outbound.open(`${server.url}/0`, { ...LIMITS, deadlineMs: 200 }))
  expect(error.reason).toBe('deadline')
  expect(server.requests.length).toBeLessThan(5)
})

test.concurrent('[K-822] a server that goes silent is given up, before or after its headers', async () => {
  await using mute = await silent()
  await using stalled = await serve((_request, response) => {
    response.write('x')
  })
  await using outbound = openOutbound()
  const limits = { ...LIMITS, idleMs: 2_000 }
  const opening = refusal(outbound.open(`http://127.0.0.1:${mute.port}/`, limits))
  const { body } = await outbound.open(stalled.url, limits)
  expect((await refusal(readAll(body))).reason).toBe('deadline')
  expect((await opening).reason).toBe('deadline')
  await waitUntil('the connection is closed', () => stalled.sockets.size === 0)
})

deepTest('[K-822] a reader that pauses for longer is not cut off', async () => {
  await using server = await serve((_request, response) => response.end('x'.repeat(500_000)))
  await using outbound = openOutbound()
  const { body } = await outbound.open(server.url, { ...LIMITS, idleMs: 1_000 })
  let read = 0
  for await (const piece of body) {
    if (read === 0) await sleep(1_200)
    read += piece.byteLength
  }
  expect(read).toBe(500_000)
})

test('[K-824] the connection is closed when the reader stops early', async () => {
  await using server = await dripping(5)
  await using outbound = openOutbound()
  const { body } = await outbound.open(server.url, LIMITS)
  for await (const piece of body) {
    expect(piece.byteLength).toBeGreaterThan(0)
    break
  }
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('[K-824] the connection is closed when the response is disposed of unread', async () => {
  await using server = await dripping(5)
  await using outbound = openOutbound()
  const response = await outbound.open(server.url, LIMITS)
  await response[Symbol.asyncDispose]()
  await expect.poll(() => server.sockets.size).toBe(0)
  expect((await refusal(readAll(response.body))).reason).toBe('interrupted')
})

test('[K-824] an abort rejects with the reason of the caller, in every stage', async () => {
  await using mute = await silent()
  await using server = await dripping(5)
  await using outbound = openOutbound()
  const reason = new Error('changed my mind')
  const over = AbortSignal.abort(reason)
  await expect(outbound.open(server.url, { ...LIMITS, signal: over })).rejects.toBe(reason)
  for (const url of [`http://127.0.0.1:${mute.port}/`, `https://127.0.0.1:${mute.port}/`]) {
    const waiting = new AbortController()
    const opening = outbound.open(url, { ...LIMITS, signal: waiting.signal })
    await expect.poll(() => mute.sockets.size).toBe(1)
    waiting.abort(reason)
    await expect(opening).rejects.toBe(reason)
    await expect.poll(() => mute.sockets.size).toBe(0)
  }
  const reading = new AbortController()
  const { body } = await outbound.open(server.url, { ...LIMITS, signal: reading.signal })
  setTimeout(() => reading.abort(reason), 20)
  await expect(readAll(body)).rejects.toBe(reason)
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('[K-824] an abort closes the connection of a connector that keeps its socket to itself', async () => {
  await using server = await dripping(5)
  const { connect } = dialLoopback()
  const mute = (...call: Parameters<typeof connect>) => {
    connect(...call)
  }
  await using outbound = openOutbound({}, { connect: mute })
  const reason = new Error('changed my mind')
  const controller = new AbortController()
  const { body } = await outbound.open(server.url, { ...LIMITS, signal: controller.signal })
  controller.abort(reason)
  await expect.poll(() => server.sockets.size).toBe(0)
  await expect(readAll(body)).rejects.toBe(reason)
})

test('[K-824] an abort in the moment between the lookup and the connection is not missed', async () => {
  await using server = await dripping(5)
  const reason = new Error('changed my mind')
  const abortAfter = (turns: number, controller: AbortController): void => {
    queueMicrotask(() => (turns === 0 ? controller.abort(reason) : abortAfter(turns - 1, controller)))
  }
  const dialledAfter: boolean[] = []
  // As many turns as the answer needs to be checked, give or take some.
  for (let turns = 0; turns < 16; turns += 1) {
    const controller = new AbortController()
    const lookup = async () => {
      abortAfter(turns, controller)
      return ['127.0.0.1']
    }
    const { connect: dial } = dialLoopback()
    const connect = (...call: Parameters<typeof dial>) => {
      dialledAfter.push(controller.signal.aborted)
      return dial(...call)
    }
    await using outbound = openOutbound({}, { lookup, connect })
    const opening = outbound.open(`http://any.example:${server.port}/`, {
      ...LIMITS,
      signal: controller.signal,
    })
    await expect(opening).rejects.toBe(reason)
  }
  expect(dialledAfter).not.toContain(true)
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('[K-825] closing ends what is under way and opens nothing anymore', async () => {
  await using mute = await silent()
  await using server = await dripping(5)
  const outbound = openOutbound()
  const waiting = refusal(outbound.open(`http://127.0.0.1:${mute.port}/`, LIMITS))
  const { body } = await outbound.open(server.url, LIMITS)
  const reading = refusal(readAll(body))
  await outbound.close()
  expect([(await waiting).reason, (await reading).reason]).toEqual(['closed', 'closed'])
  expect((await refusal(outbound.open(server.url, LIMITS))).reason).toBe('closed')
  await expect.poll(() => server.sockets.size + mute.sockets.size).toBe(0)
})

test('[K-826] a refusal tells the person nothing about the network, and the log what was refused', async () => {
  await using outbound = openOutbound({ 'vault.corp.example': ['10.20.30.40'] })
  const error = await refusal(outbound.open('http://vault.corp.example/path?key=hunter2', LIMITS))
  expect(error.message).not.toMatch(/10\.|vault|corp|private/)
  expect(inspect(error.cause)).toContain('10.20.30.40')
  expect(inspect(error.cause)).toContain('private')
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/hunter2|\/path/)
})

test('[K-826] nor does the refusal of a connection', async () => {
  const closed = await silent()
  await closed[Symbol.asyncDispose]()
  await using outbound = openOutbound({ 'db.corp.example': ['127.0.0.1'] })
  const error = await refusal(outbound.open(`http://db.corp.example:${closed.port}/path?key=hunter2`, LIMITS))
  expect(error.reason).toBe('unreachable')
  expect(error.message).not.toMatch(/127|corp|ECONN/)
  expect(inspect(error.cause)).toContain('ECONNREFUSED')
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/hunter2|\/path/)
})
