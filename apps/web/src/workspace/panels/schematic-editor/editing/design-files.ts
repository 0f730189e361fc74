import { EDITING_CHANNEL, type EditingNews } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import {
  type Design,
  type DesignSheet,
  type Document,
  parse,
  type Refusal,
  readDesign,
  type SchematicChange,
} from '@patchbay/kicad-format'
import type { PanelHost } from '../../../panel-definition.ts'
import { fetchDocument } from '../../code-editor/document.api.ts'
import { fetchTagged } from '../../files/history.api.ts'
import { DEFAULT_SETTINGS, type DrawingSettings, readSettings } from '../drawing/settings.ts'
import { SheetSession, type SheetStatus } from './sheet-session.ts'

/** Files of one design that are read. */
const MOST_FILES = 200
/** The largest file that is shown; KiCad's own largest has 1.4 MB. */
const LARGEST_BYTES = 16 * 1024 * 1024
/** Files that are open for editing at once: each sheet that somebody has looked at. */
const MOST_SESSIONS = 8

export interface DesignSnapshot {
  readonly design: Design
  readonly settings: DrawingSettings
  readonly documents: ReadonlyMap<string, Document>
  /** Files of its sheets are still being read. */
  readonly isLoading: boolean
  /** Of the file that is edited. */
  readonly status: SheetStatus
  readonly mayUndo: boolean
  readonly mayRedo: boolean
  /** Why the root cannot be shown. */
  readonly failure: unknown
}

interface ReadFile {
  readonly document: Document
  readonly tag: string
}

let opened = 0

/** The files of a schematic and of the sheets in it: the one that is looked at is edited, the others are read. */
export class DesignFiles {
  readonly #host: PanelHost
  readonly #root: string
  readonly #onMoved: (path: string) => void
  readonly #listeners = new Set<() => void>()
  readonly #dropped = new Set<(count: number) => void>()
  readonly #sessions = new Map<string, SheetSession>()
  readonly #stops: (() => void)[] = []
  readonly #read = new Map<string, ReadFile>()
  readonly #missing = new Set<string>()
  readonly #stop = new AbortController()
  #active: string | undefined
  #settings = DEFAULT_SETTINGS
  #isLoading = false
  #isDue = false
  #failure: unknown
  #snapshot: DesignSnapshot | undefined

