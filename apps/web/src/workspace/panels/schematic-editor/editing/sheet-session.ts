import type { EditedDocument, EditingNews, EditingRequest } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import type { Document, Refusal, SchematicChange } from '@patchbay/kicad-format'
import { SharedSheet } from './shared-sheet.ts'

export type SheetStatus =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'not_a_schematic' }
  /** Too long to be edited together: it can be looked at. */
  | { readonly state: 'too_long' }
  | { readonly state: 'gone' }
  | {
      readonly state: 'open'
      readonly isSent: boolean
      readonly isSaved: boolean
      readonly isReadable: boolean
      readonly refusal: string | undefined
    }

export interface SheetSessionOptions {
  readonly clientId: string
  readonly path: string
  readonly load: (path: string) => Promise<EditedDocument>
  readonly send: (request: EditingRequest) => void
  /** Something of it is another than before. */
  readonly onChange: () => void
  /** So many steps of this page were in the way of what somebody else did. */
  readonly onDropped: (count: number) => void
  readonly onMoved: (path: string) => void
  readonly onClosed: () => void
}

const PUSH_PAUSE_MS = 30
/** For what another try may mend. */
const RETRY_MS = 3_000
const LASTING_REFUSALS: ReadonlySet<string> = new Set(['not_permitted', 'limit_reached', 'invalid_edits'])

/**
 * One file of a schematic, edited over the channel that the code editor uses. Each push holds only on the version that
 * it was made on: the parts of a schematic belong together, and edits that are moved by characters would tear them apart.
 */
export class SheetSession {
  readonly #options: SheetSessionOptions
  #status: SheetStatus = { state: 'loading' }
  #sheet: SharedSheet | undefined
  #path: string
  #document = 0
  #savedVersion = 0
  #refusal: string | undefined
  #isLoading = false
  #isClosing = false
  #push: ReturnType<typeof setTimeout> | undefined
  /** Apart from the other one: who goes on after a refusal does not wait for it. */
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(options: SheetSessionOptions) {
    this.#options = options
    this.#path = options.path
    void this.#load()
  }

  get status(): SheetStatus {
    return this.#status
  }

  get document(): Document | undefined {
    return this.#sheet?.document
  }

  get mayUndo(): boolean {
    return this.#sheet?.mayUndo ?? false
  }

  get mayRedo(): boolean {
    return this.#sheet?.mayRedo ?? false
  }

  get isSent(): boolean {
    return this.#sheet?.isSent ?? true
  }

  change(changes: readonly SchematicChange[]): Refusal | undefined {
    const refused = this.#sheet?.change(changes)
    if (refused === undefined) this.#changed()
    return refused
  }

  undo(): boolean {
    const isDone = this.#sheet?.undo() ?? true
    this.#changed()
    return isDone
  }

  redo(): boolean {
    const isDone = this.#sheet?.redo() ?? true
    this.#changed()
    return isDone
  }

  retry(): void {
    this.#set({ state: 'loading' })
    void this.#load()
  }

