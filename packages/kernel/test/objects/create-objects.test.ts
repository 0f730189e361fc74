import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from '../../src/log/index.ts'
import { createObjects } from '../../src/objects/index.ts'
import { inChunks, patterned } from './bytes.ts'
import { temporaryFolder } from './open-files.ts'
import { BUCKET, keysBelow } from './open-s3.ts'
import { describeWithRadosgw } from './with-radosgw.ts'

const CHILD = fileURLToPath(new URL('load-in-child.ts', import.meta.url))

test('[K-638] only an S3 store loads the S3 client', async () => {
  await using folder = await temporaryFolder()
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, folder.path])
  const { withFiles, withS3 } = JSON.parse(stdout) as { withFiles: number; withS3: number }
  expect(withFiles).toBe(0)
  expect(withS3).toBeGreaterThan(0)
})

test('[K-644] a file URL opens a store in that folder', async () => {
  await using folder = await temporaryFolder()
  const root = join(folder.path, 'a b')
  await using store = await createObjects({ url: pathToFileURL(root).href })
  const { sha256 } = await store.put(inChunks(patterned(10)))
  expect(await readdir(join(root, sha256.slice(0, 2), sha256.slice(2, 4)))).toEqual([sha256])
})

test('[K-644] S3 without credentials or spool folder is refused', async () => {
  const whole = { accessKeyId: 'key', secretAccessKey: new Secret('secret'), spoolDir: '/nowhere' }
  for (const missing of ['accessKeyId', 'secretAccessKey', 'spoolDir'] as const) {
    const { [missing]: _, ...rest } = whole
    await expect(createObjects({ url: 's3://bucket', ...rest })).rejects.toThrow('objects in S3 need')
  }
})

describeWithRadosgw('a store by its URL', (started) => {
  test('[K-644] an S3 URL opens a store in that bucket', async () => {
    const { radosgw, client } = started()
    await using folder = await temporaryFolder()
    await using store = await createObjects({
      url: `s3://${BUCKET}/by-url?endpoint=${encodeURIComponent(radosgw.endpoint)}`,
      accessKeyId: radosgw.accessKeyId,
      secretAccessKey: new Secret(radosgw.secretAccessKey),
      spoolDir: join(folder.path, 'spool'),
    })
    const { sha256 } = await store.put(inChunks(patterned(10)))
    expect(await keysBelow(client, 'by-url/')).toEqual([`sha256/${sha256.slice(0, 2)}/${sha256}`])
  })
})
