import { type ContentFile, type FileOperation, foldersOf, foldPath } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { FILE_LIMITS } from '@patchbay/contracts/limits'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { findBlobs } from './blob.store.ts'
import { type ContentRow, findVersion, lockContent, readTree } from './content.store.ts'
import type { Admitted } from './deps.ts'
import {
  applyOperations,
  type Base,
  type Content,
  type CurrentFile,
  normalizeOperation,
  type TouchedPath,
  versionKey,
} from './file-change.ts'
import { findListedFile } from './listing.store.ts'
import type { ContentTables } from './tables.ts'

export interface FileChange {
  readonly operations: readonly FileOperation[]
  readonly reason?: string | undefined
  readonly author?: { readonly name: string; readonly at: string } | undefined
}

export interface Changed {
  readonly revision: number
  readonly paths: number
}

/** All of it, or nothing: one transaction under the lock of the workspace's row, then of its content's. */
export async function changeFiles(
  db: Db<ContentTables>,
  at: WorkspaceRef,
  who: Admitted,
  change: FileChange,
  now: Date,
): Promise<Changed> {
  return await inTransaction(db, async (tx) => (await changeIn(tx, at, who, change, now)).changed)
}

/** One file, with what it is then: a moment later it may be what somebody else has written. */
export async function writeFile(
  db: Db<ContentTables>,
  at: WorkspaceRef,
  who: Admitted,
  { operation, reason }: { readonly operation: FileOperation; readonly reason: string | undefined },
  now: Date,
): Promise<{ readonly changed: Changed; readonly file: ContentFile }> {
  return await inTransaction(db, async (tx) => {
    const { id, changed } = await changeIn(tx, at, who, { operations: [operation], reason }, now)
    const file = await findListedFile(tx, id, operation.path)
    if (file === undefined) throw new Error('the file that was just written is not there')
    return { changed, file }
  })
}

/** The same in a transaction of somebody else. */
export async function changeIn(
  tx: Db<ContentTables>,
  at: WorkspaceRef,
  who: Admitted,
  change: FileChange,
  now: Date,
): Promise<{ readonly id: number; readonly changed: Changed }> {
  const operations = change.operations.map(normalizeOperation)
  const note = await who.lock(tx)
  const content = await lockContent(tx, at)
  const touched = applyOperations(await readBase(tx, content, operations), operations)
  return { id: content.id, changed: await write(tx, content, { who, change, note, now }, touched) }
}

/** Makes everything what it was after a change. */
export async function restoreTree(
  db: Db<ContentTables>,
  at: WorkspaceRef,
  who: Admitted,
  { revision, reason }: { readonly revision: number; readonly reason?: string | undefined },
  now: Date,
): Promise<Changed> {
  return await inTransaction(db, async (tx) => {
    const note = await who.lock(tx)
    const content = await lockContent(tx, at)
    requireKnown(content, revision)
    const before = new Map(
      (await readTree(tx, content.id, content.revision)).map((file) => [file.path, file]),
    )
    const wanted = new Map((await readTree(tx, content.id, revision)).map((file) => [file.path, file]))
    const gone = [...before.keys()].filter((path) => !wanted.has(path))
    const written = [...wanted.values()].filter(({ path, sha256, mediaType }) => {
      const there = before.get(path)
      return there?.sha256 !== sha256 || there.mediaType !== mediaType
    })
    const touched: TouchedPath[] = [
      ...gone.map((path) => ({ path, content: null, movedFrom: null })),
      ...written.map((file) => ({ path: file.path, content: file, movedFrom: null })),
    ]
    const change: FileChange = { operations: [], reason }
    return await write(tx, content, { who, change, note, now, name: `files restore ${revision}` }, touched)
  })
}

/** A state before the oldest that is kept cannot be told from one that never was. */
export function requireKnown(
  { revision, forgottenRevision }: Pick<ContentRow, 'revision' | 'forgottenRevision'>,
  wanted: number,
): void {
  if (wanted < forgottenRevision) throw new Problem('history_gone')
  if (wanted > revision) throw new Problem('invalid_request', { detail: `The last revision is ${revision}.` })
}

/** Somebody has edited files that a step deletes or moves: their edits are to be saved first. */
export class UnsavedEdits extends Error {
  readonly documents: readonly number[]

  constructor(documents: readonly number[]) {
    super('these files have edits that are not saved yet')
    this.documents = documents
  }
}

/**
 * The documents of files that go, go with them. Under the lock of their rows: an edit that comes later finds no document,
 * and one that came before is seen.
 */
async function releaseDocuments(
  tx: Db<ContentTables>,
  contentId: number,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  const { rows } = await sql<{ id: number; isUnsaved: boolean }>`
    select id, version > saved_version as "isUnsaved" from content_documents
    where content_id = ${contentId} and path = any(${[...paths]}::text[]) for update`.execute(tx)
  const unsaved = rows.filter(({ isUnsaved }) => isUnsaved)
  if (unsaved.length > 0) throw new UnsavedEdits(unsaved.map(({ id }) => id))
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('content_documents').where('id', 'in', ids).execute()
}

