import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { Radosgw } from '@patchbay/testkit/radosgw'
import { Secret } from '../../src/log/index.ts'
import { createS3Objects, isObjectName, type S3ObjectsOptions } from '../../src/objects/index.ts'
import { temporaryFolder } from './open-files.ts'
import type { StoreKind, StoreUnderTest } from './store-under-test.ts'

export const BUCKET = 'patchbay-test'

/** A client of the tests' own, to look into the bucket and to break things in it. */
export async function createBucket(radosgw: Radosgw): Promise<S3Client> {
  const { endpoint, region, accessKeyId, secretAccessKey } = radosgw
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  return client
}

export function s3Options(radosgw: Radosgw, spoolDir: string): S3ObjectsOptions & { prefix: string } {
  const { endpoint, region, accessKeyId, secretAccessKey } = radosgw
  return {
    endpoint,
    region,
    accessKeyId,
    secretAccessKey: new Secret(secretAccessKey),
    bucket: BUCKET,
    prefix: `${randomUUID()}/`,
    forcePathStyle: true,
    spoolDir,
  }
}

export async function keysBelow(client: S3Client, Prefix: string): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix }))
  return Contents.map(({ Key = '' }) => Key.slice(Prefix.length))
}

export function s3Stores(started: () => { radosgw: Radosgw; client: S3Client }): StoreKind {
  return {
    async open(): Promise<StoreUnderTest> {
      const { radosgw, client } = started()
      const folder = await temporaryFolder()
      const options = s3Options(radosgw, folder.path)
      const store = await createS3Objects(options)
      const write = async (key: string, Body: Uint8Array | string) => {
        await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: `${options.prefix}${key}`, Body }))
      }
      return {
        store,
        damage: (sha256, bytes) => write(`sha256/${sha256.slice(0, 2)}/${sha256}`, bytes),
        litter: (name) => write(`sha256/${name}`, 'litter'),
        async leftovers() {
          const keys = await keysBelow(client, options.prefix)
          return [...(await readdir(folder.path)), ...keys.filter((key) => !isObjectName(key.slice(-64)))]
        },
        held: () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
        async [Symbol.asyncDispose]() {
          await store.close()
          await folder[Symbol.asyncDispose]()
        },
      }
    },
    async openMissing() {
      await using folder = await temporaryFolder()
      return await createS3Objects({
        ...s3Options(started().radosgw, folder.path),
        bucket: 'nobody-made-this',
      })
    },
  }
}
