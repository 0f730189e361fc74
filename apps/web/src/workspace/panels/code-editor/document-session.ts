import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import {
  ChangeSet,
  EditorState,
  type Extension,
  Text,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { DocumentCursor, EditedDocument, EditingNews, EditingRequest } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import { createValueStore, type ValueStore } from '../../../parts/value-store.ts'
import { showCursors } from './remote-cursors.ts'
import { smallestChange } from './smallest-change.ts'

/**
 * `isSent`: the server has everything that was typed here. `isSaved`: the file has it as well. `refusal`: why the server
 * does not take what was typed.
 */
export type DocumentStatus =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  /** Deleted: what was typed is still here. */
  | { readonly state: 'gone' }
  | {
      readonly state: 'open'
      readonly isSent: boolean
      readonly isSaved: boolean
      readonly refusal: string | undefined
    }

export interface DocumentSessionOptions {
  readonly clientId: string
  readonly path: string
  readonly load: (path: string) => Promise<EditedDocument>
  readonly send: (request: EditingRequest) => void
  readonly extensions: Extension
  /** Nothing more is to be heard. */
  readonly onClosed: () => void
}

const PUSH_PAUSE_MS = 40
const CURSOR_PAUSE_MS = 100
/** For what another try may mend. */
const RETRY_MS = 3_000
const LASTING_REFUSALS: ReadonlySet<string> = new Set(['not_permitted', 'limit_reached', 'invalid_edits'])

/** One file that is edited together with whoever else has it open. Lives on without a view until the server has it all. */
export class DocumentSession {
  readonly status: ValueStore<DocumentStatus> = createValueStore<DocumentStatus>({ state: 'loading' })
  /** Who else has it open. */
  readonly others: ValueStore<readonly DocumentCursor[]> = createValueStore<readonly DocumentCursor[]>([])
  /** Whether there is a text. From then on it is the same editor, wherever the file goes. */
  readonly hasText: ValueStore<boolean> = createValueStore(false)
  /** Another one after the file was moved. */
  readonly path: ValueStore<string>
  readonly clientId: string
  readonly #options: DocumentSessionOptions
  #state: EditorState | undefined
  #view: EditorView | undefined
  #document = 0
  /** Versions are counted anew in each document; what the editor counts goes on. */
  #versionOffset = 0
  /** The text that the server has told of: what this page has typed since is not in it. */
  #synced = Text.empty
  #savedVersion = 0
  #refusal: string | undefined
  #isPushing = false
  #isClosing = false
  #isLoading = false
  #push: ReturnType<typeof setTimeout> | undefined
  #cursor: ReturnType<typeof setTimeout> | undefined

  constructor(options: DocumentSessionOptions) {
    this.#options = options
    this.clientId = options.clientId
    this.path = createValueStore(options.path)
    void this.#load()
  }

  /** There once it is open. */
  get state(): EditorState | undefined {
    return this.#view?.state ?? this.#state
  }

  get #version(): number {
    return this.state === undefined ? 0 : getSyncedVersion(this.state) + this.#versionOffset
  }

  get isSent(): boolean {
    const { state } = this
    return state === undefined || sendableUpdates(state).length === 0
  }

  attach(view: EditorView): void {
    this.#view = view
  }

  detach(): void {
    this.#state = this.#view?.state ?? this.#state
    this.#view = undefined
  }

  /** The view has typed something. */
  changed(): void {
    this.#tell()
    this.#push ??= setTimeout(() => {
      this.#push = undefined
      this.#pushNow()
    }, PUSH_PAUSE_MS)
  }

  moved(): void {
    this.#cursor ??= setTimeout(() => {
      this.#cursor = undefined
      const range = this.state?.selection.main
      if (range === undefined || this.#document === 0 || this.#isClosing) return
      this.#options.send({
        type: 'cursor',
        document: this.#document,
        anchor: range.anchor,
        head: range.head,
      })
    }, CURSOR_PAUSE_MS)
  }

  /** The connection is open again: what was on its way may have arrived or not, and is sent once more. */
  reconnected(): void {
    if (this.status.get().state === 'failed') return void this.#load()
    if (this.state === undefined || this.#document === 0) return
    this.#isPushing = false
    this.#open()
    this.#pushNow()
  }

  retry(): void {
    this.status.set({ state: 'loading' })
    void this.#load()
  }

  /** Of a file that was deleted: writes the text that is still here, and goes on with it under the path that it got. */
  async restore(write: (text: string) => Promise<string>): Promise<void> {
    const { state } = this
    if (state === undefined || this.#isLoading || this.status.get().state !== 'gone') return
    const written = sendableUpdates(state)
    this.status.set({ state: 'loading' })
    this.#isLoading = true
    try {
      const path = await write(state.doc.toString())
      // The file has what was typed until the press. What was typed since then has yet to be sent.
      this.#dispatch((now) => receiveUpdates(now, written))
      this.#synced = state.doc
      this.path.set(path)
    } catch (error) {
      this.status.set({ state: 'gone' })
      throw error
    } finally {
      this.#isLoading = false
    }
    await this.#load()
  }

  /** Closes it once the server has everything. */
  close(): void {
    this.#isClosing = true
    clearTimeout(this.#cursor)
    clearTimeout(this.#push)
    this.#pushNow()
    this.#closeIfDone()
  }

  receive(news: EditingNews): void {
    if (news.document !== this.#document) return
    switch (news.type) {
      case 'edits':
        return this.#take(news)
      case 'saved':
        this.#savedVersion = news.version
        return this.#tell()
      case 'cursors':
        this.others.set(news.cursors)
        return this.#dispatch({ effects: showCursors.of(news.cursors) })
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

  #gone(movedTo: string | null): void {
    this.#document = 0
    this.#isPushing = false
    if (this.#isClosing && (movedTo === null || this.isSent)) return this.#options.onClosed()
    if (movedTo === null) return this.status.set({ state: 'gone' })
    this.path.set(movedTo)
    void this.#load()
  }

  #refused(code: string, message: string): void {
    this.#isPushing = false
    if (LASTING_REFUSALS.has(code)) this.#refusal = message
    else setTimeout(() => this.#pushNow(), RETRY_MS)
    this.#tell()
  }

  #take({ version, edits }: Extract<EditingNews, { type: 'edits' }>): void {
    const { state } = this
    if (state === undefined) return
    const synced = this.#version
    if (version > synced) return this.#open()
    const updates = edits.slice(synced - version).map(({ clientId, changes }) => ({
      clientID: clientId,
      changes: ChangeSet.fromJSON(changes),
    }))
    if (updates.length === 0) return
    for (const { changes } of updates) this.#synced = changes.apply(this.#synced)
    const isOwn = updates.some(({ clientID }) => clientID === this.#options.clientId)
    this.#dispatch((now) => receiveUpdates(now, updates))
    if (isOwn) {
      this.#isPushing = false
      this.#refusal = undefined
      this.#pushNow()
    }
    this.#tell()
    this.#closeIfDone()
  }

  #pushNow(): void {
    const { state } = this
    if (state === undefined || this.#isPushing || this.#document === 0) return
    const edits = fitting(sendableUpdates(state).map(({ changes }) => changes))
    if (edits.length === 0) return
    this.#isPushing = true
    this.#options.send({
      type: 'push',
      document: this.#document,
      version: this.#version,
      clientId: this.#options.clientId,
      edits: edits.map((changes) => changes.toJSON() as unknown[]),
    })
  }

  #open(): void {
    this.#options.send({ type: 'open', document: this.#document, version: this.#version })
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return
    this.#isLoading = true
    let gone: Gone | undefined
    try {
      const opened = await this.#options.load(this.path.get())
      if (!this.#isClosing || !this.isSent) this.#start(opened)
    } catch (error) {
      const cause = goneBecause(error)
      // What was typed stays: as long as there is a text, only the way to the server is missing.
      if (this.state !== undefined || typeof cause?.movedTo === 'string') gone = cause
      else return this.status.set({ state: 'failed', error })
      if (gone === undefined) setTimeout(() => void this.#load(), RETRY_MS)
    } finally {
      this.#isLoading = false
    }
    if (gone !== undefined) this.#gone(gone.movedTo)
  }

  /**
   * Begins at what the server has, with what was typed here and it does not have. An editor that is there stays: whoever
   * types in it types on, where the cursor is.
   */
  #start({ document, version, savedVersion, text }: EditedDocument): void {
    const { clientId, extensions } = this.#options
    if (this.state === undefined) {
      this.#state = EditorState.create({
        doc: text,
        extensions: [collab({ clientID: clientId }), extensions],
      })
      this.#synced = this.#state.doc
      this.hasText.set(true)
    } else this.#follow(text)
    this.#document = document
    this.#versionOffset += version - this.#version
    this.#savedVersion = savedVersion
    this.#isPushing = false
    this.#open()
    this.#pushNow()
    this.#tell()
  }

  /** What the server's text has that was not known here is an edit like those of others. */
  #follow(text: string): void {
    const before = this.#synced.toString()
    const change = smallestChange(before, text)
    if (change === undefined) return
    const changes = ChangeSet.of(change, before.length)
    this.#synced = changes.apply(this.#synced)
    this.#dispatch((now) => receiveUpdates(now, [{ clientID: '', changes }]))
  }

  #dispatch(given: TransactionSpec | ((state: EditorState) => Transaction)): void {
    const { state } = this
    if (state === undefined) return
    const transaction = typeof given === 'function' ? given(state) : state.update(given)
    if (this.#view === undefined) this.#state = transaction.state
    else this.#view.dispatch(transaction)
  }

  #closeIfDone(): void {
    if (!this.#isClosing || !this.isSent) return
    if (this.#document === 0) return this.#options.onClosed()
    this.#options.send({ type: 'close', document: this.#document })
    this.#document = 0
    this.#options.onClosed()
  }

  #tell(): void {
    const { state, isSent } = this
    if (state === undefined || this.#document === 0) return
    const isSaved = isSent && this.#version <= this.#savedVersion
    const now = this.status.get()
    const next = { state: 'open', isSent, isSaved, refusal: this.#refusal } as const
    const isKnown =
      now.state === 'open' && now.isSent === isSent && now.isSaved === isSaved && now.refusal === next.refusal
    if (!isKnown) this.status.set(next)
  }
}

interface Gone {
  readonly movedTo: string | null
}

/** A file that was moved while this page was offline, or before it came, is somewhere else. */
function goneBecause(error: unknown): Gone | undefined {
  if (!(error instanceof Problem) || error.code !== 'file_not_found') return undefined
  const { movedTo } = error.extensions
  return { movedTo: typeof movedTo === 'string' ? movedTo : null }
}

/** As many as one message can hold; the others follow when these are taken. */
function fitting(edits: readonly ChangeSet[]): ChangeSet[] {
  let room: number = DOCUMENT_LIMITS.editCharacters
  const count = edits.findIndex((changes, index) => {
    room -= insertedBy(changes)
    return index > 0 && room < 0
  })
  return edits.slice(0, Math.min(count === -1 ? edits.length : count, DOCUMENT_LIMITS.editsPerMessage))
}

export function insertedBy(changes: ChangeSet): number {
  let all = 0
  changes.iterChanges((_from, _to, _fromNow, _toNow, inserted) => {
    all += inserted.length
  })
  return all
}
