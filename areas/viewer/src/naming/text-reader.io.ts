import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReadLine } from './heading.ts'
import type { ReadReply, ReadRequest } from './reading.ts'
import { untilAborted } from './until-aborted.ts'

/** Reads letters in pictures, one picture at a time, in a thread that is there only while there is work. */
export interface TextReader extends AsyncDisposable {
  /** Rejects when the thread ends or cannot read it, and with the signal's reason when that is aborted. */
  read(request: ReadRequest, signal: AbortSignal): Promise<readonly ReadLine[]>
  /** The thread, if there is one. */
  readonly threadId: number | undefined
}

const SCRIPT = new URL(`./read-text.worker.io${extname(import.meta.url)}`, import.meta.url)

export function createTextReader({ idleMs, script = SCRIPT }: { idleMs: number; script?: URL }): TextReader {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let ended: Promise<unknown> = Promise.resolve()

  function openWorker(): Worker {
    const opened = new Worker(script, {
      name: 'viewer-text-reader',
      // Keys for models are in the environment; pictures of strangers are read here.
      env: {},
      // Standard output may be the wire to an agent. Not read either: that would keep the process alive.
      stdout: true,
      stderr: true,
    })
    // Listened to for as long as it lives: an end that nobody listens for ends the viewer.
    opened.on('error', () => {})
    opened.once('exit', () => {
      if (worker === opened) worker = undefined
    })
    return opened
  }

  async function closeWorker(): Promise<void> {
    clearTimeout(idle)
    ended = worker?.terminate() ?? ended
    worker = undefined
    await ended
  }

  async function exchange(on: Worker, request: ReadRequest, signal: AbortSignal): Promise<ReadReply> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadReply>()
    const fail = () => reject(new Error('the thread ended'))
    on.once('message', resolve).once('exit', fail)
    on.postMessage(request, [request.image.buffer])
    try {
      return await untilAborted(promise, signal)
    } finally {
      on.off('message', resolve).off('exit', fail)
    }
  }

  return {
    get threadId() {
      return worker?.threadId
    },
    async read(request, signal) {
      clearTimeout(idle)
      worker ??= openWorker()
      const on = worker
      on.ref()
      try {
        const reply = await exchange(on, request, signal)
        if ('failed' in reply) throw new Error('the picture could not be read')
        on.unref()
        idle = setTimeout(() => void closeWorker(), idleMs).unref()
        return reply.lines
      } catch (error) {
        // It cannot be interrupted, and after a failure its memory is not to be trusted.
        await closeWorker()
        throw error
      }
    },
    [Symbol.asyncDispose]: closeWorker,
  }
}
