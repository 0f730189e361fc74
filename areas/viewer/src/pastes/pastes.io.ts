import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '@patchbay/contracts/core'
import type { Log } from '@patchbay/kernel/log'
import { Semaphore, type SemaphoreRefusal } from '@patchbay/primitives/async'
import { explain } from '../files/folder-fault.ts'
import type { Naming, NewPaste, PasteFolder, PreparePictures, Stage, StoredPaste } from '../ports.ts'
import type { ViewerCounts } from '../viewer-metrics.ts'
import { Arrivals, type NextPaste, type NextPasteQuery } from './arrivals.io.ts'
import { NamingQueue } from './naming-queue.io.ts'
import { type ArrivalCursor, type PastePage, pageAfter } from './order.ts'

export interface PastesDeps {
  readonly folder: PasteFolder
  readonly preparePictures: PreparePictures
  readonly naming: Naming
  readonly log: Log
  readonly now: () => Date
  readonly count: ViewerCounts
}

export type PasteEvent =
  | { readonly type: 'paste'; readonly paste: StoredPaste }
  | { readonly type: 'deleted'; readonly id: string }

/** What the sender says of a picture. */
export interface PasteLabels {
  readonly title: string | undefined
  readonly fileName: string | undefined
}

const UPLOADS = { total: 4, maxWaiting: 32, timeoutMs: 60_000 }
const RETRY_AFTER_SECONDS = 5

/** Takes pictures in, has them named, and tells what happens to them. */
export class Pastes {
  readonly #deps: PastesDeps
  readonly #uploads = new Semaphore({ ...UPLOADS, refuse: refuseUpload })
  readonly #desk: NamingQueue
  readonly #arrivals: Arrivals
  readonly #listeners = new Set<(event: PasteEvent) => void>()
  /** Pastes are added one after the other: the order of their times is the order in which they are seen. */
  #adding: Promise<unknown> = Promise.resolve()

  constructor(deps: PastesDeps) {
    this.#deps = deps
    const { folder, naming, log, now, count } = deps
    this.#arrivals = new Arrivals(folder, now())
    this.#desk = new NamingQueue({
      folder,
      naming,
      log,
      ended: (paste, by) => {
        count.naming(by)
        this.#tell({ type: 'paste', paste })
      },
    })
    for (const { id, isNaming } of folder.list()) if (isNaming) this.#desk.add(id)
  }

  onEvent(listener: (event: PasteEvent) => void): void {
    this.#listeners.add(listener)
  }

  /** Where waiting for the next paste begins. */
  get cursor(): ArrivalCursor {
    return this.#arrivals.latest
  }

  async save(upload: AsyncIterable<Uint8Array>, labels: PasteLabels): Promise<StoredPaste> {
    return await this.#uploads.run(async () => {
      const stage = await this.#deps.folder.stage()
      try {
        const paste = await this.#keep(stage, upload, labels)
        this.#deps.count.upload('saved')
        return paste
      } catch (error) {
        await stage.discard()
        this.#deps.count.upload(error instanceof Problem && error.status < 500 ? 'refused' : 'failed')
        throw error
      }
    })
  }

  find(id: string): StoredPaste {
    const paste = this.#deps.folder.find(id)
    if (paste === undefined) throw new Problem('paste_not_found')
    return paste
  }

  list(cursor: string | undefined, limit: number): PastePage {
    return pageAfter(this.#deps.folder.list(), cursor, limit)
  }

  next(query: NextPasteQuery, signal: AbortSignal): Promise<NextPaste | undefined> {
    return this.#arrivals.next(query, signal)
  }

  async rename(id: string, name: string): Promise<StoredPaste> {
    return this.#decided(await this.#deps.folder.rename(id, name, 'person'))
  }

  async undo(id: string): Promise<StoredPaste> {
    return this.#decided(await this.#deps.folder.undo(id))
  }

  async remove(id: string): Promise<void> {
    await this.#deps.folder.remove(id)
    this.#desk.cancel(id)
    this.#tell({ type: 'deleted', id })
  }

  /** Nobody waits any longer, and nothing new is taken in. */
  close(): void {
    this.#uploads.close()
    this.#arrivals.close()
  }

  async stop(): Promise<void> {
    this.close()
    await this.#desk.stop()
    await this.#adding
  }

  async #keep(
    stage: Stage,
    upload: AsyncIterable<Uint8Array>,
    { title, fileName }: PasteLabels,
  ): Promise<StoredPaste> {
    const { preparePictures, naming } = this.#deps
    await writeTo(stage.incoming, upload)
    const pictures = await preparePictures(stage.incoming, stage)
    const paste = await this.#add(stage, { title, fileName, pictures, isNaming: naming.kind !== 'off' })
    this.#tell({ type: 'paste', paste })
    if (paste.isNaming) this.#desk.add(paste.id)
    return paste
  }

  async #add(stage: Stage, paste: Omit<NewPaste, 'createdAt'>): Promise<StoredPaste> {
    const { folder, now } = this.#deps
    const added = this.#adding.then(() =>
      this.#arrivals.note((createdAt) => folder.add(stage, { ...paste, createdAt }), now()),
    )
    this.#adding = added.catch(() => undefined)
    return await added
  }

  /** A person has said what the paste is called, or brought back one that was still to be named. */
  #decided(paste: StoredPaste): StoredPaste {
    if (paste.isNaming) this.#desk.add(paste.id)
    else this.#desk.cancel(paste.id)
    this.#tell({ type: 'paste', paste })
    return paste
  }

  #tell(event: PasteEvent): void {
    this.#arrivals.look()
    for (const listener of this.#listeners) listener(event)
  }
}

/** Piece by piece, as fast as the disk takes it. */
async function writeTo(path: string, upload: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(Readable.from(upload), createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    throw explain(error)
  }
}

function refuseUpload(reason: SemaphoreRefusal): Problem {
  if (reason === 'closed') return new Problem('shutting_down')
  return new Problem('too_many_uploads', {
    detail: `Try again in ${RETRY_AFTER_SECONDS} s.`,
    extensions: { retry_after_seconds: RETRY_AFTER_SECONDS },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
