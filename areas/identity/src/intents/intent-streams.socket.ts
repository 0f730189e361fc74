import type { ServerResponse } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { eventText, PING, writeOrCut } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Caller } from './caller.ts'
import { findDecided } from './intent.store.ts'
import { tokenHashIn, wakeKey } from './intent.ts'
import { readStatus, type StatusDeps } from './status.store.ts'

const TICK_MS = 1_000
/** Streams are spread over so many ticks, so that pings come every 15 s and never all at once. */
const PING_TICKS = 15
/** What a lost wake-up costs. */
const SWEEP_MS = 2_000
const SWEEP_BATCH = 500
/** Streams that are looked at side by side: everybody is woken when the bus comes back. */
const SETTLE_BATCH = 20
/** One application watches with one stream, or a few while it reconnects. */
const MOST_PER_INTENT = 16

type StreamDeps = StatusDeps & Pick<IdentityDeps, 'wakeups' | 'log'>

export interface StreamRequest {
  readonly token: string
  readonly caller: Caller
  readonly response: ServerResponse
}

/** There may be very many: whatever is the same for two of them is not in here. */
export interface IntentStream extends StreamRequest {
  readonly watched: WatchedIntent
  readonly pingTick: number
  /** Set once its head is written. Before that nothing may be written to it. */
  expiresAtMs: number | undefined
  wasWokenEarly: boolean
}

/** The streams of one intent on this node share its subscription. */
interface WatchedIntent {
  readonly key: string
  streams: readonly IntentStream[]
  subscription: AsyncDisposable | undefined
}

/** Where a stream stands: open until a time, or ended by an event. */
export type Outlook =
  | { readonly opensUntil: Date }
  | { readonly opensUntil: undefined; readonly event: string; readonly data?: unknown }

/**
 * Every open stream of this node. One timer serves all of them: a timer, a promise and a query per stream would be most of
 * what a stream costs.
 */
export class IntentStreams {
  readonly #deps: StreamDeps
  readonly #watched = new Map<string, WatchedIntent>()
  readonly #due = new Set<IntentStream>()
  readonly #timers: readonly NodeJS.Timeout[]
  #tick = 0
  #nextPingTick = 0
  #isSettling = false
  #isClosed = false
  #isSweeping = false

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#timers = [
      setInterval(() => this.#onTick(), TICK_MS).unref(),
      setInterval(() => void this.#sweep(), SWEEP_MS).unref(),
    ]
  }

  /** Intents that are watched on this node. */
  get size(): number {
    return this.#watched.size
  }

  /** No stream is opened anymore: nobody would ever end it. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * Takes a stream in. The caller reads the state after this: whatever is decided from now on wakes it, and whatever was
   * decided before is in what it reads. `undefined`: the intent has as many streams as it may have.
   */
  async add(request: StreamRequest, tokenHash: Buffer): Promise<IntentStream | undefined> {
    const key = wakeKey(tokenHash)
    const known = this.#watched.get(key)
    if (known !== undefined && known.streams.length >= MOST_PER_INTENT) return undefined
    const watched: WatchedIntent = known ?? { key, streams: [], subscription: undefined }
    this.#nextPingTick = (this.#nextPingTick + 1) % PING_TICKS
    const { token, caller, response } = request
    const stream: IntentStream = {
      token,
      caller,
      response,
      watched,
      pingTick: this.#nextPingTick,
      expiresAtMs: undefined,
      wasWokenEarly: false,
    }
    watched.streams = [...watched.streams, stream]
    if (known === undefined) {
      this.#watched.set(key, watched)
      await this.#subscribe(watched)
    }
    return stream
  }

  /** Its head is written: from now on it gets pings and its end. */
  open(stream: IntentStream, until: Date): void {
    stream.expiresAtMs = until.getTime()
    if (stream.wasWokenEarly) this.#markDue([stream])
  }

  async remove(stream: IntentStream): Promise<void> {
    const { watched } = stream
    this.#due.delete(stream)
    watched.streams = watched.streams.filter((each) => each !== stream)
    if (watched.streams.length > 0 || this.#watched.get(watched.key) !== watched) return
    this.#watched.delete(watched.key)
    await watched.subscription?.[Symbol.asyncDispose]()
  }

  /** Ends every stream without an event: their clients ask another node. Those that are being opened find it closed. */
  close(): void {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const { streams } of this.#watched.values()) {
      for (const { response, expiresAtMs } of streams) if (expiresAtMs !== undefined) response.end()
    }
  }

