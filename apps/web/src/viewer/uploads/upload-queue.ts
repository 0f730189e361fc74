import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import type { Paste } from '@patchbay/contracts/viewer'
import { createValueStore, type ValueStore } from '../../parts/value-store.ts'
import { words } from '../words.tsx'
import { failed, faultOf, isInLine, isUnderWay, type Upload, type UploadState } from './upload.ts'

export interface PictureFile {
  readonly file: File
  /** What it is called where it comes from. A screenshot in the clipboard has no name. */
  readonly fileName: string | undefined
}

export interface SendOptions {
  readonly signal: AbortSignal
  readonly onProgress: (percent: number) => void
}

export interface UploadQueueDeps {
  readonly newId: () => string
  readonly send: (picture: PictureFile, options: SendOptions) => Promise<Paste>
  readonly onSaved: (paste: Paste) => void
  readonly onRefused: (upload: Upload) => void
  /** After each one, however it ended. */
  readonly onEnded: () => void
}

const AT_ONCE = 4
const LONGEST_LINE = 100

/** The pictures that this page has taken in, in the order in which they came. */
export class UploadQueue {
  readonly uploads: ValueStore<readonly Upload[]> = createValueStore<readonly Upload[]>([])
  readonly #deps: UploadQueueDeps
  /** A file is let go once it is saved: it may have 32 MB. */
  readonly #pictures = new Map<string, PictureFile>()
  readonly #sending = new Map<string, AbortController>()

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps
  }

  /** Answers how many there was no room for. */
  add(pictures: readonly PictureFile[]): number {
    const room = LONGEST_LINE - this.uploads.get().filter(isInLine).length
    for (const picture of pictures.slice(0, Math.max(0, room))) this.#take(picture)
    this.#fill()
    return Math.max(0, pictures.length - room)
  }

  get isUnderWay(): boolean {
    return this.uploads.get().some(isUnderWay)
  }

  /** Whether an answer of the viewer is due: what it has saved may be known from elsewhere first. */
  get isAnswerDue(): boolean {
    return this.#sending.size > 0
  }

  retry(id: string): void {
    if (this.#pictures.has(id) && !this.#sending.has(id)) this.#set(id, { step: 'waiting' })
    this.#fill()
  }

  /** The viewer is back. What it may have saved already waits for the person. */
  retryHeld(): void {
    for (const { id, state } of this.uploads.get())
      if (state.step === 'held' && !state.isSentWhole) this.retry(id)
  }

  /** Takes it out of the line and out of the list. */
  drop(id: string): void {
    this.#sending.get(id)?.abort()
    this.#pictures.delete(id)
    const gone = this.uploads.get().find((upload) => upload.id === id)
    this.uploads.set(this.uploads.get().filter((upload) => upload.id !== id))
    if (gone?.preview !== undefined) URL.revokeObjectURL(gone.preview)
    this.#fill()
  }

  #take(picture: PictureFile): void {
    const { file, fileName } = picture
    const fault = faultOf(file)
    const upload: Upload = {
      id: this.#deps.newId(),
      label: fileName ?? words.upload.nameless,
      bytes: file.size,
      preview: undefined,
      state: fault === undefined ? { step: 'waiting' } : { step: 'refused', why: fault, mayRetry: false },
    }
    this.uploads.set([upload, ...this.uploads.get()])
    if (fault !== undefined) return this.#deps.onRefused(upload)
    this.#pictures.set(upload.id, picture)
    void this.#draw(upload.id, file)
  }

  async #draw(id: string, file: File): Promise<void> {
    const preview = await openPreview(file)
    const upload = this.uploads.get().find((each) => each.id === id)
    if (preview === undefined) return
    // Dropped meanwhile, or saved and drawn from there already.
    if (upload === undefined || upload.state.step === 'saved') return URL.revokeObjectURL(preview)
    this.#change(id, { preview })
  }

  #fill(): void {
    // The newest stand first, but whoever came first is sent first.
    const waiting = this.uploads.get().filter(({ state }) => state.step === 'waiting')
    for (const { id } of waiting.toReversed().slice(0, AT_ONCE - this.#sending.size)) void this.#send(id)
  }

  async #send(id: string): Promise<void> {
    const picture = this.#pictures.get(id)
    if (picture === undefined) return
    const stop = new AbortController()
    this.#sending.set(id, stop)
    this.#set(id, { step: 'sending', percent: 0 })
    let isSentWhole = false
    const onProgress = (percent: number) => {
      isSentWhole = percent === 100
      this.#set(id, isSentWhole ? { step: 'saving' } : { step: 'sending', percent })
    }
    try {
      const paste = await this.#deps.send(picture, { signal: stop.signal, onProgress })
      this.#pictures.delete(id)
      this.#deps.onSaved(paste)
      this.#set(id, { step: 'saved', pasteId: paste.id })
      void this.#letGoOfPreview(id, paste)
    } catch (error) {
      if (!stop.signal.aborted) await this.#fail(id, picture.file, error, isSentWhole)
    } finally {
      this.#sending.delete(id)
      this.#deps.onEnded()
      this.#fill()
    }
  }

  async #fail(id: string, file: File, error: unknown, isSentWhole: boolean): Promise<void> {
    const state = failed(error, isSentWhole)
    // A file that was moved or changed since it was dropped looks like a lost connection.
    const isReadable = await file
      .slice(0, 1)
      .arrayBuffer()
      .then(Boolean, () => false)
    if (isReadable) this.#set(id, state)
    else this.#set(id, { step: 'refused', why: words.upload.unreadable, mayRetry: false })
    const upload = this.uploads.get().find((each) => each.id === id)
    if (upload?.state.step === 'refused' && !upload.state.mayRetry) this.#pictures.delete(id)
    if (upload !== undefined) this.#deps.onRefused(upload)
  }

  async #letGoOfPreview(id: string, paste: Paste): Promise<void> {
    await whenDrawable(paste.optimized.url)
    const preview = this.uploads.get().find((upload) => upload.id === id)?.preview
    if (preview === undefined) return
    this.#change(id, { preview: undefined })
    URL.revokeObjectURL(preview)
  }

  #set(id: string, state: UploadState): void {
    this.#change(id, { state })
  }

  #change(id: string, change: Partial<Upload>): void {
    this.uploads.set(
      this.uploads.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)),
    )
  }
}

/**
 * An address to draw a file from, to be given back with `URL.revokeObjectURL`. None for what is no picture, nor for one with
 * more pixels than the viewer takes: a few kilobytes can unfold to gigabytes. The size is known before anything unfolds.
 */
async function openPreview(file: File): Promise<string | undefined> {
  const address = URL.createObjectURL(file)
  const image = new Image()
  const isLoaded = await new Promise<boolean>((resolve) => {
    image.addEventListener('load', () => resolve(true))
    image.addEventListener('error', () => resolve(false))
    image.src = address
  })
  if (isLoaded && image.naturalWidth * image.naturalHeight <= PASTE_LIMITS.pixels) return address
  URL.revokeObjectURL(address)
  return undefined
}

/** Waits until a picture can be drawn from its address, or cannot at all. */
async function whenDrawable(address: string): Promise<void> {
  const image = new Image()
  image.src = address
  await image.decode().catch(() => undefined)
}
