import { ChangeSet } from '@codemirror/state'
import type { DocumentEdit } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { findFile } from './content.store.ts'
import type { ContentDeps } from './deps.ts'
import { applyChanges, type DocumentText, decodeText, type LineEnd } from './document.ts'
import type { ContentTables } from './tables.ts'

export type DocumentDeps = Pick<ContentDeps, 'db' | 'objects' | 'clock' | 'workspaces' | 'settings'>

export interface DocumentRow {
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

export interface Edit {
  readonly clientID: string
  readonly changes: ChangeSet
  readonly by: ActingParty
}

const SELECT_DOCUMENT = sql`
  select document.id, document.content_id as "contentId", content.owner, content.repo, document.path,
    document.file_revision as "fileRevision", document.sha256, document.saved_version as "savedVersion",
    document.version, document.length, document.line_end as "lineEnd"
  from content_documents as document join contents as content on content.id = document.content_id`

export async function findDocument(db: Db<ContentTables>, id: number): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`${SELECT_DOCUMENT} where document.id = ${id}`.execute(db)
  return rows[0]
}

/** Those of a workspace with edits that their files do not have yet, by path. */
export async function findUnsavedDocuments(
  db: Db<ContentTables>,
  contentId: number,
): Promise<ReadonlyMap<string, DocumentRow>> {
  const { rows } = await sql<DocumentRow>`
    ${SELECT_DOCUMENT} where document.content_id = ${contentId} and document.version > document.saved_version`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.path, row]))
}

export async function lockDocument(tx: Db<ContentTables>, id: number): Promise<DocumentRow | undefined> {
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

export async function findEdits(db: Db<ContentTables>, id: number, after: number): Promise<Edit[]> {
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

export async function appendEdits(
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

export async function readText(
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
export async function currentText(
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

/** Of one file, one after the other: more than anybody makes while a page is offline. */
const MOVES_FOLLOWED = 32

/** What became of the file of a document that is gone: `still`, when only the document was forgotten. */
export async function findWhereabouts(
  db: Db<ContentTables>,
  contentId: number,
  path: string,
): Promise<'still' | { readonly movedTo: string | null }> {
  if ((await findFile(db, contentId, path)) !== undefined) return 'still'
  // A move is in the history of both names at one revision. What was deleted, or deleted after another file took the
  // name, has no such pair.
  const { rows } = await sql<{ path: string }>`
    with recursive trail (path, revision, moves) as (
      select ${path}::text collate "C", 0::bigint, 0
      union all
      select moved.path, moved.revision, trail.moves + 1
      from trail
      cross join lateral (
        select revision, sha256 from content_versions
        where content_id = ${contentId} and path = trail.path order by revision desc limit 1) as last
      join content_versions as moved on moved.content_id = ${contentId}
        and moved.revision = last.revision and moved.moved_from = trail.path
      where last.sha256 is null and last.revision > trail.revision and trail.moves < ${MOVES_FOLLOWED}
    )
    select trail.path from trail
    join content_files as file on file.content_id = ${contentId} and file.path = trail.path
    order by trail.moves desc limit 1`.execute(db)
  return { movedTo: rows[0]?.path ?? null }
}
