import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type ReadyHead, writeReadyHead } from './ready-answers.ts'

/** A file that is open. */
export interface FileBody {
  /** How many bytes from this position on are in `into` now; 0 at the end. */
  read(into: Buffer, position: number): Promise<number>
  close(): Promise<void>
}

export interface FilePart {
  readonly first: number
  readonly last: number
}

/** Two of them for each client: one is filled while the other is sent. */
const BUFFER_BYTES = 128 * 1024
/** For how long a client may take nothing: longer than networks change, shorter than files can be held open by strangers. */
const STALL_MS = 60_000

/**
 * Sends a part of a file and closes it. A stream would allocate each chunk anew, which takes longer than sending it. The
 * length is in the head: a file that ends too early cuts the connection, so that nobody takes it for whole.
 */
export async function sendFile(
  reply: FastifyReply,
  head: ReadyHead,
  file: FileBody,
  part: FilePart,
  stallMs = STALL_MS,
): Promise<undefined> {
  const { raw } = reply
  try {
    if (reply.sent) return
    writeReadyHead(reply, head)
    raw.setTimeout(stallMs, () => raw.destroy())
    if (reply.request.method !== 'HEAD') await pump(raw, file, part)
    raw.end()
  } catch {
    raw.destroy()
  } finally {
    await file.close()
  }
}

async function pump(raw: ServerResponse, file: FileBody, { first, last }: FilePart): Promise<void> {
  const gone = new Promise<never>((_, reject) => {
    raw.once('close', () => reject(new Error('the client is gone')))
  })
  // It closes in the end too, when nobody waits.
  gone.catch(() => undefined)
  let [filling, sending] = [Buffer.allocUnsafeSlow(BUFFER_BYTES), Buffer.allocUnsafeSlow(BUFFER_BYTES)]
  let sent: Promise<void> = Promise.resolve()
  for (let position = first; position <= last; ) {
    const wanted = Math.min(BUFFER_BYTES, last - position + 1)
    const count = await file.read(filling.subarray(0, wanted), position)
    if (count === 0) throw new Error('the file is shorter than its length')
    await Promise.race([sent, gone])
    sent = write(raw, filling.subarray(0, count))
    // It is waited for after the next read; until then a failure must not count as unheard.
    sent.catch(() => undefined)
    ;[filling, sending] = [sending, filling]
    position += count
  }
  await Promise.race([sent, gone])
}

function write(raw: ServerResponse, bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  raw.write(bytes, (error) => {
    if (error) reject(error)
    else resolve()
  })
  return promise
}
