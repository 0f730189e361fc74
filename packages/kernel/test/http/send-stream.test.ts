import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { sendStream } from '../../src/http/index.ts'
import { startHttp } from './harness.ts'

const SIZE = 700_000
const BYTES = Buffer.from(Array.from({ length: SIZE }, (_, index) => index % 251))

/** What a store gives, of bytes in memory; it tells how much was read and whether it was closed. */
function openBytes(bytes: Buffer, failsAt = Number.POSITIVE_INFINITY) {
  const seen = { read: 0, closed: 0 }
  const openFile = () => {
    let position = 0
    return new Readable({
      highWaterMark: 64 * 1024,
      read(size) {
        if (position >= failsAt) {
          this.destroy(new Error('the disk is gone'))
          return
        }
        const chunk = bytes.subarray(position, position + size)
        position += chunk.byteLength
        seen.read += chunk.byteLength
        this.push(chunk.byteLength === 0 ? null : chunk)
      },
      destroy(error, done) {
        seen.closed += 1
        done(error)
      },
    })
  }
  return { seen, openFile }
}

async function startWith(openFile: () => Readable, size = SIZE, stallMs?: number) {
  const http = startHttp()
  http.app.route({
    method: ['GET', 'HEAD'],
    url: '/file',
    handler: (_request, reply) => sendStream(reply.header('content-length', size), openFile(), stallMs),
  })
  return { url: `${await http.listen()}/file`, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() }
}

async function open(url: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, resolve).once('error', reject)
  return await promise
}

test('[K-240] the bytes arrive, and the file is closed', async () => {
  const { seen, openFile } = openBytes(BYTES)
  await using http = await startWith(openFile)
  const answer = await open(http.url)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect((await buffer(answer)).equals(BYTES)).toBe(true)
  await waitUntil('the file is closed', () => seen.closed === 1)
})

test('[K-240] a HEAD brings the length, reads nothing and closes the file', async () => {
  const { seen, openFile } = openBytes(BYTES)
  await using http = await startWith(openFile)
  const answer = await fetch(http.url, { method: 'HEAD' })
  expect(answer.headers.get('content-length')).toBe(`${SIZE}`)
  expect(seen).toEqual({ read: 0, closed: 1 })
})

test('[K-240] a file that cannot be read on cuts the connection', async () => {
  const { seen, openFile } = openBytes(BYTES, 262_144)
  await using http = await startWith(openFile)
  await expect(buffer(await open(http.url))).rejects.toThrow('aborted')
  await waitUntil('the file is closed', () => seen.closed === 1)
})

test('[K-240] a client that does not read is waited for, and one that leaves closes the file', async () => {
  const large = Buffer.alloc(64 * 1024 * 1024)
  const { seen, openFile } = openBytes(large)
  await using http = await startWith(openFile, large.byteLength)
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

deepTest('[K-240] a client that takes nothing for too long is left', async () => {
  const large = Buffer.alloc(64 * 1024 * 1024)
  const { seen, openFile } = openBytes(large)
  await using http = await startWith(openFile, large.byteLength, 500)
  const answer = await open(http.url)
  answer.once('error', () => {})
  await waitUntil('the file is closed', () => seen.closed === 1)
  expect(seen.read).toBeLessThan(large.byteLength / 2)
  expect((await buffer(await open(http.url))).byteLength).toBe(large.byteLength)
  await waitUntil('the file is closed', () => seen.closed === 2)
})
