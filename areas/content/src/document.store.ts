import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { rebaseUpdates } from '@codemirror/collab'
import { ChangeSet } from '@codemirror/state'
import type { DocumentEdit, EditedDocument } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { storeBytes } from './blob.store.ts'
import { UnsavedEdits, writeSaved } from './change.store.ts'
import { findContent, findFile, lockContent } from './content.store.ts'
import type { Admitted, ContentDeps } from './deps.ts'
import {
  applyChanges,
  changesBetween,
  type DocumentText,
  decodeText,
  encodeText,
  type LineEnd,
  type Replacement,
  readChanges,
  replaceText,
} from './document.ts'
import { type CurrentFile, requirePath } from './file-change.ts'
import { mediaTypeOf } from './media-types.ts'
import type { ContentTables } from './tables.ts'

type DocumentDeps = Pick<ContentDeps, 'db' | 'objects' | 'clock' | 'workspaces' | 'settings'>

/** Others write the file or edit it in the same moment; each of them gets on, so few tries are enough. */
const SAVE_TRIES = 20

interface DocumentRow {
  readonly id: number
  readonly contentId: number
  readonly owner: string | null
  readonly repo: string | null
  readonly path: string
  readonly fileRevision: number
  readonly sha256: string
  readonly savedVersion: number
  readonly version: number
  readonly length: number
  readonly lineEnd: LineEnd
}

interface Edit {
  readonly clientID: string
  readonly changes: ChangeSet
  readonly by: ActingParty
}

const SELECT_DOCUMENT = sql`
  select document.id, document.content_id as "contentId", content.owner, content.repo, document.path,
    document.file_revision as "fileRevision", document.sha256, document.saved_version as "savedVersion",
    document.version, document.length, document.line_end as "lineEnd"
  from content_documents as document join contents as content on content.id = document.content_id`

async function findDocument(db: Db<ContentTables>, id: number): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`${SELECT_DOCUMENT} where document.id = ${id}`.execute(db)
  return rows[0]
}

async function lockDocument(tx: Db<ContentTables>, id: number): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`
    ${SELECT_DOCUMENT} where document.id = ${id} for update of document`.execute(tx)
  return rows[0]
}

interface EditRow {
  readonly version: number
  readonly client_id: string
  readonly changes: string
  readonly actor_kind: ActingParty['kind']
  readonly actor_name: string
  readonly actor_handle: string
}

async function findEditRows(db: Db<ContentTables>, id: number, after: number, limit: number | null) {
  const { rows } = await sql<EditRow>`
    select version, client_id, changes, actor_kind, actor_name, actor_handle from content_edits
    where document_id = ${id} and version > ${after} order by version limit ${limit}`.execute(db)
  return rows
}

const partyOf = (row: EditRow): ActingParty => ({
  kind: row.actor_kind,
  name: row.actor_name,
  handle: row.actor_handle,
})

async function findEdits(db: Db<ContentTables>, id: number, after: number): Promise<Edit[]> {
  const rows = await findEditRows(db, id, after, null)
  return rows.map((row) => ({
    clientID: row.client_id,
    changes: ChangeSet.fromJSON(JSON.parse(row.changes)),
    by: partyOf(row),
  }))
}

/** The next edits, for those who have the document open. `undefined`: the first of them is no longer kept. */
export async function listEdits(
  db: Db<ContentTables>,
  id: number,
  after: number,
  limit: number,
): Promise<DocumentEdit[] | undefined> {
  const rows = await findEditRows(db, id, after, limit)
  if (rows[0]?.version !== after + 1) return undefined
  return rows.map((row) => ({
    clientId: row.client_id,
    changes: JSON.parse(row.changes) as unknown[],
    by: partyOf(row),
  }))
}

