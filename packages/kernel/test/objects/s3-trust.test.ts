import { readdir } from 'node:fs/promises'
import { inspect } from 'node:util'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { createLog, Secret } from '../../src/log/index.ts'
import { createS3Objects } from '../../src/objects/index.ts'
import { collect, found, hangingAfter, inChunks, MIB, patterned, sha256Of } from './bytes.ts'
import { temporaryFolder } from './open-files.ts'
import { BUCKET, keysBelow, s3Options } from './open-s3.ts'
import { startRelay } from './relay.ts'
import { describeWithRadosgw } from './with-radosgw.ts'

const UNAVAILABLE = { name: 'Problem', code: 'objects_unavailable' }

describeWithRadosgw('what S3 is trusted with', (started) => {
  test('[K-631] an object is a key named by its hash, below the prefix', async () => {
    const { radosgw, client } = started()
    await using folder = await temporaryFolder()
    const options = s3Options(radosgw, folder.path)
    await using store = await createS3Objects(options)
    const { sha256 } = await store.put(inChunks(patterned(10)))
    expect(await keysBelow(client, options.prefix)).toEqual([`sha256/${sha256.slice(0, 2)}/${sha256}`])
  })

  test('[K-631] two prefixes of one bucket do not see each other', async () => {
    const { radosgw, client } = started()
    await using folder = await temporaryFolder()
    const options = s3Options(radosgw, folder.path)
    await using one = await createS3Objects(options)
    await using other = await createS3Objects({ ...options, prefix: `${options.prefix}more/` })
    const { sha256 } = await one.put(inChunks(patterned(10)))
    expect(await other.stat(sha256)).toBeUndefined()
    expect(await other.list({ limit: 10 })).toEqual({ objects: [] })
    expect(await other.delete(sha256)).toBe(false)
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: `${options.prefix}zzz`, Body: 'x' }))
    expect((await one.list({ limit: 10 })).objects).toHaveLength(1)
  })

  test('[K-843] R12: a signed address shows one object for a while, as it was told to, and in parts', async () => {
    await using folder = await temporaryFolder()
    await using store = await createS3Objects(s3Options(started().radosgw, folder.path))
    const bytes = patterned(10_000)
    const { sha256 } = await store.put(inChunks(bytes))
    const { sha256: other } = await store.put(inChunks(patterned(20)))
    const answer = {
      now: new Date(),
      seconds: 300,
      contentType: 'application/zip',
      contentDisposition: 'attachment; filename="a (1)!*.zip"',
      cacheControl: 'public, max-age=31536000, immutable',
    }
    const address = (await store.signAddress?.(sha256, answer)) ?? ''
    const whole = await fetch(address)
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(Buffer.from(bytes))
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': answer.contentType,
      'content-disposition': answer.contentDisposition,
      'cache-control': answer.cacheControl,
    })
    const part = await fetch(address, { headers: { range: 'bytes=5-9' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([
      206,
      Buffer.from(bytes.subarray(5, 10)),
    ])
    const statusOf = async (url: string) => (await fetch(url)).status
    expect(await statusOf(address.replaceAll(sha256, other))).toBe(403)
    expect(await statusOf(address.replace('a%20', 'b%20'))).toBe(403)
    const old = { ...answer, now: new Date(Date.now() - 600_000) }
    expect(await statusOf((await store.signAddress?.(sha256, old)) ?? '')).toBe(403)
  })

  test('[K-632] a wrong secret is refused, whatever is asked', async () => {
    await using folder = await temporaryFolder()
    const options = s3Options(started().radosgw, folder.path)
    await using store = await createS3Objects({ ...options, secretAccessKey: new Secret('not the secret') })
    const name = sha256Of(patterned(10))
    await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.put(inChunks(patterned(10)))).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.get(name)).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.stat(name)).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.list({ limit: 1 })).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.delete(name)).rejects.toMatchObject(UNAVAILABLE)
  })

  test('[K-632] an access key that nobody has is refused', async () => {
    await using folder = await temporaryFolder()
    await using store = await createS3Objects({
      ...s3Options(started().radosgw, folder.path),
      accessKeyId: 'NOBODY',
    })
    await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE)
  })

  test('[K-633] neither a store nor its errors show the secret', async () => {
    const secret = 'a-secret-that-is-easy-to-find'
    await using folder = await temporaryFolder()
    const options = { ...s3Options(started().radosgw, folder.path), secretAccessKey: new Secret(secret) }
    await using store = await createS3Objects(options)
    const failure: unknown = await store.get(sha256Of(patterned(10))).catch((error: unknown) => error)
    let logged = ''
    const log = createLog({
      level: 'info',
      process: 'test',
      destination: { write: (line) => (logged += line) },
    })
    log.error({ err: failure, store, options }, 'failed')
    const shown = [store, failure, options].map((value) =>
      inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    )
    expect(failure).toMatchObject(UNAVAILABLE)
    expect(logged).toContain('SignatureDoesNotMatch')
    expect([...shown, logged, JSON.stringify(failure)].join('\n')).not.toContain(secret)
  })

  test('[K-635] a byte that changes on the way is refused by the store', async () => {
    const { radosgw, client } = started()
    const bytes = Buffer.concat([patterned(100_000), Buffer.from('fragile'), patterned(MIB)])
    const change = (chunk: Buffer) => {
      const at = chunk.indexOf('fragile')
      return at < 0
        ? chunk
        : Buffer.concat([chunk.subarray(0, at), Buffer.from('FRAGILE'), chunk.subarray(at + 7)])
    }
    await using relay = await startRelay(radosgw.endpoint, { request: change })
    await using folder = await temporaryFolder()
    const options = s3Options(radosgw, folder.path)
    await using store = await createS3Objects({ ...options, endpoint: relay.endpoint })
    await expect(store.put(inChunks(bytes))).rejects.toMatchObject(UNAVAILABLE)
    expect(await keysBelow(client, options.prefix)).toEqual([])
    const sound = Buffer.from('nothing of that kind')
    const { sha256 } = await store.put(inChunks(sound))
    const content = await store.get(sha256)
    expect(sound.equals(await collect(found(content).stream))).toBe(true)
  })

  test('[K-637] an upload under way has no name in the spool folder', async () => {
    await using folder = await temporaryFolder()
    await using store = await createS3Objects(s3Options(started().radosgw, folder.path))
    const { source, started: hanging } = hangingAfter(patterned(3 * MIB))
    const controller = new AbortController()
    const put = store.put(source, { signal: controller.signal })
    await hanging
    expect(await readdir(folder.path)).toEqual([])
    controller.abort(new Error('enough'))
    await expect(put).rejects.toThrow('enough')
  })
})
