import {
  type DocumentCursor,
  EDITING_CHANNEL,
  type EditingNews,
  type EditingRequest,
  editingRequest,
} from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { Compile } from 'typebox/compile'
import type { Asking, ContentDeps, Page } from './deps.ts'
import { findDocument, findOpened, findStates, findWhereabouts, listEdits } from './document.store.ts'
import { pushEdits, rewriteDocuments, type TextEdit } from './document-editing.store.ts'
import { findUnsaved, saveDocument } from './document-saving.store.ts'

const isRequest = Compile(editingRequest)

/** After the last edit; while edits keep coming, so long after the first. */
const SAVE_AFTER_MS = 1_000
const SAVE_WITHIN_MS = 5_000
/** By then a node that is alive has saved. */
const SAVE_OVERDUE_MS = 15_000
const SWEEP_MS = 5_000
const SAVES_PER_SWEEP = 20
const EDITS_PER_READ = 500
/** Between two reports of where one cursor is. */
const CURSOR_PAUSE_MS = 100

interface Reader {
  /** Edits up to this one were sent to it. */
  version: number
  saved: number
  cursor: { readonly anchor: number; readonly head: number } | undefined
  cursorTimer: NodeJS.Timeout | undefined
}

/** A document that pages of this node have open. */
interface OpenDocument {
  readonly id: number
  readonly at: WorkspaceRef
  readonly contentId: number
  readonly path: string
  readonly readers: Map<Page, Reader>
  watches: readonly AsyncDisposable[]
  isReading: boolean
  isDue: boolean
}

interface PendingSave {
  readonly since: number
  timer: NodeJS.Timeout
}

export interface Editing {
  readonly name: typeof EDITING_CHANNEL
  receive(page: Page, message: unknown): Promise<void>
  leave(page: Page): void
  /** A document has edits that did not come from a page: they are to be told and saved. */
  noteEdits(document: number): void
  /** Changes a text file for another part of the server, as people edit it. The file has it when this answers. */
  rewrite(
    request: Asking,
    at: WorkspaceRef,
    what: { readonly path: string; readonly reason?: string | undefined },
    by: (text: string) => readonly TextEdit[],
  ): Promise<{ readonly revision: number; readonly isChanged: boolean }>
  /** The same for several files, all or none: what is made of those that are read. */
  rewriteAll(
    request: Asking,
    at: WorkspaceRef,
    what: { readonly path: string; readonly reason?: string | undefined },
    by: (read: (path: string) => Promise<string>) => Promise<ReadonlyMap<string, readonly TextEdit[]>>,
  ): Promise<{ readonly revision: number; readonly isChanged: boolean }>
  start(): void
  /** Saves what is left to save. */
  stop(): Promise<void>
}

/** Names on the bus that files of a workspace have changed. */
export const filesKey = ({ owner, repo }: WorkspaceRef) => `files:${owner}/${repo}`
const documentKey = (id: number) => `document:${id}`
const cursorsKey = (id: number) => `document:${id}:who`