/** The document of a file, which is made if there is none, with its text. */
export async function openDocument(
  deps: DocumentDeps,
  at: WorkspaceRef,
  given: string,
): Promise<EditedDocument> {
  const path = requirePath(given)
  for (let tries = 0; tries < SAVE_TRIES; tries += 1) {
    const { id, file } = await findOrMakeDocument(deps, at, path)
    const document = await findDocument(deps.db, id)
    if (document === undefined) continue
    if (document.fileRevision !== file.revision) {
      if ((await saveDocument(deps, id)).outcome === 'not_text') throw notText(path)
      continue
    }
    const text = await currentText(deps, document)
    // Somebody has written the file or saved edits to it since the row was read.
    if (text === undefined) continue
    const { version, savedVersion } = document
    return { document: id, version, savedVersion, text: text.text }
  }
  throw new Problem('file_not_found', { extensions: { path } })
}

const notText = (path: string) => new Problem('file_not_text', { extensions: { path } })

async function findOrMakeDocument(
  { db, objects, clock }: DocumentDeps,
  at: WorkspaceRef,
  path: string,
): Promise<{ readonly id: number; readonly file: CurrentFile }> {
  const content = await findContent(db, at)
  const file = content && (await findFile(db, content.id, path))
  if (content === undefined || file === undefined)
    throw new Problem('file_not_found', { extensions: { path } })
  const found = await db
    .selectFrom('content_documents')
    .select('id')
    .where('content_id', '=', content.id)
    .where('path', '=', path)
    .executeTakeFirst()
  if (found !== undefined) return { id: found.id, file }
  const text = await readText({ objects }, file)
  if (text === undefined) throw notText(path)
  // Only for a file that is still there: whoever deletes it takes the document along.
  const { rows } = await sql<{ id: number }>`
    with file as (
      select content_id, path, revision, sha256 from content_files
      where content_id = ${content.id} and path = ${path} and revision = ${file.revision} for share
    ), made as (
      insert into content_documents (content_id, path, file_revision, sha256, length, line_end, changed_at)
      select content_id, path, revision, sha256, ${text.text.length}, ${text.lineEnd}, ${clock.now()}::timestamptz from file
      on conflict (content_id, path) do nothing returning id
    )
    select id from made union all
    select id from content_documents where content_id = ${content.id} and path = ${path}`.execute(db)
  // Made by somebody else in this moment, or the file is another one now: found at the next try.
  return { id: rows[0]?.id ?? 0, file }
}

async function readText(
  { objects }: Pick<DocumentDeps, 'objects'>,
  { sha256, size }: { readonly sha256: string; readonly size?: number },
): Promise<DocumentText | undefined> {
  // A character takes four bytes at most: what is larger need not be read.
  if (size !== undefined && size > DOCUMENT_LIMITS.characters * 4) return undefined
  const object = await objects.get(sha256)
  if (object === undefined) throw new Problem('objects_unavailable')
  const parts: Uint8Array[] = []
  for await (const part of object.stream) parts.push(part as Uint8Array)
  return decodeText(Buffer.concat(parts))
}

/** `undefined`: it was saved meanwhile, so that the edits do not belong to the text. */
async function currentText(
  { db, objects }: Pick<DocumentDeps, 'db' | 'objects'>,
  document: DocumentRow,
): Promise<DocumentText | undefined> {
  const [base, edits] = await Promise.all([
    readText({ objects }, document),
    findEdits(db, document.id, document.savedVersion),
  ])
  const count = document.version - document.savedVersion
  if (base === undefined || edits.length < count) return undefined
  const changes = edits.slice(0, count).map((edit) => edit.changes)
  return { text: applyChanges(base.text, changes), lineEnd: document.lineEnd }
}

export interface NewEdits {
  readonly document: number
  /** The version that the first of them was made on. */
  readonly version: number
  readonly clientId: string
  readonly edits: readonly unknown[]
}

/**
 * Appends edits, moved over what others have done since their version. Those of the same client among these are the
 * first of the given ones: they came twice, and count once.
 */
