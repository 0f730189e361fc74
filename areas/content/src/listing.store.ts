import type { ChangedPath, ContentChange, ContentFile, ContentFolder } from '@patchbay/contracts/content'
import type { ActingParty } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { type RawBuilder, sql } from 'kysely'
import type { ContentTables } from './tables.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  /** What the next page begins after. */
  readonly next: string | null
}

export interface PageWish {
  readonly after: string | undefined
  readonly limit: number
}

interface FileRow {
  readonly path: string
  readonly revision: number
  readonly sha256: string
  readonly size: number
  readonly media_type: string
  readonly at: Date
  readonly actor_kind: ActingParty['kind']
  readonly actor_name: string
  readonly actor_handle: string
}

function partyOf(row: Pick<FileRow, 'actor_kind' | 'actor_name' | 'actor_handle'>): ActingParty {
  return { kind: row.actor_kind, name: row.actor_name, handle: row.actor_handle }
}

function presentFile(row: FileRow): ContentFile {
  const { path, revision, sha256, size } = row
  return {
    path,
    revision,
    size,
    sha256,
    mediaType: row.media_type,
    changedAt: row.at.toISOString(),
    changedBy: partyOf(row),
  }
}

/**
 * A change may be forgotten while a file that it left is still there: the oldest change that is known stands for it then.
 */
const WITH_CHANGE = sql`
  join contents as content on content.id = file.content_id
  join content_changes as change on change.content_id = file.content_id
    and change.revision = greatest(file.revision, content.forgotten_revision)`
const COLUMNS = sql`file.revision, file.sha256, file.size, file.media_type,
  change.at, change.actor_kind, change.actor_name, change.actor_handle`

/** Every file below a folder, in the order of paths. */
export async function listFilesBelow(
  db: Db<ContentTables>,
  contentId: number,
  folder: string | undefined,
  { after, limit }: PageWish,
): Promise<Page<ContentFile>> {
  const [from, isBefore] = spanOf(folder, 'file.path')
  const { rows } = await sql<FileRow>`
    select file.path, ${COLUMNS} from content_files as file ${WITH_CHANGE}
    where file.content_id = ${contentId} and file.path > ${after ?? from} and ${isBefore}
    order by file.path limit ${limit + 1}`.execute(db)
  return pageOf(rows.map(presentFile), limit, ({ path }) => path)
}

export async function findListedFile(
  db: Db<ContentTables>,
  contentId: number,
  path: string,
): Promise<ContentFile | undefined> {
  const { rows } = await sql<FileRow>`
    select file.path, ${COLUMNS} from content_files as file ${WITH_CHANGE}
    where file.content_id = ${contentId} and file.path = ${path}`.execute(db)
  return rows.map(presentFile)[0]
}

/**
 * What every path in a folder is after, and the condition that it is before what follows: `0` is the sign after the slash.
 * No "or there is no folder" in the condition: PostgreSQL would read on to the end of the workspace.
 */
function spanOf(folder: string | undefined, path: string): readonly [string, RawBuilder<unknown>] {
  return folder === undefined ? ['', sql`true`] : [`${folder}/`, sql`${sql.ref(path)} < ${`${folder}0`}`]
}

export interface FolderEntry {
  readonly name: string
  readonly folder: ContentFolder | null
  readonly file: ContentFile | null
}

/** What is directly in a folder, in the order of names. */
export async function listFolder(
  db: Db<ContentTables>,
  contentId: number,
  folder: string | undefined,
  { after, limit }: PageWish,
): Promise<Page<FolderEntry>> {
  const [from, isBefore] = spanOf(folder, 'path')
  const { rows } = await sql<
    FileRow & { readonly name: string; readonly count: number | null; readonly bytes: number }
  >`
    with entry as (
      select split_part(substr(path, ${from.length + 1}), '/', 1) collate "C" as name,
        strpos(substr(path, ${from.length + 1}), '/') > 0 as is_folder, path, size
      from content_files
      where content_id = ${contentId} and path > ${from} and ${isBefore}
    ), listed as (
      select name, is_folder, count(*)::integer as count, sum(size)::bigint as bytes, min(path) as path
      from entry where name > ${after ?? ''}
      group by name, is_folder order by name limit ${limit + 1}
    )
    select listed.name, case when is_folder then listed.count end as count, listed.bytes, listed.path, ${COLUMNS}
    from listed
    join content_files as file on file.content_id = ${contentId} and file.path = listed.path ${WITH_CHANGE}
    order by listed.name`.execute(db)
  const entries = rows.map((row) => ({
    name: row.name,
    folder: row.count === null ? null : { path: from + row.name, files: row.count, bytes: row.bytes },
    file: row.count === null ? presentFile(row) : null,
  }))
  return pageOf(entries, limit, ({ name }) => name)
}

/** The last first. */
export async function listChanges(
  db: Db<ContentTables>,
  contentId: number,
  path: string | undefined,
  { after, limit }: PageWish,
): Promise<Page<ContentChange>> {
  const rows = await db
    .selectFrom('content_changes as change')
    .selectAll('change')
    .where('change.content_id', '=', contentId)
    .$if(after !== undefined, (query) => query.where('change.revision', '<', Number(after)))
    .$if(path !== undefined, (query) =>
      query.where((row) =>
        row.exists(
          row
            .selectFrom('content_versions as version')
            .select('version.path')
            .whereRef('version.content_id', '=', 'change.content_id')
            .whereRef('version.revision', '=', 'change.revision')
            .where('version.path', '=', path ?? ''),
        ),
      ),
    )
    .orderBy('change.revision', 'desc')
    .limit(limit + 1)
    .execute()
  const changes = rows.map((row) => ({
    revision: row.revision,
    at: row.at.toISOString(),
    by: partyOf(row),
    ...(row.editors === null ? {} : { editors: [...row.editors] }),
    reason: row.reason,
    author:
      row.author_name === null || row.author_at === null
        ? null
        : { name: row.author_name, at: row.author_at.toISOString() },
    paths: row.paths,
  }))
  return pageOf(changes, limit, ({ revision }) => String(revision))
}

/** What each path that was touched after one revision is at another, each once, in the order of paths. */
export async function listChangedPaths(
  db: Db<ContentTables>,
  contentId: number,
  { after: since, until }: { readonly after: number; readonly until: number },
  { after, limit }: PageWish,
): Promise<Page<ChangedPath>> {
  const { rows } = await sql<{
    readonly path: string
    readonly revision: number
    readonly sha256: string | null
    readonly size: number
    readonly media_type: string
    readonly moved_from: string | null
  }>`
    select distinct on (path) path, revision, sha256, size, media_type, moved_from
    from content_versions
    where content_id = ${contentId} and revision > ${since} and revision <= ${until} and path > ${after ?? ''}
    order by path, revision desc limit ${limit + 1}`.execute(db)
  const items = rows.map(
    ({ path, revision, sha256, size, media_type: mediaType, moved_from: movedFrom }) => ({
      path,
      revision,
      movedFrom,
      content: sha256 === null ? null : { sha256, size, mediaType },
    }),
  )
  return pageOf(items, limit, ({ path }) => path)
}

function pageOf<Item>(rows: readonly Item[], limit: number, keyOf: (item: Item) => string): Page<Item> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : null }
}
