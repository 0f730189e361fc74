import { Problem } from '@patchbay/contracts/core'
import { Semaphore, Signal } from '@patchbay/primitives/async'
import type { PasteFolder, StoredPaste } from '../ports.ts'
import { type Arrival, type ArrivalCursor, arrivedAfter, readArrivalCursor } from './order.ts'

export interface NextPasteQuery {
  readonly after?: string | undefined
  readonly waitMs: number
  readonly namingMs: number
}

export interface NextPaste {
  readonly paste: StoredPaste
  readonly cursor: string
}

const MOST_WAITING = 64
/** More than the folder lists. */
const MOST_KNOWN = 2_000
const ONE_DAY_MS = 24 * 60 * 60_000

/**
 * Who waits for the next paste. Every paste has a time of its own, later than all before it, so the time is a cursor that
 * means the same after a restart, and between two calls nothing is lost.
 */
export class Arrivals {
  readonly #folder: PasteFolder
  readonly #changed = new Signal()
  readonly #waiting = new Semaphore({
    total: MOST_WAITING,
    refuse: () => new Problem('too_many_waiting'),
  })
  readonly #closing = new AbortController()
  /** Oldest first. The folder itself is not asked for all of it each time that somebody looks. */
  readonly #known: Arrival[]

  constructor(folder: PasteFolder, now: Date) {
    this.#folder = folder
    this.#known = folder
      .list()
      .map(({ id, createdAt }) => ({ id, time: createdAt.getTime() }))
      // Of a time when the clock was far ahead there may be later ones: they must not date everything that follows.
      .filter(({ time }) => time <= now.getTime() + ONE_DAY_MS)
      .toReversed()
  }

  get latest(): ArrivalCursor {
    return this.#known.at(-1)?.time ?? 0
  }

  /** Adds one, at a time that no paste has. Not to be called again before it has settled. */
  async note(add: (createdAt: Date) => Promise<StoredPaste>, now: Date): Promise<StoredPaste> {
    const time = Math.max(now.getTime(), this.latest + 1)
    const paste = await add(new Date(time))
    this.#known.push({ id: paste.id, time })
    if (this.#known.length > MOST_KNOWN) this.#known.shift()
    return paste
  }

  /** Something has changed: whoever waits looks again. */
  look(): void {
    this.#changed.notify()
  }

  async next(query: NextPasteQuery, signal: AbortSignal): Promise<NextPaste | undefined> {
    const cursor = query.after === undefined ? this.latest : readArrivalCursor(query.after)
    using _permit = this.#waiting.acquireNow()
    return await this.#wait(cursor, query, AbortSignal.any([signal, this.#closing.signal]))
  }

  close(): void {
    this.#closing.abort()
  }

  async #wait(
    cursor: ArrivalCursor,
    { waitMs, namingMs }: NextPasteQuery,
    signal: AbortSignal,
  ): Promise<NextPaste | undefined> {
    const begunAt = performance.now()
    let seenAt: number | undefined
    for (;;) {
      const paste = this.#firstAfter(cursor)
      if (paste !== undefined) seenAt ??= performance.now()
      const leftMs =
        paste === undefined || seenAt === undefined
          ? begunAt + waitMs - performance.now()
          : seenAt + namingMs - performance.now()
      if (paste !== undefined && (!paste.isNaming || leftMs <= 0))
        return { paste, cursor: String(paste.createdAt.getTime()) }
      if (signal.aborted) throw new Problem('shutting_down')
      if (leftMs <= 0) return undefined
      await this.#changed.wait(leftMs, signal)
    }
  }

  #firstAfter(cursor: ArrivalCursor): StoredPaste | undefined {
    for (const { id } of arrivedAfter(this.#known, cursor)) {
      const paste = this.#folder.find(id)
      if (paste !== undefined) return paste
    }
    return undefined
  }
}