  /** `onMoved`: the root has another path now. */
  constructor(host: PanelHost, root: string, onMoved: (path: string) => void) {
    this.#host = host
    this.#root = root
    this.#onMoved = onMoved
    this.#stops.push(
      host.hear(EDITING_CHANNEL, (news) => {
        for (const session of this.#sessions.values()) session.receive(news as EditingNews)
      }),
      host.follow((news) => {
        if (news === 'back') for (const session of this.#sessions.values()) session.reconnected()
        if (news === 'back' || news === 'files') this.#refresh()
      }),
    )
    this.edit(root)
    this.#refresh()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Hears how many steps of this page had to be dropped. */
  hearDropped(listener: (count: number) => void): () => void {
    this.#dropped.add(listener)
    return () => this.#dropped.delete(listener)
  }

  get snapshot(): DesignSnapshot {
    this.#snapshot ??= this.#take()
    return this.#snapshot
  }

  /** The file that is looked at, and changed, from now on. */
  edit(path: string): void {
    if (this.#active === path) return
    this.#active = path
    if (!this.#sessions.has(path)) this.#openSession(path)
    const old = [...this.#sessions.keys()].filter((one) => one !== path && one !== this.#root)
    for (const one of old.slice(0, Math.max(0, old.length - MOST_SESSIONS))) this.#closeSession(one)
    this.#tell()
  }

  change(changes: readonly SchematicChange[]): Refusal | undefined {
    return this.#session?.change(changes)
  }

  undo(): boolean {
    return this.#session?.undo() ?? true
  }

  redo(): boolean {
    return this.#session?.redo() ?? true
  }

  retry(): void {
    this.#session?.retry()
    this.#refresh()
  }

  get isSent(): boolean {
    return [...this.#sessions.values()].every(({ isSent }) => isSent)
  }

  close(): void {
    this.#stop.abort()
    const sessions = [...this.#sessions.values()]
    const end = () => {
      for (const stop of this.#stops.splice(0)) stop()
    }
    this.#listeners.clear()
    for (const session of sessions) session.close()
    if (this.#sessions.size === 0) end()
    else this.#onEmpty = end
  }

  #onEmpty: (() => void) | undefined

  get #session(): SheetSession | undefined {
    return this.#active === undefined ? undefined : this.#sessions.get(this.#active)
  }

  #openSession(path: string): void {
    opened += 1
    const session = new SheetSession({
      clientId: `${this.#host.pageId}:s${opened}`,
      path,
      load: (now) => fetchDocument(this.#host.workspace, now),
      send: (request) => this.#host.say(EDITING_CHANNEL, request),
      onChange: () => this.#tell(),
      onDropped: (count) => {
        for (const listener of this.#dropped) listener(count)
      },
      onMoved: (next) => {
        if (path === this.#root) this.#onMoved(next)
        this.#tell()
      },
      onClosed: () => {
        if (this.#sessions.get(path) === session) this.#sessions.delete(path)
        if (this.#sessions.size === 0) this.#onEmpty?.()
      },
    })
    this.#sessions.set(path, session)
  }

  #closeSession(path: string): void {
    const session = this.#sessions.get(path)
    // What it has is kept as what was read, until the file tells otherwise.
    if (session?.document !== undefined) this.#read.set(path, { document: session.document, tag: '' })
    session?.close()
    this.#refresh()
  }

  #documents(): Map<string, Document> {
    const documents = new Map([...this.#read].map(([path, { document }]) => [path, document]))
    for (const [path, session] of this.#sessions)
      if (session.document !== undefined) documents.set(path, session.document)
    return documents
  }

  #take(): DesignSnapshot {
    const documents = this.#documents()
    const session = this.#session
    return {
      design: readDesign(documents, this.#root),
      settings: this.#settings,
      documents,
      isLoading: this.#isLoading,
      status: session?.status ?? { state: 'loading' },
      mayUndo: session?.mayUndo ?? false,
      mayRedo: session?.mayRedo ?? false,
      failure: documents.has(this.#root) ? undefined : this.#failure,
    }
  }

  #tell(): void {
    this.#snapshot = undefined
    // Another sheet may name other files.
    if (!this.#isLoading && this.#wanted().length > 0) this.#refresh()
    for (const listener of this.#listeners) listener()
  }

  /** Files that sheets name and nobody has read. */
  #wanted(): string[] {
    const documents = this.#documents()
    const { faults } = readDesign(documents, this.#root)
    const names = faults.filter(({ code }) => code === 'missing_file').map(({ file }) => file)
    return [...new Set(names)]
      .filter((file) => file !== '' && !file.startsWith('..') && !this.#missing.has(file))
      .slice(0, Math.max(0, MOST_FILES - documents.size))
  }

  #refresh(): void {
    this.#isDue = true
    if (this.#isLoading || this.#stop.signal.aborted) return
    this.#isLoading = true
    void this.#load()
      .catch((error: unknown) => {
        this.#failure = error
      })
      .finally(() => {
        this.#isLoading = false
        this.#snapshot = undefined
        for (const listener of this.#listeners) listener()
      })
  }

  async #load(): Promise<void> {
    while (this.#isDue && !this.#stop.signal.aborted) {
      this.#isDue = false
      this.#missing.clear()
      await this.#loadSettings()
      for (const path of this.#read.keys()) await this.#loadFile(path)
      // The session reads the root as people edit it; what is too long for that is read here.
      if (this.#sessions.get(this.#root)?.document === undefined) await this.#loadFile(this.#root)
      for (
        let wanted = this.#wanted();
        wanted.length > 0 && !this.#stop.signal.aborted;
        wanted = this.#wanted()
      ) {
        for (const path of wanted) await this.#loadFile(path)
        this.#snapshot = undefined
        for (const listener of this.#listeners) listener()
      }
    }
  }

  async #loadFile(path: string): Promise<void> {
    const known = this.#read.get(path)
    try {
      const content = await this.#fetch(path, known?.tag)
      if (content === undefined) return
      if (content.bytes.byteLength > LARGEST_BYTES) throw new Problem('file_not_text')
      this.#read.set(path, { document: parse(content.bytes), tag: content.tag })
      if (path === this.#root) this.#failure = undefined
    } catch (error) {
      if (this.#stop.signal.aborted) return
      this.#missing.add(path)
      this.#read.delete(path)
      if (path === this.#root) this.#failure = error
    }
  }

  async #loadSettings(): Promise<void> {
    try {
      const content = await this.#fetch(this.#root.replace(/\.kicad_sch$/, '.kicad_pro'), undefined)
      if (content !== undefined) this.#settings = readSettings(new TextDecoder().decode(content.bytes))
    } catch {
      // A schematic needs no project: KiCad's own settings hold then.
      this.#settings = DEFAULT_SETTINGS
    }
  }

  async #fetch(path: string, known: string | undefined) {
    return await fetchTagged(
      this.#host.workspace,
      { path, most: LARGEST_BYTES, ...(known !== undefined && known !== '' && { known }) },
      this.#stop.signal,
    )
  }
}

/** The sheet of this name in the hierarchy, such as `/amplifier/`; the root where there is none. */
export function sheetNamed({ sheets }: Design, name: string | undefined): DesignSheet | undefined {
  return sheets.find((one) => one.name === name) ?? sheets[0]
}
