import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Problem } from '@patchbay/contracts/core'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { storeBytes } from './blob.store.ts'
import { UnsavedEdits, writeSaved } from './change.store.ts'
import { findFile, lockContent } from './content.store.ts'
import {
  appendEdits,
  type DocumentDeps,
  type DocumentRow,
  type Edit,
  findDocument,
  findEdits,
  lockDocument,
  readText,
} from './document.store.ts'
import { applyChanges, changesBetween, encodeText } from './document.ts'
import type { CurrentFile } from './file-change.ts'
import { mediaTypeOf } from './media-types.ts'
import type { ContentTables } from './tables.ts'

/** Others write the file or edit it in the same moment; each of them gets on, so few tries are enough. */
const SAVE_TRIES = 20

/** `not_text`: the file was replaced by something that nobody can edit. */
export type SaveOutcome =
  | { readonly outcome: 'saved'; readonly at: WorkspaceRef }
  | { readonly outcome: 'nothing_to_save' | 'gone' | 'not_text' }

const GONE = { outcome: 'gone' } as const

/**
 * Writes what was edited to the file. What somebody has written there by other means since counts as an edit that was
 * made on the text that was there before: both stay.
 */
export async function saveDocument(deps: DocumentDeps, id: number): Promise<SaveOutcome> {
  for (let tries = 0; tries < SAVE_TRIES; tries += 1) {
    const outcome = await trySaving(deps, id)
    if (outcome !== 'again') return outcome
  }
  throw new Problem('edits_too_old', { detail: 'The file kept changing while its edits were being saved.' })
}

async function trySaving(deps: DocumentDeps, id: number): Promise<SaveOutcome | 'again'> {
  const { db, clock, workspaces } = deps
  const document = await findDocument(db, id)
  if (document === undefined || document.owner === null || document.repo === null) return GONE
  const at = { owner: document.owner, repo: document.repo }
  const file = await findFile(db, document.contentId, document.path)
  if (file === undefined) return 'again'
  const isOutdated = file.revision !== document.fileRevision
  if (!isOutdated && document.version === document.savedVersion) return { outcome: 'nothing_to_save' }
  const base = await readText(deps, document)
  const edits = (await findEdits(db, id, document.savedVersion)).slice(
    0,
    document.version - document.savedVersion,
  )
  if (base === undefined || edits.length < document.version - document.savedVersion) return 'again'
  const written = isOutdated ? await readText(deps, file) : undefined
  if (isOutdated && written === undefined) {
    const text = applyChanges(
      base.text,
      edits.map(({ changes }) => changes),
    )
    const bytes = encodeText({ text, lineEnd: document.lineEnd })
    return await endDocument(deps, at, document, { file, edits, bytes })
  }
  const foreign = written && changesBetween(base.text, written.text)
  const moved = foreign && edits.reduce((changes, edit) => changes.map(edit.changes), foreign)
  const { lineEnd } = written ?? document
  const all = [...edits.map(({ changes }) => changes), ...(moved === undefined ? [] : [moved])]
  const bytes = encodeText({ text: applyChanges(base.text, all), lineEnd })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== file.sha256) {
    await storeBytes(deps, at, Readable.from([bytes], { objectMode: false }), sha256)
  }
  return await inTransaction(db, async (tx) => {
    const note = await workspaces.lock(tx, at)
    if (note === undefined) return GONE
    const content = await lockContent(tx, at)
    const now = await lockDocument(tx, id)
    if (now === undefined) return GONE
    const there = await findFile(tx, content.id, now.path)
    // Edits that came since are only in the way of one that has to come before them.
    if (
      now.savedVersion !== document.savedVersion ||
      (moved !== undefined && now.version !== document.version) ||
      there?.revision !== file.revision
    )
      return 'again'
    let saved = document.version
    if (moved !== undefined && !moved.empty) {
      const by = await writerOf(tx, content.id, file.revision)
      await appendEdits(tx, now, `file:${file.revision}`, [moved], by, clock.now())
      saved += 1
    }
    let { revision } = file
    if (sha256 !== file.sha256) {
      const editors = lastFirst(edits.map(({ by }) => by))
      const saving = { path: now.path, sha256, size: bytes.length, mediaType: file.mediaType }
      revision = await writeSaved(tx, content, saving, { editors, note, now: clock.now() })
    }
    await tx
      .updateTable('content_documents')
      .set({ file_revision: revision, sha256, saved_version: saved, line_end: lineEnd })
      .where('id', '=', id)
      .execute()
    return { outcome: 'saved' as const, at }
  })
}