export async function pushEdits(
  { db, clock }: Pick<DocumentDeps, 'db' | 'clock'>,
  at: WorkspaceRef,
  { party, lock }: Pick<Admitted, 'party'> & Partial<Pick<Admitted, 'lock'>>,
  { document: id, version, clientId, edits: given }: NewEdits,
  reason?: string,
): Promise<number> {
  return await inTransaction(db, async (tx) => {
    const note = await lock?.(tx)
    const document = await lockDocument(tx, id)
    if (document === undefined || document.owner !== at.owner || document.repo !== at.repo)
      throw new Problem('file_not_found')
    const over = await findEdits(tx, id, version)
    if (version + over.length !== document.version) throw new Problem('edits_too_old')
    const made = readChanges(given, over[0]?.changes.length ?? document.length)
    const edits = rebaseUpdates(
      made.map((changes) => ({ changes, clientID: clientId })),
      over,
    )
    const last = edits.at(-1)
    if (last === undefined) return document.version
    const next = document.version + edits.length
    if (next - document.savedVersion > DOCUMENT_LIMITS.unsavedEdits)
      throw new Problem('limit_reached', { detail: 'Too many edits wait to be saved. Try again soon.' })
    await appendEdits(
      tx,
      document,
      clientId,
      edits.map(({ changes }) => changes),
      party,
      clock.now(),
    )
    await note?.(`files edit ${document.path}`.slice(0, 200), reason)
    return next
  })
}

async function appendEdits(
  tx: Db<ContentTables>,
  { id, version }: DocumentRow,
  clientId: string,
  edits: readonly ChangeSet[],
  by: ActingParty,
  now: Date,
): Promise<void> {
  await sql`
    with made as (
      insert into content_edits (document_id, version, client_id, changes, actor_kind, actor_name, actor_handle, at)
      select ${id}, ${version} + number, ${clientId}, changes, ${by.kind}, ${by.name}, ${by.handle}, ${now}::timestamptz
      from unnest(${edits.map((changes) => JSON.stringify(changes))}::text[]) with ordinality as edit (changes, number)
    )
    update content_documents
    set version = ${version + edits.length}, length = ${edits.at(-1)?.newLength ?? 0}, changed_at = ${now}::timestamptz
    where id = ${id}`.execute(tx)
}

/** Replaces parts of the text that is there now. */
export async function editDocument(
  deps: DocumentDeps,
  at: WorkspaceRef,
  who: Admitted,
  { path, edits, reason }: { path: string; edits: readonly Replacement[]; reason?: string | undefined },
  clientId: string,
): Promise<{ readonly document: number; readonly version: number }> {
  const { document, version, text } = await openDocument(deps, at, path)
  const changes = changesBetween(text, replaceText(text, edits))
  if (changes.empty) return { document, version }
  const push = { document, version, clientId, edits: [changes.toJSON() as unknown] }
  return { document, version: await pushEdits(deps, at, who, push, reason) }
}

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

export interface DocumentState {
  readonly id: number
  readonly version: number
  readonly savedVersion: number
  /** Whether the file was written by other means since. */
  readonly isOutdated: boolean
}

export async function findStates(db: Db<ContentTables>, ids: readonly number[]): Promise<DocumentState[]> {
  const { rows } = await sql<DocumentState>`
    select document.id, document.version, document.saved_version as "savedVersion",
      file.revision is distinct from document.file_revision as "isOutdated"
    from content_documents as document
    join contents as content on content.id = document.content_id and content.owner is not null
    left join content_files as file on file.content_id = document.content_id and file.path = document.path
    where document.id = any(${[...ids]}::bigint[])`.execute(db)
  return rows
}

/** The file that a page has open: `undefined` for a document of another workspace, or none. */
export async function findOpened(
  db: Db<ContentTables>,
  at: WorkspaceRef,
  id: number,
): Promise<{ readonly path: string; readonly contentId: number } | undefined> {
  const document = await findDocument(db, id)
  return document?.owner === at.owner && document.repo === at.repo ? document : undefined
}

/** What became of the file of a document that is gone: `still`, when only the document was forgotten. */
export async function findWhereabouts(
  db: Db<ContentTables>,
  contentId: number,
  path: string,
): Promise<'still' | { readonly movedTo: string | null }> {
  if ((await findFile(db, contentId, path)) !== undefined) return 'still'
  const { rows } = await sql<{ path: string }>`
    select version.path from content_versions as version
    join content_files as file on file.content_id = version.content_id and file.path = version.path
    where version.content_id = ${contentId} and version.moved_from = ${path}
    order by version.revision desc limit 1`.execute(db)
  return { movedTo: rows[0]?.path ?? null }
}
