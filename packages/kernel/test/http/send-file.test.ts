import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { type FileBody, readyHead, sendFile } from '../../src/http/index.ts'
import { startHttp } from './harness.ts'

const SIZE = 700_000
const BYTES = Buffer.from(Array.from({ length: SIZE }, (_, index) => index % 251))

/** What a store gives, of bytes in memory; it tells how much was read and whether it was closed. */
function openBytes(bytes: Buffer, failsAt = Number.POSITIVE_INFINITY) {
  const seen = { read: 0, closed: 0 }
  const file: FileBody = {
    async read(into, position) {
      if (position >= failsAt) throw new Error('the disk is gone')
      const count = bytes.copy(into, 0, position)
      seen.read += count
      return count
    },
    async close() {
      seen.closed += 1
    },
  }
  return { seen, file }
}

async function startWith(file: FileBody, part = { first: 0, last: SIZE - 1 }, stallMs?: number) {
  const http = startHttp()
  const head = readyHead(200, { 'content-length': `${part.last - part.first + 1}` })
  http.app.route({
    method: ['GET', 'HEAD'],
    url: '/file',
    handler: (_request, reply) => sendFile(reply, head, file, part, stallMs),
  })
  return { url: `${await http.listen()}/file`, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() }
}

async function open(url: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, resolve).once('error', reject)
  return await promise
}

test.each([
  [0, SIZE - 1],
  [5, 5],
  [131_071, 262_144],
  [SIZE - 3, SIZE - 1],
])('[K-240] the bytes from %i to %i arrive, and the file is closed', async (first, last) => {
  const { seen, file } = openBytes(BYTES)
  await using http = await startWith(file, { first, last })
  const answer = await open(http.url)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect((await buffer(answer)).equals(BYTES.subarray(first, last + 1))).toBe(true)
  await waitUntil('the file is closed', () => seen.closed === 1)
})

test('[K-240] a HEAD brings the length, reads nothing and closes the file', async () => {
  const { seen, file } = openBytes(BYTES)
  await using http = await startWith(file)
  const answer = await fetch(http.url, { method: 'HEAD' })
  expect(answer.headers.get('content-length')).toBe(`${SIZE}`)
  expect(seen).toEqual({ read: 0, closed: 1 })
})

test.each([
  ['is shorter than was said', openBytes(BYTES.subarray(0, 300_000))],
  ['cannot be read on', openBytes(BYTES, 262_144)],
])('[K-240] a file that %s cuts the connection', async (_name, { seen, file }) => {
  await using http = await startWith(file)
  await expect(buffer(await open(http.url))).rejects.toThrow('aborted')
  await waitUntil('the file is closed', () => seen.closed === 1)
})

test('[K-240] a client that does not read is waited for, and one that leaves closes the file', async () => {
  const large = Buffer.alloc(64 * 1024 * 1024)
  const { seen, file } = openBytes(large)
  await using http = await startWith(file, { first: 0, last: large.byteLength - 1 })
  const answer = await open(http.url)
  let before = -1
  await waitUntil(
    'nothing more is read',
    () => {
      const isStill = seen.read === before
      before = seen.read
      return isStill
    },
    { intervalMs: 300 },
  )
  expect(seen.read).toBeLessThan(large.byteLength / 2)
  answer.destroy()
  await waitUntil('the file is closed', () => seen.closed === 1)
})

test('[K-240] a client that takes nothing for too long is left', async () => {
  const large = Buffer.alloc(64 * 1024 * 1024)
  const { seen, file } = openBytes(large)
  await using http = await startWith(file, { first: 0, last: large.byteLength - 1 }, 500)
  const answer = await open(http.url)
  answer.once('error', () => {})
  await waitUntil('the file is closed', () => seen.closed === 1)
  expect(seen.read).toBeLessThan(large.byteLength / 2)
  expect((await buffer(await open(http.url))).byteLength).toBe(large.byteLength)
  await waitUntil('the file is closed', () => seen.closed === 2)
})
