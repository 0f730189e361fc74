import { mkdir, unlink } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { ObjectCorrupt, onEngine } from './errors.ts'
import { openTemporary } from './file-temporary.ts'
import { checkExpectation, receive } from './intake.ts'
import { checkListOptions, isObjectName, MAX_PAGE, pageOf, requireName } from './object-name.ts'
import type { ListedObject, ObjectStore } from './ports.ts'
import { openBucket } from './s3-bucket.ts'
import type { S3Connection } from './s3-client.ts'
import { ofLength, verified } from './verified-stream.ts'

export interface S3ObjectsOptions extends S3Connection {
  readonly bucket: string
  /** Put before every key, as it is: `team/` and not `team`. */
  readonly prefix?: string
  /** Room for the uploads that are under way: an object's key is known only when its last byte is. */
  readonly spoolDir: string
  /** How long the store may leave us without an answer, or a transfer without a byte. */
  readonly deadlineMs?: number
}

const DEADLINE_MS = 10_000

/** Objects are `<prefix>sha256/ab/<sha256>`. Needs to list the bucket and to get, put and delete its objects. */
export async function createS3Objects({
  prefix = '',
  spoolDir,
  deadlineMs = DEADLINE_MS,
  ...connection
}: S3ObjectsOptions): Promise<ObjectStore> {
  await onEngine(mkdir(spoolDir, { recursive: true, mode: 0o700 }))
  const bucket = await openBucket({ ...connection, deadlineMs })
  const folder = `${prefix}sha256/`
  const keyOf = (sha256: string) => `${folder}${sha256.slice(0, 2)}/${sha256}`

  /** A bucket that is gone is not an empty one, and a HEAD answers the same for both. */
  const stat = async (sha256: string) => {
    if (!isObjectName(sha256)) return undefined
    const found = await bucket.head(keyOf(sha256))
    if (found === undefined) await bucket.ping()
    return found
  }

  const list = async (after: string | undefined, count: number): Promise<ListedObject[]> => {
    const found: ListedObject[] = []
    let start = after === undefined ? undefined : keyOf(after)
    for (;;) {
      const { items, more } = await bucket.list(folder, start, Math.min(count, MAX_PAGE))
      for (const { key, ...object } of items) {
        const sha256 = key.slice(-64)
        if (isObjectName(sha256) && key === keyOf(sha256)) found.push({ sha256, ...object })
      }
      start = items.at(-1)?.key
      if (!more || start === undefined || found.length >= count) return found
    }
  }

  const get: ObjectStore['get'] = async (sha256, { signal } = {}) => {
    signal?.throwIfAborted()
    if (!isObjectName(sha256)) return undefined
    const found = await bucket.download(keyOf(sha256), signal)
    return (
      found && { size: found.size, stream: verified(found.stream, { sha256, signal, stallMs: deadlineMs }) }
    )
  }

  const close = async () => bucket.close()

  return {
    async put(source, options = {}) {
      checkExpectation(options)
      await using spool = await openTemporary(spoolDir, 0o600)
      // Nameless from here on: a killed process leaves nothing behind.
      await onEngine(unlink(spool.path))
      const { sha256, size } = await receive(source, spool.file, options)
      const key = keyOf(sha256)
      // A copy of another size is a broken one; it would outlive every repeated put.
      const created = (await bucket.head(key, options.signal))?.size !== size
      if (created) await bucket.upload(key, { file: spool.file, size, sha256, signal: options.signal })
      return { sha256, size, created }
    },
    get,
    async read(sha256, size) {
      const found = await get(sha256)
      if (found === undefined || found.size === size) return found && (await buffer(found.stream))
      found.stream.destroy()
      throw new ObjectCorrupt(sha256)
    },
    async getPart(sha256, part) {
      if (!isObjectName(sha256)) return undefined
      const found = await bucket.download(keyOf(sha256), undefined, part)
      return (
        found && { size: found.size, stream: ofLength(found.stream, part.last - part.first + 1, deadlineMs) }
      )
    },
    pathOf: (sha256) => keyOf(requireName(sha256)).slice(prefix.length),
    signAddress: (sha256, answer) => bucket.sign(keyOf(requireName(sha256)), answer),
    async list(options) {
      checkListOptions(options)
      return pageOf(await list(options.after, options.limit + 1), options.limit)
    },
    async delete(sha256) {
      if ((await stat(sha256)) === undefined) return false
      await bucket.remove(keyOf(sha256))
      return true
    },
    stat,
    ping: bucket.ping,
    close,
    [Symbol.asyncDispose]: close,
  }
}