  /** The connection is open again: what was on its way may have arrived or not. What comes first tells. */
  reconnected(): void {
    if (this.#status.state === 'failed') return void this.#load()
    if (this.#sheet === undefined || this.#document === 0) return
    this.#sheet.refused()
    this.#open()
    this.#pushLater()
  }

  close(): void {
    this.#isClosing = true
    this.#pushNow()
    this.#closeIfDone()
  }

  receive(news: EditingNews): void {
    if (news.document !== this.#document || this.#document === 0) return
    switch (news.type) {
      case 'edits':
        return this.#take(news)
      case 'saved':
        this.#savedVersion = news.version
        return this.#tell()
      case 'cursors':
        return
      case 'gone':
        return this.#gone(news.movedTo)
      case 'reopen':
        return void this.#load()
      case 'refused':
        return this.#refused(news.code, news.message)
      default:
        // A server that is newer than this page says things that it does not know.
        news satisfies never
    }
  }

  #take({ version, edits }: Extract<EditingNews, { type: 'edits' }>): void {
    const sheet = this.#sheet
    if (sheet === undefined) return
    if (version > sheet.version) return this.#open()
    const fresh = edits.slice(sheet.version - version)
    if (fresh.length === 0) return
    const dropped = sheet.receive(fresh)
    if (dropped > 0) this.#options.onDropped(dropped)
    this.#refusal = undefined
    this.#pushNow()
    this.#tell()
    this.#closeIfDone()
  }

  #refused(code: string, message: string): void {
    this.#sheet?.refused()
    if (LASTING_REFUSALS.has(code)) this.#refusal = message
    else if (code === 'file_changed') {
      // What came first may be on its way, or was missed.
      this.#open()
      this.#pushLater()
    } else this.#pushLater()
    this.#tell()
  }

  #gone(movedTo: string | null): void {
    this.#document = 0
    if (movedTo === null) {
      this.#set({ state: 'gone' })
      return this.#isClosing ? this.#options.onClosed() : undefined
    }
    this.#path = movedTo
    this.#options.onMoved(movedTo)
    void this.#load()
  }

  #changed(): void {
    this.#tell()
    this.#options.onChange()
    this.#push ??= setTimeout(() => {
      this.#push = undefined
      this.#pushNow()
    }, PUSH_PAUSE_MS)
  }

  #pushLater(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#pushNow(), RETRY_MS)
  }

  #pushNow(): void {
    if (this.#sheet === undefined || this.#document === 0) return
    const edits = this.#sheet.take(DOCUMENT_LIMITS.editsPerMessage)
    if (edits.length === 0) return
    this.#options.send({
      type: 'push',
      document: this.#document,
      version: this.#sheet.version,
      clientId: this.#options.clientId,
      edits: edits as unknown[][],
      isExact: true,
    })
  }

  #open(): void {
    this.#options.send({ type: 'open', document: this.#document, version: this.#sheet?.version ?? 0 })
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return
    this.#isLoading = true
    let movedTo: unknown
    try {
      this.#start(await this.#options.load(this.#path))
    } catch (error) {
      if (error instanceof Problem) movedTo = error.extensions['movedTo']
      if (typeof movedTo === 'string') return
      if (error instanceof Problem && error.code === 'file_not_text') this.#set({ state: 'too_long' })
      else if (error instanceof Problem && error.code === 'file_not_found' && this.#sheet !== undefined)
        this.#gone(null)
      else if (this.#sheet === undefined) this.#set({ state: 'failed', error })
      else setTimeout(() => void this.#load(), RETRY_MS)
    } finally {
      this.#isLoading = false
      // Moved while this page was away.
      if (typeof movedTo === 'string') this.#gone(movedTo)
    }
  }

  #start({ document, version, savedVersion, text }: EditedDocument): void {
    if (this.#sheet === undefined) {
      this.#sheet = SharedSheet.open(text, version, this.#options.clientId)
      if (this.#sheet === undefined) return this.#set({ state: 'not_a_schematic' })
    } else {
      const dropped = this.#sheet.restart(text, version)
      if (dropped > 0) this.#options.onDropped(dropped)
    }
    this.#document = document
    this.#savedVersion = savedVersion
    this.#open()
    this.#pushNow()
    this.#tell()
    this.#closeIfDone()
  }

  #closeIfDone(): void {
    if (!this.#isClosing || !this.isSent) return
    if (this.#document !== 0) this.#options.send({ type: 'close', document: this.#document })
    this.#document = 0
    clearTimeout(this.#push)
    clearTimeout(this.#retry)
    this.#options.onClosed()
  }

  #tell(): void {
    const sheet = this.#sheet
    if (sheet === undefined || this.#document === 0) return
    const { isSent, isReadable } = sheet
    const isSaved = isSent && sheet.version <= this.#savedVersion
    this.#set({ state: 'open', isSent, isSaved, isReadable, refusal: this.#refusal })
  }

  #set(status: SheetStatus): void {
    this.#status = status
    this.#options.onChange()
  }
}