/** Of those whose edits one change saves; there are hardly ever more. */
const EDITORS_NAMED = 20

/** What people have edited together becomes the file. Answers the revision that it has then. */
export async function writeSaved(
  tx: Db<ContentTables>,
  content: ContentRow,
  { path, ...made }: Content & { readonly path: string },
  saving: {
    /** Whoever edited last comes first. */
    readonly editors: readonly ActingParty[]
    readonly note: (by: ActingParty, action: string) => Promise<void>
    readonly now: Date
  },
): Promise<number> {
  const { note, now } = saving
  const editors = saving.editors.slice(0, EDITORS_NAMED)
  const [party] = editors
  if (party === undefined) throw new Error('nothing was edited')
  const noteAll = async (action: string) => {
    // Whoever edits from outside was noted when they did.
    for (const by of editors) if (by.kind === 'browser') await note(by, action)
  }
  const { revision } = await write(
    tx,
    content,
    {
      who: { party },
      editors: editors.length > 1 ? editors : undefined,
      change: { operations: [] },
      note: noteAll,
      now,
      name: `files edit ${path}`.slice(0, 200),
    },
    [{ path, content: made, movedFrom: null }],
  )
  return revision
}

interface Writing {
  readonly who: Pick<Admitted, 'party'>
  /** Where they were several. */
  readonly editors?: readonly ActingParty[] | undefined
  readonly change: FileChange
  readonly note: (action: string, reason: string | undefined) => Promise<void>
  readonly now: Date
  readonly name?: string
}

async function write(
  tx: Db<ContentTables>,
  content: ContentRow,
  { who, editors, change, note, now, name }: Writing,
  touched: readonly TouchedPath[],
): Promise<Changed> {
  if (touched.length === 0) return { revision: content.revision, paths: 0 }
  const gone = touched.filter((each) => each.content === null)
  await releaseDocuments(
    tx,
    content.id,
    gone.map(({ path }) => path),
  )
  const revision = content.revision + 1
  await note(name ?? actionName(change.operations, touched), change.reason)
  const { files, bytes } = await replaceFiles(tx, content, revision, touched)
  await tx
    .insertInto('content_changes')
    .values({
      content_id: content.id,
      revision,
      actor_kind: who.party.kind,
      actor_name: who.party.name,
      actor_handle: who.party.handle,
      editors: editors === undefined ? null : JSON.stringify(editors),
      reason: change.reason ?? null,
      author_name: change.author?.name ?? null,
      author_at: change.author === undefined ? null : new Date(change.author.at),
      paths: touched.length,
      at: now,
    })
    .execute()
  await tx.updateTable('contents').set({ revision, files, bytes }).where('id', '=', content.id).execute()
  return { revision, paths: touched.length }
}

/** Such as `files put src/main.c`, for the people who watch. */
function actionName(operations: readonly FileOperation[], touched: readonly TouchedPath[]): string {
  const [first] = operations
  if (operations.length === 1 && first !== undefined) return `files ${first.op} ${first.path}`.slice(0, 200)
  return `files change (${touched.length})`
}

async function replaceFiles(
  tx: Db<ContentTables>,
  content: ContentRow,
  revision: number,
  touched: readonly TouchedPath[],
): Promise<{ readonly files: number; readonly bytes: number }> {
  const paths = touched.map(({ path }) => path)
  // All of them, also those that are written again: counting what goes and what comes is then the same for every change.
  const removed = await tx
    .deleteFrom('content_files')
    .where('content_id', '=', content.id)
    .where('path', '=', (row) => row.fn.any(row.val(paths)))
    .returning('size')
    .execute()
  const written = touched.flatMap(({ path, content: made }) => (made === null ? [] : [{ ...made, path }]))
  await requireFree(
    tx,
    content.id,
    written.map(({ path }) => path),
  )
  const files = content.files - removed.length + written.length
  const bytes = content.bytes - sum(removed) + sum(written)
  if (files > FILE_LIMITS.files && files > content.files)
    throw new Problem('limit_reached', { detail: `A workspace can hold ${FILE_LIMITS.files} files.` })
  if (bytes > FILE_LIMITS.workspaceBytes && bytes > content.bytes)
    throw new Problem('limit_reached', { detail: 'A workspace can hold 5 GiB of files.' })
  await sql`
    with written as (
      insert into content_files (content_id, path, folded, revision, sha256, size, media_type)
      select ${content.id}, path, folded, ${revision}, sha256, size, media_type from unnest(
        ${written.map(({ path }) => path)}::text[],
        ${written.map(({ path }) => foldPath(path))}::text[],
        ${written.map(({ sha256 }) => sha256)}::text[],
        ${written.map(({ size }) => size)}::bigint[],
        ${written.map(({ mediaType }) => mediaType)}::text[]) as file (path, folded, sha256, size, media_type)
    ), named as (
      update content_blobs set is_named = true
      where content_id = ${content.id} and not is_named
        and sha256 = any(${written.map(({ sha256 }) => sha256)}::text[])
    )
    insert into content_versions (content_id, path, revision, sha256, size, media_type, moved_from)
    select ${content.id}, path, ${revision}, sha256, size, media_type, moved_from from unnest(
      ${paths}::text[],
      ${touched.map((each) => each.content?.sha256 ?? null)}::text[],
      ${touched.map((each) => each.content?.size ?? null)}::bigint[],
      ${touched.map((each) => each.content?.mediaType ?? null)}::text[],
      ${touched.map((each) => each.movedFrom)}::text[]) as version (path, sha256, size, media_type, moved_from)`.execute(
    tx,
  )
  return { files, bytes }
}