/** The file is no text anymore: what was typed and not saved is kept in a file beside it. */
async function endDocument(
  deps: DocumentDeps,
  at: WorkspaceRef,
  document: DocumentRow,
  { file, edits, bytes }: { file: CurrentFile; edits: readonly Edit[]; bytes: Buffer },
): Promise<SaveOutcome | 'again'> {
  const { db, clock, workspaces } = deps
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (edits.length > 0) await storeBytes(deps, at, Readable.from([bytes], { objectMode: false }), sha256)
  return await inTransaction(db, async (tx) => {
    const note = await workspaces.lock(tx, at)
    if (note === undefined) return GONE
    const content = await lockContent(tx, at)
    const now = await lockDocument(tx, document.id)
    if (now === undefined) return GONE
    const there = await findFile(tx, content.id, now.path)
    if (now.version !== document.version || there?.revision !== file.revision) return 'again'
    if (edits.length > 0) {
      const path = besides(now)
      const saving = { path, sha256, size: bytes.length, mediaType: mediaTypeOf(path) }
      const editors = lastFirst(edits.map(({ by }) => by))
      await writeSaved(tx, content, saving, { editors, note, now: clock.now() })
    }
    await tx.deleteFrom('content_documents').where('id', '=', now.id).execute()
    return { outcome: 'not_text' }
  })
}

/** Such as `notes (edits 7).txt`: no other document has this number. */
function besides({ id, path }: DocumentRow): string {
  const [, stem = path, ending = ''] = /^(.*?[^/])(\.[^./]*)?$/.exec(path) ?? []
  return `${stem} (edits ${id})${ending}`
}

/** Each once, whoever edited last first. */
function lastFirst(parties: readonly ActingParty[]): ActingParty[] {
  const each = new Map<string, ActingParty>()
  for (const party of parties.toReversed()) {
    const key = `${party.kind} ${party.handle} ${party.name}`
    if (!each.has(key)) each.set(key, party)
  }
  return [...each.values()]
}

/** Who made a change; of one that is forgotten nobody knows, and the oldest that is kept stands for it. */
async function writerOf(tx: Db<ContentTables>, contentId: number, revision: number): Promise<ActingParty> {
  const { rows } = await sql<{ kind: ActingParty['kind']; name: string; handle: string }>`
    select actor_kind as kind, actor_name as name, actor_handle as handle from content_changes
    where content_id = ${contentId} and revision >= ${revision} order by revision limit 1`.execute(tx)
  const [writer] = rows
  if (writer === undefined) throw new Error('a file without the change that made it')
  return writer
}

/** For a step that deletes or moves files: what was edited in them is in the history before they go. */
export async function withEditsSaved<Result>(
  deps: DocumentDeps,
  step: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; tries < SAVE_TRIES; tries += 1)
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof UnsavedEdits)) throw error
      for (const id of error.documents) await saveDocument(deps, id)
    }
  throw new Problem('file_changed', { detail: 'Someone is typing in this file.' })
}

/** Documents whose edits should have been saved by now: their node has died or lost an engine. */
export async function findUnsaved(db: Db<ContentTables>, before: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from content_documents where version > saved_version and changed_at <= ${before}::timestamptz
    order by changed_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
