import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { Handler } from './fault-server.ts'
import { type Bench, FAST, failureOf, readAll, sampleVersion, sha256, startBench } from './sample.ts'

const ARCHIVE = randomBytes(3_000_000)
const LISTED = { download_sha256: sha256(ARCHIVE), download_size: ARCHIVE.length }
const LIMITS = { ...FAST, attempts: 4, downloadDeadlineMs: 60_000, idleMs: 20_000 }

type Limits = typeof LIMITS

async function download(bench: Bench, limits: Limits = LIMITS, url = `${bench.server.origin}/a.zip`) {
  const version = sampleVersion({ download_url: url, ...LISTED })
  const { stream } = await bench.open({}, { limits }).openDownload(version, { isHashedByCaller: true })
  return readAll(stream)
}

/** Sends its bytes as they are to whoever connects. */
async function startRawServer(talk: (socket: Socket) => unknown) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => talk(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.zip`,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

const HEAD = `HTTP/1.1 200 OK\r\nContent-Length: ${ARCHIVE.length}\r\n\r\n`

test.each<[string, Handler]>([
  [
    'with its length',
    (_request, response) => void response.setHeader('content-length', ARCHIVE.length).end(ARCHIVE),
  ],
  ['without its length', (_request, response) => void response.write(ARCHIVE, () => response.end())],
  [
    'after announcements',
    (_request, response) => {
      for (let count = 0; count < 3; count += 1)
        response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(200, { 'content-length': ARCHIVE.length }).end(ARCHIVE)
    },
  ],
])('[A-393] a large archive that comes %s is whole', async (_how, handler) => {
  await using bench = await startBench()
  bench.server.handlers.set('/a.zip', handler)
  expect(ARCHIVE.equals(await download(bench))).toBe(true)
})

test.each([1, 7, 1_000, 262_143, 262_144])(
  '[A-393] an archive whose head and body come in pieces of %d is whole',
  async (size) => {
    await using bench = await startBench()
    const bytes = Buffer.concat([Buffer.from(HEAD), ARCHIVE])
    await using server = await startRawServer(async (socket) => {
      socket.setNoDelay(true)
      const begin = Math.min(size * 100, 2 ** 20)
      for (let at = 0; at < begin; at += size) {
        await new Promise((sent) => socket.write(bytes.subarray(at, Math.min(at + size, begin)), sent))
      }
      socket.end(bytes.subarray(begin))
    })
    expect(ARCHIVE.equals(await download(bench, LIMITS, server.url))).toBe(true)
  },
)

test('[A-393] an archive that only the end of the connection ends is whole', async () => {
  await using bench = await startBench()
  await using server = await startRawServer((socket) =>
    socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), ARCHIVE])),
  )
  expect(ARCHIVE.equals(await download(bench, LIMITS, server.url))).toBe(true)
  const few = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), ARCHIVE.subarray(0, 150_000)])
  await using short = await startRawServer((socket) => socket.end(few))
  const { stream } = await bench
    .open({}, { limits: LIMITS })
    .openDownload(sampleVersion({ download_url: short.url, ...LISTED }), { isHashedByCaller: true })
  // Long enough for the connection to be over before anybody reads.
  await sleep(100)
  expect(await failureOf(readAll(stream))).toMatchObject({ code: 'size_mismatch' })
})

const announce = { 'content-length': ARCHIVE.length }

deepTest.each<[string, string, Handler, Partial<Limits>]>([
  [
    'another length',
    'size_mismatch',
    (_request, response) => void response.writeHead(200, { 'content-length': 5 }).end('short'),
    {},
  ],
  [
    'too few bytes of no announced number',
    'size_mismatch',
    (_request, response) => void response.write('short', () => response.end()),
    {},
  ],
  [
    'too many bytes of no announced number',
    'size_mismatch',
    (_request, response) => void response.write(ARCHIVE, () => response.end(ARCHIVE)),
    {},
  ],
  [
    'an answer that breaks off',
    'interrupted',
    (_request, response) =>
      void response.writeHead(200, announce).write(ARCHIVE.subarray(0, 1_000_000), () => response.destroy()),
    {},
  ],
  [
    'an answer without length that breaks off',
    'interrupted',
    (_request, response) => void response.write(ARCHIVE.subarray(0, 1_000_000), () => response.destroy()),
    {},
  ],
  ['no answer', 'timeout', () => undefined, { idleMs: 100 }],
  [
    'silence in the middle',
    'timeout',
    (_request, response) => void response.writeHead(200, announce).write('PK'),
    { idleMs: 100 },
  ],
  [
    'a trickle',
    'timeout',
    async (_request, response) => {
      response.writeHead(200, announce)
      while (!response.destroyed) {
        response.write('PK')
        await sleep(20)
      }
    },
    { downloadDeadlineMs: 300 },
  ],
  ['404', 'not_found', (_request, response) => void response.writeHead(404).end(), {}],
  ['503', 'busy', (_request, response) => void response.writeHead(503).end('later'), {}],
  [
    'a page',
    'wrong_content',
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    {},
  ],
  [
    'a circle of redirects',
    'redirect_refused',
    (_request, response) => void response.writeHead(302, { location: '/a.zip' }).end(),
    {},
  ],
  [
    'a redirect to a file',
    'redirect_refused',
    (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    {},
  ],
  ['304', 'unexpected_status', (_request, response) => void response.writeHead(304).end(), {}],
])('[A-393] %s: %s', async (_what, code, handler, limits) => {
  await using bench = await startBench()
  bench.server.handlers.set('/a.zip', handler)
  const failure = await failureOf(download(bench, { ...LIMITS, ...limits }))
  expect(failure).toMatchObject({ name: 'RepositoryFailure', code })
})

test.each<[string, (socket: Socket) => unknown]>([
  ['no HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n\r\n')],
  ['a connection that closes', (socket) => socket.destroy()],
  ['half a head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
  ['a head without end', (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(2 ** 20)}`)],
  [
    'two lengths',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nshort'),
  ],
])('[A-393] %s in place of an answer is "unreachable"', async (_what, talk) => {
  await using bench = await startBench()
  await using server = await startRawServer(talk)
  const limits = { ...LIMITS, attempts: 1 }
  expect(await failureOf(download(bench, limits, server.url))).toMatchObject({ code: 'unreachable' })
})

