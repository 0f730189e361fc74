import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { expect, test } from 'vitest'
import { insertPackages } from '../feeds/many-packages.ts'
import { sha256Of } from '../feeds/reading.ts'
import { type RegistryNode, startRegistry } from '../start.ts'

const SIZE = 48 * 1024 * 1024

/** How many bytes have left the store so far. */
function countReads(node: RegistryNode): () => number {
  const objects = node.deps.objects as { get: ObjectStore['get'] }
  const get = objects.get.bind(objects)
  let read = 0
  objects.get = async (sha256, options) => {
    const found = await get(sha256, options)
    if (found === undefined) return undefined
    const counting = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        read += chunk.byteLength
        done(null, chunk)
      },
    })
    return { size: found.size, stream: found.stream.on('error', () => undefined).pipe(counting) }
  }
  return () => read
}

test('[A-424] a reader that pauses holds the archive back in the store, not in our memory', async () => {
  await using node = await startRegistry()
  await insertPackages(node.db, { owners: 1, perOwner: 1, prefix: 'o' })
  const bytes = randomBytes(SIZE)
  const { sha256 } = await node.deps.objects.put(
    (async function* () {
      yield bytes
    })(),
  )
  await node.db
    .updateTable('package_versions')
    .set({ archive_sha256: sha256, archive_size: SIZE })
    .where('version', '=', '1.0')
    .execute()
  const bytesRead = countReads(node)
  const url = `${node.url}/registry/archives/${sha256}/com.o1.p1-1.0.zip`
  const received = await new Promise<Buffer>((resolve, reject) => {
    const asking = request(url, (answer) => {
      const chunks: Buffer[] = []
      answer.pause()
      void sleep(700).then(() => {
        // What the sockets of both sides hold, and a few chunks.
        if (bytesRead() > 16 * 1024 * 1024) reject(new Error(`${bytesRead()} bytes were read ahead`))
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve(Buffer.concat(chunks)))
        answer.resume()
      })
    })
    asking.on('error', reject)
    asking.end()
  })
  expect(sha256Of(received)).toBe(sha256)
  expect(bytesRead()).toBe(SIZE)
})
