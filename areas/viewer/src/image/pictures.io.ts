import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PreparedPictures, PreparePictures } from '../ports.ts'
import { BEGUN, type PictureAnswer, type PictureOrder, resultOf } from './process-messages.ts'
import { CUT_OFF, NOT_STARTED, refused, TOO_LONG } from './refused.ts'

export interface PictureOptions {
  /** How long one picture may take before its process is ended. */
  readonly deadlineMs?: number
  /** How long the process is kept when there is nothing to do. */
  readonly idleMs?: number
  /** What runs the process; the same Node as here unless told. */
  readonly program?: string
}

export type Pictures = PreparePictures & AsyncDisposable

const DEADLINE_MS = 90_000
const IDLE_MS = 60_000
/** Above this a process has kept too much of earlier pictures: together with the largest one it would exceed 512 MiB. */
const TIRED_BYTES = 176 * 1024 * 1024
// Beside this file, in the checkout and as it is built.
const ENTRY = fileURLToPath(new URL(`./picture-process.io${extname(import.meta.url)}`, import.meta.url))
/**
 * glibc keeps what was freed, for each thread, and does not give it back: a dozen large pictures in a row leave a gigabyte.
 * From this size on memory is handed back as soon as it is free; other systems do not look at these.
 */
const MEMORY_IS_GIVEN_BACK = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '524288',
  MALLOC_TRIM_THRESHOLD_: '524288',
}

/**
 * Prepares pictures one after the other, in the order they came, in a process of their own; each uses two cores. Whoever
 * calls bounds how many wait.
 */
export function createPictures({
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  program = process.execPath,
}: PictureOptions = {}): Pictures {
  let child: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  function start(): ChildProcess {
    const started = fork(ENTRY, [], {
      execPath: program,
      // Nothing of ours: the process that reads strangers' files needs no keys.
      env: MEMORY_IS_GIVEN_BACK,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const forget = () => {
      if (child === started) child = undefined
    }
    // A machine that has no room for another process says so here; heard by nobody, it would end the viewer.
    started.once('exit', forget).on('error', forget)
    return started
  }

  async function stop(): Promise<void> {
    clearTimeout(idle)
    const stopped = child
    child = undefined
    if (stopped?.pid === undefined || stopped.exitCode !== null || stopped.signalCode !== null) return
    stopped.ref()
    stopped.kill('SIGKILL')
    await once(stopped, 'exit')
  }

  async function prepareNext(order: PictureOrder): Promise<PreparedPictures> {
    clearTimeout(idle)
    try {
      const answer = await askOnce(order)
      if (answer.residentBytes > TIRED_BYTES) await stop()
      return resultOf(answer)
    } catch (error) {
      if (error instanceof Unanswered) await stop()
      await Promise.all([order.into.optimized, order.into.original].map((path) => rm(path, { force: true })))
      throw error instanceof Unanswered ? refused(error.message) : error
    } finally {
      idle = setTimeout(() => void stop(), idleMs).unref()
    }
  }

  /** A process that has ended while it had nothing to do may not be known to be gone: another one is asked then. */
  async function askOnce(order: PictureOrder): Promise<PictureAnswer> {
    child ??= start()
    try {
      return await ask(child, order, deadlineMs)
    } catch (error) {
      if (!(error instanceof NotBegun)) throw error
      await stop()
      child = start()
      return await ask(child, order, deadlineMs)
    }
  }

  const prepare: PreparePictures = (incoming, into) => {
    const result = last.then(() => prepareNext({ incoming, into }))
    last = result.catch(() => undefined)
    return result
  }
  const dispose = async () => {
    await last
    await stop()
  }
  return Object.assign(prepare, { [Symbol.asyncDispose]: dispose })
}

/** The process ended, or had to be ended, before it said anything. */
class Unanswered extends Error {}
/** It ended before it looked at the picture, which is therefore not at fault. */
class NotBegun extends Unanswered {}

function ask(child: ChildProcess, order: PictureOrder, deadlineMs: number): Promise<PictureAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PictureAnswer>()
  let hasBegun = false
  const onMessage = (message: unknown) => {
    if (message === BEGUN) hasBegun = true
    else resolve(message as PictureAnswer)
  }
  const onExit = () => reject(hasBegun ? new Unanswered(CUT_OFF) : new NotBegun(CUT_OFF))
  const onError = () => reject(new Unanswered(NOT_STARTED))
  const deadline = setTimeout(() => reject(new Unanswered(TOO_LONG)), deadlineMs)
  child.on('message', onMessage).once('exit', onExit).once('error', onError)
  // Only while there is something to wait for may the process keep ours from ending.
  child.ref()
  child.channel?.ref()
  child.send(order, (error) => {
    if (error !== null) reject(child.pid === undefined ? new Unanswered(NOT_STARTED) : new NotBegun(CUT_OFF))
  })
  return promise.finally(() => {
    clearTimeout(deadline)
    child.off('message', onMessage).off('exit', onExit).off('error', onError)
    child.unref()
    child.channel?.unref()
  })
}