test('[A-393] announcements without an answer end with the time for silence', async () => {
  await using bench = await startBench()
  await using server = await startRawServer((socket) =>
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5_000)),
  )
  const limits = { ...LIMITS, attempts: 1, idleMs: 100 }
  expect(await failureOf(download(bench, limits, server.url))).toMatchObject({ code: 'timeout' })
})

test('[A-393] where nobody listens, the reason is given', async () => {
  await using bench = await startBench()
  const server = await startRawServer(() => undefined)
  await server[Symbol.asyncDispose]()
  const failure = await failureOf(download(bench, { ...LIMITS, attempts: 1 }, server.url))
  expect(failure.message).toContain('(ECONNREFUSED)')
})

test('[A-393] an abort and a reader that leaves end the connection', async () => {
  await using bench = await startBench()
  let closed = Promise.withResolvers<void>()
  bench.server.handlers.set('/a.zip', (request, response) => {
    request.socket.once('close', () => closed.resolve())
    response.writeHead(200, announce).write(ARCHIVE.subarray(0, 2_000_000))
  })
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  const client = bench.open({}, { limits: LIMITS })
  const controller = new AbortController()
  const { stream } = await client.openDownload(version, { signal: controller.signal, isHashedByCaller: true })
  const stopped = async () => {
    for await (const _piece of stream) controller.abort(new Error('enough'))
  }
  expect((await failureOf(stopped())).message).toBe('enough')
  await closed.promise
  closed = Promise.withResolvers()
  for await (const _piece of (await client.openDownload(version, { isHashedByCaller: true })).stream) break
  await closed.promise
})

test('[A-394] an answer that is encoded is decoded', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/a.zip', (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(ARCHIVE))
  })
  expect(ARCHIVE.equals(await download(bench))).toBe(true)
  expect(bench.server.requests).toHaveLength(1)
})

test('[A-394] whoever brings his own fetch is asked for large archives too', async () => {
  await using bench = await startBench()
  const asked: string[] = []
  bench.server.serve('/a.zip', ARCHIVE)
  const own: typeof fetch = (input, init) => {
    asked.push(String(input))
    return fetch(input, init)
  }
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  const { stream } = await bench
    .open({}, { limits: LIMITS, fetch: own })
    .openDownload(version, { isHashedByCaller: true })
  expect(ARCHIVE.equals(await readAll(stream))).toBe(true)
  expect(asked).toEqual([version.download_url])
})

test.each([25, 6667])('[A-394] port %d, which fetch refuses, is not connected to', async (port) => {
  await using bench = await startBench()
  const failure = await failureOf(
    download(bench, { ...LIMITS, attempts: 1 }, `http://127.0.0.1:${port}/a.zip`),
  )
  expect(failure).toMatchObject({ code: 'unreachable', cause: { cause: { message: 'bad port' } } })
})

test('[A-394] where the global fetch was given another way to connect, that one is taken', async () => {
  await using bench = await startBench()
  bench.server.serve('/a.zip', ARCHIVE)
  // Once asked, it has one.
  await fetch(bench.server.origin)
  const place = Symbol.for('undici.globalDispatcher.1')
  const usual: { dispatch(...parameters: unknown[]): boolean } = Reflect.get(globalThis, place)
  let dispatched = 0
  class OtherWay {
    dispatch(...parameters: unknown[]): boolean {
      dispatched += 1
      return usual.dispatch(...parameters)
    }
  }
  Reflect.set(globalThis, place, new OtherWay())
  try {
    expect(ARCHIVE.equals(await download(bench))).toBe(true)
    expect(dispatched).toBe(1)
  } finally {
    Reflect.set(globalThis, place, usual)
  }
})
