import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from './errors.ts'
import type { ObjectContent, ObjectPart, ObjectStat, SignedAnswer } from './ports.ts'
import { createClient, loadSdk, loadSigner, type S3Connection } from './s3-client.ts'

export interface BucketOptions extends S3Connection {
  readonly bucket: string
  readonly deadlineMs: number
}

export interface BucketUpload {
  readonly file: FileHandle
  readonly size: number
  readonly sha256: string
  readonly signal?: AbortSignal | undefined
}

export interface BucketPage {
  readonly items: readonly (ObjectStat & { readonly key: string })[]
  readonly more: boolean
}

const UPLOAD_ATTEMPTS = 3
const UPLOAD_PAUSE_MS = 200
const READ_BYTES = 256 * 1024

/** One bucket, one function per request. Each ends within the deadline, unless bytes keep moving. */
export async function openBucket({ bucket: Bucket, deadlineMs, ...connection }: BucketOptions) {
  const sdk = await loadSdk()
  const client = createClient(sdk, connection, deadlineMs)
  const ask = <T>(call: (options: { abortSignal: AbortSignal }) => Promise<T>, signal?: AbortSignal) =>
    withDeadline(deadlineMs, signal, (deadline) => call({ abortSignal: deadline.signal }))

  const statusOf = (error: unknown) =>
    error instanceof sdk.S3ServiceException ? error.$metadata.httpStatusCode : undefined

  const unlessMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
    try {
      return await call
    } catch (error) {
      if (statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket') return undefined
      throw error
    }
  }

  const send = async (Key: string, { file, size, sha256 }: BucketUpload, deadline: Deadline) => {
    const Body = Readable.from(readFrom(file, deadline.moved), { objectMode: false })
    Body.on('error', deadline.fail)
    const command = new sdk.PutObjectCommand({ Bucket, Key, Body, ContentLength: size })
    // Signed with the request: the store itself refuses bytes that changed on the way.
    command.middlewareStack.add(
      (next) => (args) => {
        if (isWithHeaders(args.request)) args.request.headers['x-amz-content-sha256'] = sha256
        return next(args)
      },
      { step: 'build' },
    )
    try {
      await client.send(command, { abortSignal: deadline.signal, requestTimeout: 0 })
    } finally {
      Body.destroy()
    }
  }

  return {
    /** `undefined` also when the bucket is missing: the answer to a HEAD does not tell. */
    head: (Key: string, signal?: AbortSignal): Promise<ObjectStat | undefined> =>
      ask(async (options) => {
        const answer = await unlessMissing(client.send(new sdk.HeadObjectCommand({ Bucket, Key }), options))
        return answer && statOf(answer.ContentLength, answer.LastModified)
      }, signal),

    download: (Key: string, signal?: AbortSignal, part?: ObjectPart): Promise<ObjectContent | undefined> =>
      ask(async (options) => {
        const range = part === undefined ? {} : { Range: `bytes=${part.first}-${part.last}` }
        const command = new sdk.GetObjectCommand({ Bucket, Key, ...range })
        const answer = await unlessMissing(client.send(command, options))
        if (answer === undefined) return undefined
        const { size } = statOf(answer.ContentLength, answer.LastModified)
        if (!(answer.Body instanceof Readable)) throw new Error('an answer without a body')
        return { size, stream: answer.Body }
      }, signal),

    /** Whoever has the address needs nothing else to read the object. */
    sign: async (Key: string, answer: SignedAnswer): Promise<string> => {
      const { getSignedUrl } = await loadSigner()
      const command = new sdk.GetObjectCommand({
        Bucket,
        Key,
        ResponseContentType: answer.contentType,
        ResponseContentDisposition: answer.contentDisposition,
        ResponseCacheControl: answer.cacheControl,
      })
      return await getSignedUrl(client, command, { expiresIn: answer.seconds, signingDate: answer.now })
    },

    /** The client does not repeat a stream by itself. */
    upload: (key: string, upload: BucketUpload): Promise<void> =>
      withDeadline(deadlineMs, upload.signal, async (deadline) => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await send(key, upload, deadline)
          } catch (error) {
            if (attempt === UPLOAD_ATTEMPTS || deadline.signal.aborted || !isPassing(statusOf(error)))
              throw error
          }
          await sleep(UPLOAD_PAUSE_MS * attempt, undefined, { signal: deadline.signal })
        }
      }),

    remove: (Key: string): Promise<unknown> =>
      ask((options) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), options)),

    list: (Prefix: string, after: string | undefined, MaxKeys: number): Promise<BucketPage> =>
      ask(async (options) => {
        const command = new sdk.ListObjectsV2Command({ Bucket, Prefix, MaxKeys, StartAfter: after })
        const { Contents = [], IsTruncated: more = false } = await client.send(command, options)
        return {
          items: Contents.map((item) => ({ key: item.Key ?? '', ...statOf(item.Size, item.LastModified) })),
          more,
        }
      }),

    ping: async (): Promise<void> => {
      await ask((options) => client.send(new sdk.HeadBucketCommand({ Bucket }), options))
    },

    close: () => client.destroy(),
  }
}

/** In whole seconds: a listing knows the rest, a HEAD does not, and one object must not have two dates. */
function statOf(size: number | undefined, date: Date | undefined): ObjectStat {
  if (size === undefined || date === undefined) throw new Error('an answer without size or date')
  return { size, storedAt: new Date(Math.floor(date.getTime() / 1000) * 1000) }
}

/** Unlike the file's own stream, it leaves the file open when it is destroyed: another attempt may follow. */
async function* readFrom(file: FileHandle, onRead: () => void): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    onRead()
    yield buffer.subarray(0, bytesRead)
  }
}

/** No status: no answer came. */
function isPassing(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500
}

function isWithHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request
}

interface Deadline {
  readonly signal: AbortSignal
  /** Something moved: the time starts again. */
  readonly moved: () => void
  readonly fail: (error: Error) => void
}

/** Runs a call to S3 until it settles, stands still for `ms`, or its caller aborts; the last rejects with the signal's reason. */
async function withDeadline<T>(
  ms: number,
  caller: AbortSignal | undefined,
  call: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted()
  const controller = new AbortController()
  const fail = (error: Error) => controller.abort(error)
  const timer = setTimeout(() => fail(new Error(`nothing moved for ${ms} ms`)), ms)
  const onAbort = () => fail(new Error('aborted by the caller'))
  caller?.addEventListener('abort', onAbort, { once: true })
  try {
    return await call({ signal: controller.signal, moved: () => timer.refresh(), fail })
  } catch (error) {
    caller?.throwIfAborted()
    throw unavailable(controller.signal.aborted ? controller.signal.reason : error)
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', onAbort)
  }
}