/** Text files that people edit together: the pages of this node, and what they have edited. */
export function createEditing(deps: ContentDeps, announce: (at: WorkspaceRef) => void): Editing {
  const { db, bus, log, clock } = deps
  const documents = new Map<number, OpenDocument>()
  const saves = new Map<number, PendingSave>()
  const saving = new Set<Promise<void>>()
  let sweeping: NodeJS.Timeout | undefined
  let isSweeping = false
  let isStopped = false

  const tell = (page: Page, news: EditingNews) => page.send(EDITING_CHANNEL, news)
  const failed = (what: string) => (err: unknown) => log.debug({ err }, `failed to ${what}, retrying later`)

  async function open(page: Page, { document: id, version }: Of<'open'>): Promise<void> {
    const known = documents.get(id)
    const opened = known ?? (await findOpened(db, page.at, id))
    if (opened === undefined || (known !== undefined && !isSame(known.at, page.at)))
      return tell(page, { type: 'reopen', document: id })
    const count = [...documents.values()].filter(({ readers }) => readers.has(page)).length
    if (count >= DOCUMENT_LIMITS.open && !(known?.readers.has(page) ?? false))
      return tell(page, {
        type: 'refused',
        document: id,
        code: 'limit_reached',
        message: `You can have ${DOCUMENT_LIMITS.open} files open for editing. Close one to open another.`,
      })
    // Somebody else may have opened it while its row was read.
    const document = documents.get(id) ?? makeOpen(id, page.at, opened)
    document.readers.set(page, { version, saved: -1, cursor: undefined, cursorTimer: undefined })
    await listen(document)
    refresh(document)
    await tellCursors(document).catch(failed('read cursors'))
  }

  function makeOpen(
    id: number,
    at: WorkspaceRef,
    { path, contentId }: { readonly path: string; readonly contentId: number },
  ): OpenDocument {
    const made: OpenDocument = {
      id,
      at,
      contentId,
      path,
      readers: new Map(),
      watches: [],
      isReading: false,
      isDue: false,
    }
    documents.set(id, made)
    return made
  }

  /** What changes from now on is heard of. Without the bus nothing is, and the sweep looks. */
  async function listen(document: OpenDocument): Promise<void> {
    if (document.watches.length > 0) return
    const { id, at } = document
    const heard = await Promise.allSettled([
      bus.wakeups.watch(documentKey(id), () => refresh(document)),
      bus.wakeups.watch(cursorsKey(id), () => void tellCursors(document).catch(failed('read cursors'))),
      // Files are also written by other means.
      bus.wakeups.watch(filesKey(at), () => refresh(document)),
    ])
    const watches = heard.flatMap((watch) => (watch.status === 'fulfilled' ? [watch.value] : []))
    if (document.watches.length === 0 && watches.length === heard.length && documents.get(id) === document)
      document.watches = watches
    else await dispose(watches)
  }

  const dispose = async (watches: readonly AsyncDisposable[]) => {
    await Promise.allSettled(watches.map((watch) => watch[Symbol.asyncDispose]()))
  }

  function close(page: Page, document: OpenDocument): void {
    const reader = document.readers.get(page)
    if (reader === undefined) return
    clearTimeout(reader.cursorTimer)
    document.readers.delete(page)
    if (reader.cursor !== undefined)
      bus.presence
        .leave(documentKey(document.id), page.browserId)
        .then(() => bus.wakeups.notify(cursorsKey(document.id)))
        .catch(failed('report a cursor'))
    if (document.readers.size === 0) forget(document)
  }

  function forget(document: OpenDocument): void {
    documents.delete(document.id)
    void dispose(document.watches)
  }

  /** One read at a time for each document: edits are sent in their order. */
  function refresh(document: OpenDocument): void {
    document.isDue = true
    if (document.isReading) return
    document.isReading = true
    void (async () => {
      while (document.isDue && documents.get(document.id) === document) {
        document.isDue = false
        await send(document).catch(failed('read edits'))
      }
      document.isReading = false
    })()
  }

  async function send(document: OpenDocument): Promise<void> {
    const { id, readers } = document
    const [state] = await findStates(db, [id])
    if (state === undefined) return await sendGone(document)
    if (state.isOutdated) scheduleSave(id, 0)
    for (const page of readers.keys()) {
      const reader = readers.get(page)
      if (reader === undefined) continue
      while (reader.version < state.version && readers.get(page) === reader) {
        const { version } = reader
        const edits = await listEdits(db, id, version, EDITS_PER_READ)
        // A page that opened it again meanwhile may be elsewhere.
        if (reader.version !== version) continue
        if (edits === undefined) {
          close(page, document)
          tell(page, { type: 'reopen', document: id })
          break
        }
        reader.version += edits.length
        tell(page, { type: 'edits', document: id, version, edits })
      }
      if (reader.saved === state.savedVersion || readers.get(page) !== reader) continue
      reader.saved = state.savedVersion
      tell(page, { type: 'saved', document: id, version: state.savedVersion })
    }
  }

  async function sendGone(document: OpenDocument): Promise<void> {
    const { id, contentId, path, readers } = document
    const where = await findWhereabouts(db, contentId, path)
    forget(document)
    for (const page of readers.keys())
      tell(
        page,
        where === 'still'
          ? { type: 'reopen', document: id }
          : { type: 'gone', document: id, movedTo: where.movedTo },
      )
  }

  async function push(page: Page, { document: id, ...pushed }: Of<'push'>): Promise<void> {
    try {
      if (!page.mayChange) throw new Problem('not_permitted')
      await pushEdits(deps, page.at, page, { document: id, ...pushed })
      noteEdits(id)
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('internal_error', { cause: error })
      if (problem.status >= 500) log.warn({ err: error }, 'failed to store edits')
      if (problem.code === 'edits_too_old' || problem.code === 'file_not_found') {
        const document = documents.get(id)
        // A page that was away does not know where the file is now. Whoever reads it again is told.
        if (problem.code === 'edits_too_old' || document === undefined)
          tell(page, { type: 'reopen', document: id })
        else refresh(document)
        return
      }
      tell(page, { type: 'refused', document: id, code: problem.code, message: problem.message })
    }
  }

  function noteEdits(id: number): void {
    scheduleSave(id)
    const document = documents.get(id)
    if (document !== undefined) refresh(document)
    bus.wakeups.notify(documentKey(id)).catch(failed('announce edits'))
  }

  function moveCursor(page: Page, { document: id, anchor, head }: Of<'cursor'>): void {
    const document = documents.get(id)
    const reader = document?.readers.get(page)
    if (document === undefined || reader === undefined) return
    reader.cursor = { anchor, head }
    reader.cursorTimer ??= setTimeout(() => {
      reader.cursorTimer = undefined
      if (document.readers.get(page) !== reader || reader.cursor === undefined) return
      const { name, handle } = page.party
      bus.presence
        .join(documentKey(id), page.browserId, JSON.stringify({ name, handle, ...reader.cursor }))
        .then(() => bus.wakeups.notify(cursorsKey(id)))
        .catch(failed('report a cursor'))
    }, CURSOR_PAUSE_MS).unref()
  }

  async function tellCursors({ id, readers }: OpenDocument): Promise<void> {
    const members = await bus.presence.members(documentKey(id))
    const all = members.map(({ id: browserId, info }) => ({
      ...(JSON.parse(info) as Omit<DocumentCursor, 'browserId'>),
      browserId,
    }))
    for (const page of readers.keys()) {
      const cursors = all.filter(({ browserId }) => browserId !== page.browserId)
      tell(page, { type: 'cursors', document: id, cursors })
    }
  }

  function scheduleSave(id: number, afterMs = SAVE_AFTER_MS): void {
    if (isStopped) return
    const pending = saves.get(id)
    const since = pending?.since ?? performance.now()
    clearTimeout(pending?.timer)
    const wait = Math.max(0, Math.min(afterMs, since + SAVE_WITHIN_MS - performance.now()))
    saves.set(id, { since, timer: setTimeout(() => runSave(id), wait).unref() })
  }

  function runSave(id: number): void {
    saves.delete(id)
    const run = save(id).finally(() => saving.delete(run))
    saving.add(run)
  }

  async function save(id: number): Promise<void> {
    try {
      const opened = documents.get(id)
      const outcome = await saveDocument(deps, id)
      if (opened !== undefined) refresh(opened)
      if (outcome.outcome !== 'saved') return
      announce(outcome.at)
      await bus.wakeups.notify(documentKey(id))
    } catch (err) {
      // The edits are safe where they are; the sweep tries again.
      log.warn({ err, document: id }, 'failed to save edits to their file, retrying later')
    }
  }

  async function sweep(): Promise<void> {
    const overdue = new Date(clock.now().getTime() - SAVE_OVERDUE_MS)
    for (const id of await findUnsaved(db, overdue, SAVES_PER_SWEEP)) if (!saves.has(id)) await save(id)
    for (const document of documents.values()) await listen(document)
    const states = new Map((await findStates(db, [...documents.keys()])).map((state) => [state.id, state]))
    for (const document of documents.values()) {
      const state = states.get(document.id)
      const isBehind = [...document.readers.values()].some(
        ({ version, saved }) => version !== state?.version || saved !== state.savedVersion,
      )
      if (isBehind || state?.isOutdated === true) refresh(document)
    }
  }

  const rewriteAll: Editing['rewriteAll'] = async (request, at, { path, reason }, by) => {
    const who = await deps.workspaces.admit(request, at, 'write')
    const { documents: named, changed } = await rewriteDocuments(
      deps,
      at,
      who,
      reason,
      by,
      deps.createSecret(),
    )
    const ids = [...named].filter(([each]) => changed.has(each)).map(([, id]) => id)
    for (const id of ids) noteEdits(id)
    if (ids.length > 0) deps.workspaces.notify(at)
    const first = named.get(path)
    for (const id of new Set([...ids, ...(first === undefined ? [] : [first])])) await save(id)
    const saved = await Promise.all([...named.values()].map((id) => findDocument(db, id)))
    const revisions = saved.flatMap((each) => each?.fileRevision ?? [])
    if (revisions.length === 0) throw new Problem('file_not_found', { extensions: { path } })
    return { revision: Math.max(...revisions), isChanged: ids.length > 0 }
  }

  return {
    name: EDITING_CHANNEL,
    async receive(page, message) {
      if (!isRequest.Check(message)) return
      const request: EditingRequest = message
      if (request.type === 'open') return await open(page, request)
      if (request.type === 'push') return await push(page, request)
      if (request.type === 'cursor') return moveCursor(page, request)
      const document = documents.get(request.document)
      if (document !== undefined) close(page, document)
    },
    leave(page) {
      for (const document of documents.values()) close(page, document)
    },
    noteEdits,
    rewrite: async (request, at, what, by) =>
      await rewriteAll(request, at, what, async (read) => new Map([[what.path, by(await read(what.path))]])),
    rewriteAll,
    start() {
      sweeping ??= setInterval(() => {
        if (isSweeping) return
        isSweeping = true
        void sweep()
          .catch(failed('sweep documents'))
          .finally(() => {
            isSweeping = false
          })
      }, SWEEP_MS).unref()
    },
    async stop() {
      isStopped = true
      clearInterval(sweeping)
      for (const [id, { timer }] of saves) {
        clearTimeout(timer)
        runSave(id)
      }
      await Promise.allSettled(saving)
      await Promise.all([...documents.values()].map(({ watches }) => dispose(watches)))
    },
  }
}

type Of<Kind extends EditingRequest['type']> = Extract<EditingRequest, { type: Kind }>

const isSame = (one: WorkspaceRef, other: WorkspaceRef) =>
  one.owner === other.owner && one.repo === other.repo
