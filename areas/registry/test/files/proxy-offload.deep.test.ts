import { createHmac } from 'node:crypto'
import { Secret } from '@patchbay/kernel/log'
import { createS3Objects } from '@patchbay/kernel/objects'
import { type Radosgw, radosgwAvailable, startRadosgw } from '@patchbay/testkit/radosgw'
import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { sha256Of } from '../feeds/reading.ts'
import { migratedDatabase, NO_INDEXER, startRegistryNode, temporaryFolder } from '../start.ts'

const ARCHIVE = Buffer.from(archiveOf())

/** Signed the short, old way, which the gateway still takes. */
function createBucket({ endpoint, accessKeyId, secretAccessKey }: Radosgw, name: string): Promise<Response> {
  const date = new Date().toUTCString()
  const signature = createHmac('sha1', secretAccessKey).update(`PUT\n\n\n${date}\n/${name}`).digest('base64')
  const headers = { date, authorization: `AWS ${accessKeyId}:${signature}` }
  return fetch(`${endpoint}/${name}`, { method: 'PUT', headers })
}

test.skipIf(!radosgwAvailable())(
  '[A-553] R12: a public archive is fetched from the bucket, at an address that the node signs',
  async () => {
    await using radosgw = await startRadosgw()
    const { endpoint, region, accessKeyId, secretAccessKey } = radosgw
    expect((await createBucket(radosgw, 'archives')).status).toBe(200)
    await using folder = await temporaryFolder()
    await using database = await migratedDatabase()
    await using objects = await createS3Objects({
      endpoint,
      region,
      accessKeyId,
      secretAccessKey: new Secret(secretAccessKey),
      bucket: 'archives',
      prefix: 'team/',
      forcePathStyle: true,
      spoolDir: folder.path,
    })
    await using node = await startRegistryNode({
      databaseUrl: database.url,
      folder: folder.path,
      objects,
      indexer: NO_INDEXER,
      clock: { now: () => new Date() },
      settings: { archiveDelivery: { kind: 'redirect' } },
    })
    await node.as('ada').publish(ARCHIVE)
    const path = `/registry/archives/${sha256Of(ARCHIVE)}/com.example.blinky-1.0.0.zip`
    const answer = await node.ask(path)
    expect([answer.status, answer.headers.get('location')?.startsWith(`${endpoint}/archives/team/`)]).toEqual(
      [302, true],
    )
    const followed = await node.ask(path, { redirect: 'follow' })
    expect(Buffer.from(await followed.arrayBuffer())).toEqual(ARCHIVE)
    expect(followed.headers.get('content-disposition')).toContain('com.example.blinky-1.0.0.zip')
    const part = await node.ask(path, { redirect: 'follow', headers: { range: 'bytes=2-5' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, ARCHIVE.subarray(2, 6)])
  },
)
