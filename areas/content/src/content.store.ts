import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { CompiledQuery, sql } from 'kysely'
import type { Content, CurrentFile } from './file-change.ts'
import type { ContentTables } from './tables.ts'

export interface ContentRow {
  readonly id: number
  readonly revision: number
  readonly files: number
  readonly bytes: number
  readonly storedBytes: number
  readonly forgottenRevision: number
}

const COLUMNS = [
  'id',
  'revision',
  'files',
  'bytes',
  'stored_bytes as storedBytes',
  'forgotten_revision as forgottenRevision',
] as const

/** `undefined`: nobody has ever put a file there. */
export async function findContent(db: Db<ContentTables>, at: WorkspaceRef): Promise<ContentRow | undefined> {
  return await contentAt(db, at).executeTakeFirst()
}

function contentAt(db: Db<ContentTables>, { owner, repo }: WorkspaceRef) {
  return db.selectFrom('contents').select(COLUMNS).where('owner', '=', owner).where('repo', '=', repo)
}

/** Locks the row until the transaction ends, and makes it if need be. */
export async function lockContent(tx: Db<ContentTables>, at: WorkspaceRef): Promise<ContentRow> {
  const lock = () => contentAt(tx, at).forUpdate().executeTakeFirst()
  const there = await lock()
  if (there !== undefined) return there
  await tx
    .insertInto('contents')
    .values({ owner: at.owner, repo: at.repo })
    .onConflict((conflict) => conflict.columns(['owner', 'repo']).doNothing())
    .execute()
    .catch((error: unknown) => {
      // The workspace went while bytes were on their way to it.
      throw isMissingWorkspace(error) ? new Problem('workspace_not_found') : error
    })
  const made = await lock()
  if (made === undefined) throw new Problem('workspace_not_found')
  return made
}

function isMissingWorkspace(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return [error, cause].some((each) => (each as { code?: string } | undefined)?.code === '23503')
}

/** What a file was after a change: `null` where there was none. */
export async function findVersion(
  db: Db<ContentTables>,
  contentId: number,
  path: string,
  revision: number,
): Promise<(Content & { readonly revision: number }) | null> {
  const row = await db
    .selectFrom('content_versions')
    .select(['sha256', 'size', 'media_type as mediaType', 'revision'])
    .where('content_id', '=', contentId)
    .where('path', '=', path)
    .where('revision', '<=', revision)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  const { sha256, size, mediaType } = row
  return sha256 === null || size === null || mediaType === null
    ? null
    : { sha256, size, mediaType, revision: row.revision }
}

export async function findFile(
  db: Db<ContentTables>,
  contentId: number,
  path: string,
): Promise<CurrentFile | undefined> {
  return await db
    .selectFrom('content_files')
    .select(['path', 'revision', 'sha256', 'size', 'media_type as mediaType'])
    .where('content_id', '=', contentId)
    .where('path', '=', path)
    .executeTakeFirst()
}

export interface FoundFile {
  /** `undefined`: nobody has ever put a file there. */
  readonly content: Pick<ContentRow, 'id' | 'revision' | 'forgottenRevision'> | undefined
  readonly file: CurrentFile | undefined
}

const FILE_AT = `
  select content.id, content.revision, content.forgotten_revision as "forgottenRevision", file.path,
    file.revision as "fileRevision", file.sha256, file.size, file.media_type as "mediaType"
  from contents content left join content_files file on file.content_id = content.id and file.path = $3
  where content.owner = $1 and content.repo = $2`

type FileAtRow = NonNullable<FoundFile['content']> &
  (
    | { readonly path: null }
    | (Omit<CurrentFile, 'revision'> & { readonly fileRevision: CurrentFile['revision'] })
  )

/** A file and what it is one of, in one statement that is not built anew: reading is mostly this. */
export async function findFileAt(
  db: Db<ContentTables>,
  { owner, repo }: WorkspaceRef,
  path: string,
): Promise<FoundFile> {
  const { rows } = await db.executeQuery<FileAtRow>(CompiledQuery.raw(FILE_AT, [owner, repo, path]))
  const [row] = rows
  if (row === undefined) return { content: undefined, file: undefined }
  if (row.path === null) return { content: row, file: undefined }
  const { path: there, fileRevision: revision, sha256, size, mediaType } = row
  return { content: row, file: { path: there, revision, sha256, size, mediaType } }
}

/** Every file as a change had left them, in the order of paths. */
export async function readTree(
  db: Db<ContentTables>,
  contentId: number,
  revision: number,
): Promise<CurrentFile[]> {
  const { rows } = await sql<CurrentFile & { readonly sha256: string | null }>`
    select path, revision, sha256, size, media_type as "mediaType" from (
      select distinct on (path) * from content_versions
      where content_id = ${contentId} and revision <= ${revision}
      order by path, revision desc) as latest
    where sha256 is not null order by path`.execute(db)
  return rows
}
