import { PassingFailure } from '../http/failure.ts'
import { sleep, throwIfAborted } from '../http/pause.ts'
import { readEvents, type StreamEnd } from './event-reader.ts'
import { askStatus, isOver, type Watch } from './watch.ts'

/** The server sends a comment every 15 s. When one failed to come, something in between holds them back. */
const BUFFERED_AFTER_MS = 20_000
/** Three comments failed to come on a stream that brought some before: nobody is at the other end. */
const DEAD_AFTER_MS = 46_000
/** The server also sends one at once: so long it may take before the status is asked for beside the stream. */
const FIRST_WITHIN_MS = 3_000
/** By the wall clock, looked at often: a machine that slept sees at once that its stream is from yesterday. */
const LOOK_EVERY_MS = 1_000
/** Streams that are cut sooner cost more than polls. */
const USEFUL_AFTER_MS = 10_000

interface Stream {
  readonly watch: Watch
  readonly signal: AbortSignal
  readonly openedAt: number
  heardAt: number | undefined
}

export interface Followed {
  readonly end: StreamEnd | { readonly kind: 'failed'; readonly failure: PassingFailure }
  /** It brought something and stood for a while: another one is worth opening. */
  readonly wasUseful: boolean
}

/** One stream, until it says how the login ended or is of no more use. Leaves no timer and no connection behind. */
export async function followStream(watch: Watch): Promise<Followed> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  watch.caller.signal?.addEventListener('abort', stop, { once: true })
  const openedAt = watch.surroundings.now()
  const stream: Stream = { watch, signal: controller.signal, openedAt, heardAt: undefined }
  try {
    const reading = readEvents(watch, controller.signal, () => {
      stream.heardAt = watch.surroundings.now()
    })
    const end = await Promise.race([reading, untilSilent(stream), pollWhileSilent(stream)])
    return { end, wasUseful: wasUseful(stream) }
  } catch (error) {
    throwIfAborted(watch.caller.signal)
    if (!(error instanceof PassingFailure)) throw error
    return { end: { kind: 'failed', failure: error }, wasUseful: wasUseful(stream) }
  } finally {
    controller.abort()
    watch.caller.signal?.removeEventListener('abort', stop)
  }
}

function wasUseful({ watch, openedAt, heardAt }: Stream): boolean {
  return heardAt !== undefined && watch.surroundings.now() - openedAt >= USEFUL_AFTER_MS
}

async function untilSilent(stream: Stream): Promise<StreamEnd> {
  const { watch, signal, openedAt } = stream
  while (!signal.aborted && !isOver(watch)) {
    await sleep(LOOK_EVERY_MS, signal)
    if (watch.surroundings.now() - (stream.heardAt ?? openedAt) > DEAD_AFTER_MS) break
  }
  return { kind: 'ended' }
}

/** A proxy that buffers answers at once and delivers late: while the stream is silent, the login does not rely on it. */
async function pollWhileSilent(stream: Stream): Promise<StreamEnd> {
  const { watch, signal, openedAt } = stream
  let hasAnswered = false
  while (!signal.aborted) {
    const isNew = stream.heardAt === undefined
    const silentFor = watch.surroundings.now() - (stream.heardAt ?? openedAt)
    if (silentFor < (isNew ? FIRST_WITHIN_MS : BUFFERED_AFTER_MS)) {
      await sleep(LOOK_EVERY_MS, signal)
      continue
    }
    try {
      const status = await askStatus(watch, signal)
      if (status.state === 'authenticated')
        return { kind: 'authenticated', sessionToken: status.sessionToken }
      hasAnswered = true
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error
    }
    // Polls arrive and the stream never did: it is the stream that is broken here.
    if (isNew && hasAnswered && silentFor > BUFFERED_AFTER_MS) return { kind: 'unavailable' }
    await sleep(watch.pollIntervalMs, signal)
  }
  return { kind: 'ended' }
}
