import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LIMITS, listen, openOutbound, readAll, reasonOf, refusal, serve } from './rig.ts'

test('[K-817] a body of exactly maxBytes is read, one byte more is not', async () => {
  await using server = await serve((request, response) => {
    // Two writes: the length is not declared.
    response.write('x'.repeat(99))
    response.end('x'.repeat(Number(request.url?.slice(1)) - 99))
  })
  await using outbound = openOutbound()
  const fits = await outbound.open(`${server.url}/100`, { ...LIMITS, maxBytes: 100 })
  expect(await readAll(fits.body)).toHaveLength(100)
  const exceeds = await outbound.open(`${server.url}/101`, { ...LIMITS, maxBytes: 100 })
  expect((await refusal(readAll(exceeds.body))).reason).toBe('too_large')
})

test('[K-817] a declared length beyond the limit is refused before the body comes', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '101' }).flushHeaders()
  })
  await using outbound = openOutbound()
  const error = await refusal(outbound.open(server.url, { ...LIMITS, maxBytes: 100 }))
  expect(error.reason).toBe('too_large')
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('[K-817] an endless body is cut off at the limit and its connection closed', async () => {
  let sent = 0
  await using server = await serve((_request, response) => {
    const piece = Buffer.alloc(65_536)
    const pour = () => {
      do sent += piece.length
      while (response.write(piece))
    }
    response.on('drain', pour)
    pour()
  })
  await using outbound = openOutbound()
  const { body } = await outbound.open(server.url, { ...LIMITS, maxBytes: 1_000_000 })
  expect((await refusal(readAll(body))).reason).toBe('too_large')
  await expect.poll(() => server.sockets.size).toBe(0)
  expect(sent).toBeLessThan(50_000_000)
})

test.for([
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br' },
  { 'content-encoding': 'identity, GZIP' },
  { 'transfer-encoding': 'gzip, chunked' },
])('[K-818] an answer with %j is refused', async (headers) => {
  await using server = await serve((_request, response) =>
    response.writeHead(200, headers).end(gzipSync('bomb')),
  )
  await using outbound = openOutbound()
  expect(await reasonOf(outbound, server.url)).toBe('encoding')
})

test('[K-818] an answer that says it is plain is read', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'identity' }).end('plain')
  })
  await using outbound = openOutbound()
  const { body } = await outbound.open(server.url, LIMITS)
  expect(await readAll(body)).toBe('plain')
})

test.for([
  ['one large header', { 'x-large': 'x'.repeat(20_000) }],
  [
    'many headers',
    Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x-${index}`, 'x'.repeat(20)])),
  ],
] as const)('[K-819] %s beyond 16 KiB are refused', async ([, headers]) => {
  await using server = await serve((_request, response) => response.writeHead(200, headers).end())
  await using outbound = openOutbound()
  expect(await reasonOf(outbound, server.url)).toBe('too_large')
})

test('[K-820] headers have lower-case names, repeated ones are joined, cookies are left out', async () => {
  await using server = await listen(
    createServer((socket) => {
      const lines = ['X-Two: 1', 'x-TWO: 2', 'Set-Cookie: a=1', '__proto__: odd', 'Content-Length: 0']
      socket.once('data', () => socket.end(`HTTP/1.1 404 Not Found\r\n${lines.join('\r\n')}\r\n\r\n`))
    }),
  )
  await using outbound = openOutbound()
  await using response = await outbound.open(`http://127.0.0.1:${server.port}/`, LIMITS)
  expect(response.status).toBe(404)
  expect(Object.fromEntries([...response.headers].filter(([name]) => name !== '__proto__'))).toEqual({
    'x-two': '1, 2',
    'content-length': '0',
  })
  expect(response.headers.get('__proto__')).toBe('odd')
})

test('[K-823] a body that is shorter than declared fails', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('12345', () => response.destroy())
  })
  await using outbound = openOutbound()
  const { body } = await outbound.open(server.url, LIMITS)
  expect((await refusal(readAll(body))).reason).toBe('interrupted')
})

test('[K-823] a chunked body without its last chunk fails', async () => {
  await using server = await serve((_request, response) => {
    response.write('12345', () => response.destroy())
  })
  await using outbound = openOutbound()
  const { body } = await outbound.open(server.url, LIMITS)
  expect((await refusal(readAll(body))).reason).toBe('interrupted')
})
