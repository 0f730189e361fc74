import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { pathOfFile } from './address.ts'
import type { Answer, Request } from './answer.ts'
import { Deadline } from './deadline.ts'
import { RepositoryFailure } from './failure.ts'
import type { ClientLimits } from './limits.ts'

const CHUNK_BYTES = 256 * 1024

/** A file of this machine or of a network disk, which can be as silent as a server. */
export async function openFile(
  { url, signal, deadlineMs }: Request,
  { idleMs }: Pick<ClientLimits, 'idleMs'>,
): Promise<Answer> {
  const path = pathOfFile(url)
  const patience = new Deadline({ idleMs, deadlineMs }, signal)
  try {
    const { file, size } = await untilAborted(openPlainFile(path, url.href), patience.signal)
    return {
      isNotModified: false,
      from: 0,
      status: 200,
      url,
      redirects: 0,
      validators: {},
      contentType: undefined,
      length: size,
      body: readBody(file, path, url.href, patience),
      async close() {
        patience[Symbol.dispose]()
        await file.close()
      },
    }
  } catch (error) {
    patience[Symbol.dispose]()
    throw patience.explain(error, 'unreachable', url.href)
  }
}

async function* readBody(
  file: FileHandle,
  path: string,
  url: string,
  patience: Deadline,
): AsyncGenerator<Uint8Array> {
  patience.listen()
  const stream = createReadStream(path, { fd: file, highWaterMark: CHUNK_BYTES, signal: patience.signal })
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      patience.rest()
      yield chunk
      patience.listen()
    }
  } catch (error) {
    throw patience.explain(error, 'interrupted', url)
  } finally {
    patience[Symbol.dispose]()
  }
}

/** Looked at before it is opened, and opened without waiting: a pipe would wait for somebody who writes. */
async function openPlainFile(path: string, url: string): Promise<{ file: FileHandle; size: number }> {
  try {
    if ((await stat(path)).isFile()) {
      const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      const stats = await file.stat()
      if (stats.isFile()) return { file, size: stats.size }
      await file.close()
    }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const code = isMissing ? 'not_found' : 'unreachable'
    throw new RepositoryFailure(code, 'check that the file is there and can be read', { url, cause: error })
  }
  throw new RepositoryFailure('not_found', 'it is a folder or a device, not a file', { url })
}

/** A disk that hangs ends no call; whoever waits for it does not have to. What it opens too late is closed. */
async function untilAborted<T extends { readonly file: FileHandle }>(
  opening: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason)
  })
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([opening, aborted])
  } catch (error) {
    opening.then(({ file }) => file.close()).catch(() => undefined)
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