  async #subscribe(watched: WatchedIntent): Promise<void> {
    try {
      const wake = () => this.#markDue(watched.streams)
      const subscription = await this.#deps.wakeups.watch(watched.key, wake)
      // Everybody may have left while the bus answered.
      if (this.#watched.get(watched.key) === watched) watched.subscription = subscription
      else await subscription[Symbol.asyncDispose]()
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'failed to subscribe to intent, relying on the sweep')
    }
  }

  #markDue(streams: Iterable<IntentStream>): void {
    for (const stream of streams) {
      if (stream.expiresAtMs === undefined) stream.wasWokenEarly = true
      else this.#due.add(stream)
    }
    if (!this.#isSettling) void this.#settle()
  }

  #onTick(): void {
    this.#tick = (this.#tick + 1) % PING_TICKS
    const now = this.#deps.clock.now().getTime()
    const expired: IntentStream[] = []
    for (const { streams } of this.#watched.values()) {
      for (const stream of streams) {
        if (stream.expiresAtMs === undefined) continue
        if (now >= stream.expiresAtMs) expired.push(stream)
        else if (stream.pingTick === this.#tick) writeOrCut(stream.response, PING)
      }
    }
    if (expired.length > 0) this.#markDue(expired)
  }

  /** Finds what no wake-up told. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    try {
      const all = [...this.#watched.values()]
      for (let start = 0; start < all.length; start += SWEEP_BATCH) {
        const batch = all.slice(start, start + SWEEP_BATCH)
        const decided = await findDecided(
          this.#deps.db,
          batch.map(({ key }) => tokenHashIn(key)),
        )
        for (const tokenHash of decided) {
          this.#markDue(this.#watched.get(wakeKey(tokenHash))?.streams ?? [])
        }
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'intent sweep failed, retrying')
    } finally {
      this.#isSweeping = false
    }
  }

  async #settle(): Promise<void> {
    this.#isSettling = true
    const failures: unknown[] = []
    try {
      while (this.#due.size > 0) {
        const batch = [...this.#due.values().take(SETTLE_BATCH)]
        for (const stream of batch) this.#due.delete(stream)
        await Promise.all(batch.map((stream) => this.#finishIfDecided(stream, failures)))
      }
    } finally {
      this.#isSettling = false
    }
    // One line for all: there may be thousands.
    const [err] = failures
    if (err !== undefined) this.#deps.log.warn({ err, streams: failures.length }, 'failed to read intents')
  }

  async #finishIfDecided(
    { token, caller, response, expiresAtMs = 0 }: IntentStream,
    failures: unknown[],
  ): Promise<void> {
    try {
      const outlook = await readOutlook(this.#deps, token, caller)
      if (outlook.opensUntil === undefined) finish(response, outlook)
    } catch (error) {
      // Whoever the session belongs to has it. The stream ends, and asking again tells this caller why.
      if (error instanceof Problem && GONE.has(error.code)) return void response.end()
      failures.push(error)
      // A database that is away comes back, and the next sweep tries again; but an expired stream would be tried forever.
      const mayPass = error instanceof Problem && this.#deps.clock.now().getTime() < expiresAtMs
      if (!mayPass) response.end()
    }
  }
}

const GONE: ReadonlySet<string> = new Set(['intent_consumed', 'intent_session_ended', 'intent_not_found'])

/** Where a stream stands. Refusals that are no event of a stream are thrown. */
export async function readOutlook(deps: StatusDeps, token: string, caller: Caller): Promise<Outlook> {
  try {
    const status = await readStatus(deps, token, caller)
    if (status.state === 'pending') return { opensUntil: status.expiresAt }
    return {
      opensUntil: undefined,
      event: 'authenticated',
      data: { session_token: status.sessionToken },
    }
  } catch (error) {
    const code = error instanceof Problem ? error.code : undefined
    if (code === 'intent_expired') return { opensUntil: undefined, event: 'timeout' }
    if (code === 'intent_declined') return { opensUntil: undefined, event: 'declined' }
    throw error
  }
}

export function finish(response: ServerResponse, { event, data }: { event: string; data?: unknown }): void {
  writeOrCut(response, eventText(event, data))
  response.end()
}
