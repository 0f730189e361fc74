import { setTimeout as sleep } from 'node:timers/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { Handler } from './fault-server.ts'
import { failureOf, publish, samplePackage, sha256, startBench } from './sample.ts'

const PAGE = '<!doctype html><title>Slow down</title>'

function answer(status: number, headers: Record<string, string> = {}, body = PAGE): Handler {
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
}

/** One after the other; the last one stays. */
function inTurn(...handlers: readonly Handler[]): Handler {
  let count = 0
  return (request, response) => handlers[Math.min(count++, handlers.length - 1)]?.(request, response)
}

test('[A-303] a 429 with a page is never parsed: it is "busy", after a bounded number of attempts', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/repository.json', answer(429))
  const failure = await failureOf(bench.open().refresh())
  expect(failure).toMatchObject({ code: 'busy', status: 429 })
  expect(bench.server.seen('/repository.json')).toHaveLength(4)
})

test('[A-303] a 429 whose body is JSON is not taken for the file either', async () => {
  await using bench = await startBench()
  const body = JSON.stringify({
    name: 'Limited',
    packages: { url: 'https://x.example', update_timestamp: 1 },
  })
  bench.server.handlers.set('/repository.json', answer(429, { 'content-type': 'application/json' }, body))
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'busy' })
})

deepTest('[A-304] Retry-After is respected', async () => {
  await using bench = await startBench()
  publish(bench.server, [])
  const good = bench.server.handlers.get('/repository.json') ?? answer(500)
  bench.server.handlers.set('/repository.json', inTurn(answer(503, { 'retry-after': '1' }), good))
  const start = performance.now()
  const limits = { retryAfterMs: 1_500, pauseMs: 5 }
  expect((await bench.open({}, { limits }).refresh()).fromCache).toBe(false)
  expect(performance.now() - start).toBeGreaterThan(990)
})

test('[A-304] a server that asks for too long a pause is not waited for, and the failure says how long', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/repository.json', answer(429, { 'retry-after': '3600' }))
  const failure = await failureOf(bench.open().refresh())
  expect(failure).toMatchObject({ code: 'busy', retryAfterMs: 3_600_000 })
  expect(failure.message).toContain('in 3600 s')
  expect(bench.server.requests).toHaveLength(1)
})

test('[A-304] Retry-After as a date is counted from now', async () => {
  await using bench = await startBench()
  const now = Date.UTC(2026, 0, 1)
  const date = new Date(now + 90_000).toUTCString()
  bench.server.handlers.set('/repository.json', answer(503, { 'retry-after': date }))
  const failure = await failureOf(bench.open({}, { now: () => now }).refresh())
  expect(failure).toMatchObject({ code: 'busy', retryAfterMs: 90_000 })
})

test('[A-305] a server that fails once and then answers is asked again', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')])
  const good = bench.server.handlers.get('/repository.json') ?? answer(500)
  bench.server.handlers.set('/repository.json', inTurn(answer(500), answer(502), good))
  expect((await bench.open().refresh()).packages).toHaveLength(1)
})

test('[A-305] refusals are not asked for again', async () => {
  await using bench = await startBench()
  for (const [status, code] of [
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not_found'],
    [410, 'not_found'],
    [418, 'unexpected_status'],
  ] as const) {
    bench.server.requests.length = 0
    bench.server.handlers.set('/repository.json', answer(status))
    expect(await failureOf(bench.open().refresh())).toMatchObject({ code, status })
    expect(bench.server.requests).toHaveLength(1)
  }
})

test.each([
  ['by its type', { 'content-type': 'text/html; charset=utf-8' }, '{"name":"x"}'],
  ['by its beginning', { 'content-type': 'application/json' }, `\n${PAGE}`],
  ['when it is empty', { 'content-type': 'application/json' }, ''],
  ['when it is no object', { 'content-type': 'text/plain' }, 'rate limit exceeded'],
])('[A-306] a page with status 200 is refused %s', async (_how, headers, body) => {
  await using bench = await startBench()
  bench.server.handlers.set('/repository.json', answer(200, headers, body))
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'wrong_content' })
})