const sum = (files: readonly { readonly size: number }[]) => files.reduce((all, { size }) => all + size, 0)

/**
 * No file where a folder has to be, no folder where a file has to be, and nothing that differs from something else by
 * upper and lower case alone: such a workspace could not be written to every disk. What is there already fits together,
 * so one file of a folder shows how the folder is spelled.
 */
async function requireFree(
  tx: Db<ContentTables>,
  contentId: number,
  written: readonly string[],
): Promise<void> {
  if (written.length === 0) return
  const folders = [...new Set(written.flatMap(foldersOf))]
  requireConsistent(written, folders)
  const { rows } = await sql<{ readonly wanted: string; readonly taken: string }>`
    select wanted.path as wanted, file.path as taken
    from unnest(${[...written, ...folders]}::text[], ${[...written, ...folders].map(foldPath)}::text[]) as wanted (path, folded)
    join content_files as file on file.content_id = ${contentId} and file.folded = wanted.folded
    union all
    select wanted.path, below.path
    from unnest(${folders}::text[], ${folders.map(foldPath)}::text[]) as wanted (path, folded)
    cross join lateral (
      select path from content_files
      where content_id = ${contentId} and folded > wanted.folded || '/' and folded < wanted.folded || '0' limit 1) as below
    where left(below.path, length(wanted.path) + 1) <> wanted.path || '/'
    union all
    select wanted.path, below.path
    from unnest(${written}::text[], ${written.map(foldPath)}::text[]) as wanted (path, folded)
    cross join lateral (
      select path from content_files
      where content_id = ${contentId} and folded > wanted.folded || '/' and folded < wanted.folded || '0' limit 1) as below
    limit 1`.execute(tx)
  const [conflict] = rows
  if (conflict !== undefined) throw pathTaken(conflict.wanted, conflict.taken)
}

/** The same among what one step writes. */
function requireConsistent(written: readonly string[], folders: readonly string[]): void {
  const spelled = new Map<string, string>()
  for (const path of [...folders, ...written]) {
    const folded = foldPath(path)
    const other = spelled.get(folded)
    if (other !== undefined) throw pathTaken(path, other)
    spelled.set(folded, path)
  }
}

const pathTaken = (path: string, taken: string) =>
  new Problem('path_taken', { detail: `${taken} is there already.`, extensions: { path, taken } })

async function readBase(
  tx: Db<ContentTables>,
  content: ContentRow,
  operations: readonly FileOperation[],
): Promise<Base> {
  const { id } = content
  const named = operations.flatMap((each) => (each.op === 'move' ? [each.path, each.to] : [each.path]))
  const folders = operations.flatMap((each) =>
    each.op === 'move' ? [each.path, each.to] : each.op === 'delete' ? [each.path] : [],
  )
  const hashes = operations.flatMap((each) => (each.op === 'put' ? [each.sha256] : []))
  const { rows: files } = await sql<CurrentFile>`
    select path, revision, sha256, size, media_type as "mediaType" from content_files
    where content_id = ${id} and path = any(${named}::text[])
    union
    select file.path, file.revision, file.sha256, file.size, file.media_type
    from unnest(${folders}::text[]) as folder (path)
    join content_files as file on file.content_id = ${id}
      and file.path > (folder.path || '/') collate "C" and file.path < (folder.path || '0') collate "C"`.execute(
    tx,
  )
  const versions = new Map<string, Content | null>()
  for (const each of operations) {
    if (each.op !== 'restore') continue
    // What was forgotten looks as if it had never been there: it would be deleted.
    requireKnown(content, each.revision)
    versions.set(versionKey(each.path, each.revision), await findVersion(tx, id, each.path, each.revision))
  }
  return {
    files: new Map(files.map((file) => [file.path, file])),
    blobs: await findBlobs(tx, id, hashes),
    versions,
  }
}
