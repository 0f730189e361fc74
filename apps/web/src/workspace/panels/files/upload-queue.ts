import { pathFault } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { FILE_LIMITS } from '@patchbay/contracts/limits'
import { adviseOn } from '../../../errors/advice.ts'
import type { FailureText } from '../../../errors/failure.ts'
import { createValueStore, type ValueStore } from '../../../parts/value-store.ts'
import type { Writing } from '../parts/files.api.ts'
import { explain, isChangedMeanwhile } from './explain.ts'
import { joinPath } from './file-tree.ts'
import type { PickedFile } from './picked-files.ts'
import { words } from './words.ts'

export type UploadState =
  | { readonly step: 'waiting' }
  | { readonly step: 'sending'; readonly percent: number }
  /** All is sent; the answer is due. */
  | { readonly step: 'saving' }
  /** There is a file already. `wasKnown`: it was there when this one was picked, otherwise somebody was faster. */
  | { readonly step: 'taken'; readonly revision: number; readonly wasKnown: boolean }
  | { readonly step: 'failed'; readonly why: FailureText; readonly mayRetry: boolean }

/** A file on its way from this computer into the workspace. */
export interface Upload {
  readonly id: number
  readonly path: string
  readonly state: UploadState
}

export interface Uploads {
  /** In the order in which they came; what is done is gone from it. */
  readonly list: readonly Upload[]
  /** Of those that were in the list since it was last empty. */
  readonly done: number
}

export interface UploadQueueDeps {
  readonly send: (path: string, file: File, options: Writing) => Promise<unknown>
  /** After each that was stored. */
  readonly onStored: () => void
  /** Once the list is empty again, with how many were stored. */
  readonly onDone: (stored: number) => void
}

/** More at once would not be faster, and leave nothing for the rest of the page: browsers have six connections to a server. */
const AT_ONCE = 3
const NOTHING: Uploads = { list: [], done: 0 }

/** The files that this page has taken in. Each is stored on its own, if there is none yet or the person says so. */
export class UploadQueue {
  readonly uploads: ValueStore<Uploads> = createValueStore(NOTHING)
  readonly #deps: UploadQueueDeps
  readonly #files = new Map<number, { readonly file: File; readonly revision?: number | undefined }>()
  readonly #sending = new Map<number, AbortController>()
  #lastId = 0

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps
  }

  get isUnderWay(): boolean {
    return this.#sending.size > 0
  }

  /** With the files that this page knows of. Answers how many there was no room for. */
  add(
    folder: string,
    picked: readonly PickedFile[],
    known: ReadonlyMap<string, { readonly revision: number }>,
  ): number {
    const room = Math.max(0, FILE_LIMITS.files - this.uploads.get().list.length)
    const taken = picked.slice(0, room).map(({ path, file }) => {
      const whole = joinPath(folder, path).normalize('NFC')
      return this.#take(whole, file, known.get(whole)?.revision)
    })
    const { list, done } = this.uploads.get()
    this.uploads.set({ list: [...list, ...taken], done })
    this.#fill()
    return picked.length - taken.length
  }

  /** Takes them out of the list, and ends those that are under way. */
  drop(ids: readonly number[]): void {
    for (const id of ids) this.#sending.get(id)?.abort()
    this.#forget(ids)
    this.#fill()
  }

  retry(id: number): void {
    if (this.#files.has(id)) this.#set(id, { step: 'waiting' })
    this.#fill()
  }

  /** Replaces the files that the person was told about, and no newer ones. */
  overwrite(ids: readonly number[]): void {
    const chosen = new Set(ids)
    const { list, done } = this.uploads.get()
    const next = list.map((upload): Upload => {
      const { id, state } = upload
      const kept = this.#files.get(id)
      if (state.step !== 'taken' || kept === undefined || !chosen.has(id)) return upload
      this.#files.set(id, { ...kept, revision: state.revision })
      return { ...upload, state: { step: 'waiting' } }
    })
    this.uploads.set({ list: next, done })
    this.#fill()
  }

  #take(path: string, file: File, revision: number | undefined): Upload {
    this.#lastId += 1
    const id = this.#lastId
    const fault = faultOf(path, file)
    if (fault !== undefined) return { id, path, state: { step: 'failed', why: fault, mayRetry: false } }
    this.#files.set(id, { file })
    // Asked before anything is sent: it would come to the same, a hundred megabytes later.
    const state: UploadState =
      revision === undefined ? { step: 'waiting' } : { step: 'taken', revision, wasKnown: true }
    return { id, path, state }
  }

  #fill(): void {
    const waiting = this.uploads.get().list.filter(({ state }) => state.step === 'waiting')
    for (const upload of waiting.slice(0, AT_ONCE - this.#sending.size)) void this.#send(upload)
    // While something waits for a decision, words about the rest would only stand in its way.
    if (this.uploads.get().list.length > 0) return
    const { done } = this.uploads.get()
    this.uploads.set(NOTHING)
    if (done > 0) this.#deps.onDone(done)
  }

  async #send({ id, path }: Upload): Promise<void> {
    const kept = this.#files.get(id)
    if (kept === undefined) return
    const stop = new AbortController()
    this.#sending.set(id, stop)
    this.#set(id, { step: 'sending', percent: 0 })
    const onProgress = (percent: number) =>
      this.#set(id, percent === 100 ? { step: 'saving' } : { step: 'sending', percent })
    try {
      await this.#deps.send(path, kept.file, { revision: kept.revision, signal: stop.signal, onProgress })
      this.#forget([id], 1)
      this.#deps.onStored()
    } catch (error) {
      if (!stop.signal.aborted) await this.#fail(id, kept.file, error)
    } finally {
      this.#sending.delete(id)
      this.#fill()
    }
  }

  async #fail(id: number, file: File, error: unknown): Promise<void> {
    if (isChangedMeanwhile(error)) return this.#askAgain(id, file, error)
    // A file that was moved or changed since it was picked looks like a lost connection.
    const isReadable = await file
      .slice(0, 1)
      .arrayBuffer()
      .then(Boolean, () => false)
    const mayRetry = isReadable && !(error instanceof Problem && error.status < 500 && error.status !== 429)
    const why = isReadable ? adviseOn(explain(error)) : words.uploads.unreadable
    this.#set(id, { step: 'failed', why, mayRetry })
  }

  #askAgain(id: number, file: File, { extensions }: Problem): void {
    const current = extensions['current'] as { readonly revision?: unknown } | null | undefined
    const revision = current?.revision
    if (typeof revision === 'number') return this.#set(id, { step: 'taken', revision, wasKnown: false })
    // What was to be replaced is gone: nobody loses anything.
    this.#files.set(id, { file })
    this.#set(id, { step: 'waiting' })
  }

  #forget(ids: readonly number[], done = 0): void {
    for (const id of ids) this.#files.delete(id)
    const gone = new Set(ids)
    const shown = this.uploads.get()
    this.uploads.set({ list: shown.list.filter(({ id }) => !gone.has(id)), done: shown.done + done })
  }

  #set(id: number, state: UploadState): void {
    const { list, done } = this.uploads.get()
    this.uploads.set({ list: list.map((upload) => (upload.id === id ? { ...upload, state } : upload)), done })
  }
}

/** Why a file is not even sent. */
function faultOf(path: string, { size }: File): FailureText | undefined {
  const fault = pathFault(path)
  if (fault !== undefined) return { title: words.uploads.badPath, detail: fault }
  return size > FILE_LIMITS.fileBytes ? words.uploads.tooLarge : undefined
}