test('[A-307] an answer that breaks off is asked for again, then given up', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')])
  const good = bench.server.handlers.get('/packages.json') ?? answer(500)
  const truncated: Handler = (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"packages": [')
    setTimeout(() => response.destroy(), 20)
  }
  bench.server.handlers.set('/packages.json', inTurn(truncated, good))
  expect((await bench.open().refresh()).packages).toHaveLength(1)
  bench.server.handlers.set('/repository.json', truncated)
  expect(
    await failureOf(bench.open({ url: `${bench.server.origin}/repository.json?other` }).refresh()),
  ).toMatchObject({
    code: 'interrupted',
  })
})

test('[A-308] an endless answer is cut off at the limit', async () => {
  await using bench = await startBench()
  const { promise, resolve } = Promise.withResolvers<void>()
  bench.server.handlers.set('/repository.json', (_request, response) => {
    const piece = Buffer.alloc(65_536, ' ')
    const pour = () => {
      while (response.write(piece));
      response.once('drain', pour)
    }
    response.on('close', resolve)
    pour()
  })
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'too_large' })
  await promise
  expect(bench.server.requests).toHaveLength(1)
})

test('[A-308] a length beyond the limit is refused before a byte is read', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/repository.json', (_request, response) => {
    response.writeHead(200, { 'content-length': String(2 ** 40) }).flushHeaders()
  })
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'too_large' })
})

test('[A-308] a small answer that inflates to a large one is cut off as well', async () => {
  await using bench = await startBench()
  const { gzipSync } = await import('node:zlib')
  const bomb = gzipSync(Buffer.alloc(8 * 2 ** 20, ' '))
  bench.server.serve('/repository.json', bomb, { 'content-encoding': 'gzip' })
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'too_large' })
})

test('[A-309] silence in the middle of an answer ends it', async () => {
  await using bench = await startBench()
  bench.server.handlers.set(
    '/repository.json',
    (_request, response) => void response.writeHead(200).write('{'),
  )
  const limits = { idleMs: 100, deadlineMs: 60_000, attempts: 1 }
  expect(await failureOf(bench.open({}, { limits }).refresh())).toMatchObject({ code: 'timeout' })
})

test('[A-309] an answer that trickles ends at the deadline, however lively it is', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/repository.json', async (_request, response) => {
    response.writeHead(200)
    while (!response.destroyed) {
      response.write(' ')
      await sleep(20)
    }
  })
  const limits = { idleMs: 60_000, deadlineMs: 300, attempts: 1 }
  expect(await failureOf(bench.open({}, { limits }).refresh())).toMatchObject({ code: 'timeout' })
})

test('[A-309] a server that takes the connection and says nothing is given up', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/repository.json', () => undefined)
  const limits = { idleMs: 100, attempts: 1 }
  expect(await failureOf(bench.open({}, { limits }).refresh())).toMatchObject({ code: 'timeout' })
})

test('[A-313] a 304 that nobody asked for is no answer', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/repository.json', (_request, response) => void response.writeHead(304).end())
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'unexpected_status', status: 304 })
})

test.each(['nonsense', '"un\u00fcsual"', `"${'x'.repeat(5_000)}"`, 'W/', '""x'])(
  '[A-313] an ETag that is none (%.12s) is not sent back',
  async (etag) => {
    await using bench = await startBench()
    publish(bench.server, [samplePackage('com.example.blinky')])
    const body = JSON.stringify({
      name: 'Sample',
      packages: {
        url: `${bench.server.origin}/packages.json`,
        update_timestamp: 1,
        sha256: sha256(JSON.stringify({ packages: [samplePackage('com.example.blinky')] })),
      },
    })
    bench.server.serve('/repository.json', body, { etag })
    await bench.open().refresh()
    expect((await bench.open().refresh()).packages).toHaveLength(1)
    expect(bench.server.seen('/repository.json').map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      undefined,
    ])
  },
)
