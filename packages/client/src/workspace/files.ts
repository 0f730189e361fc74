import type {
  ChangedPath,
  ContentChange,
  ContentChanged,
  ContentFile,
  ContentFolder,
  EditedDocument,
  FileOperation,
  SearchResult,
} from '@patchbay/contracts/content'
import type { UploadBody } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Connection } from './connection.ts'
import { everyPage } from './paging.ts'
import { type Reason, reasonOf } from './panel-target.ts'
import {
  CHANGE_FILES,
  CHANGED_PATHS,
  DELETE_FILE,
  EDIT_FILE,
  FILE_ARCHIVE,
  FILE_CHANGES,
  LIST_FILES,
  MISSING_BLOBS,
  OPEN_DOCUMENT,
  PUT_BLOB,
  READ_BLOBS,
  READ_FILE,
  RESTORE_FILES,
  SEARCH_FILES,
  WRITE_FILE,
} from './routes.ts'

export interface FileList {
  /** Of the whole; moves with every change. */
  readonly revision: number
  readonly folders: readonly ContentFolder[]
  readonly files: readonly ContentFile[]
}

export interface OpenFile {
  readonly revision: number
  readonly size: number
  readonly sha256: string
  readonly mediaType: string
  /** To be read to its end, or canceled. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
}

export interface FileWrite extends Reason {
  /** The revision that was read; `'any'` for whatever is there. Without it the file must not exist yet. */
  readonly ifRevision?: number | 'any' | undefined
  readonly mediaType?: string | undefined
}

export interface TextEdit {
  readonly find: string
  readonly replace: string
}

export interface FileSearch {
  readonly caseSensitive?: boolean | undefined
  readonly wholeWord?: boolean | undefined
  /** A `*` in the text stands for anything between its neighbors, within the line. */
  readonly wildcards?: boolean | undefined
  /** A file, a folder, or a pattern such as `*.c`. */
  readonly path?: string | undefined
  /** Of lines, 1,000 at the most; 200 if not given. */
  readonly limit?: number | undefined
}

/** The files of one workspace. Every failure is a `Problem`, an `UnexpectedResponse` or `Unanswered`. */
export interface WorkspaceFiles {
  /** What is directly in a folder, or with `recursive` every file below it. */
  list(options?: { readonly folder?: string; readonly recursive?: boolean }): Promise<FileList>
  /** As it is, or as the change with this revision had left it. */
  open(path: string, options?: { readonly revision?: number | undefined }): Promise<OpenFile>
  /** The same, read to its end. */
  read(path: string, options?: { readonly revision?: number | undefined }): Promise<Uint8Array<ArrayBuffer>>
  /** Refused with `file_changed` when the file is not the expected one; the problem says what is there. */
  write(path: string, content: UploadBody | string, options?: FileWrite): Promise<ContentFile>
  /** Lines that hold a text, with what is being typed at this moment. `cut` says whether there may be more. */
  search(text: string, options?: FileSearch): Promise<SearchResult>
  /** The text of a file as people edit it at this moment, with what is not saved to it yet. */
  document(path: string): Promise<EditedDocument>
  /**
   * Replaces parts of a text file, also while people type in it: all of them, or none. Each `find` must be in it exactly once,
   * or it is refused with `text_not_unique`.
   */
  edit(path: string, edits: readonly TextEdit[], why?: Reason): Promise<{ readonly version: number }>
  remove(path: string, options?: Pick<FileWrite, 'ifRevision' | 'reason'>): Promise<ContentChanged>
  /** All of it happens, or nothing. Contents are uploaded before. */
  change(
    operations: readonly FileOperation[],
    options?: Reason & { readonly author?: { readonly name: string; readonly at: string } | undefined },
  ): Promise<ContentChanged>
  /** Bytes that a change will name. */
  upload(sha256: string, content: UploadBody): Promise<void>
  /** Which of these contents would have to be uploaded. */
  missing(sha256: readonly string[]): Promise<string[]>
  /** Several contents, one after the other: at most 1,000, whose sizes and hashes the caller knows and checks. */
  readContents(sha256: readonly string[]): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
  /** The last change first. */
  history(options?: {
    readonly path?: string | undefined
    readonly limit?: number | undefined
  }): Promise<ContentChange[]>
  /**
   * What each path that was touched after a revision is now, or was after the change `until`. With `waitSeconds`, waits for
   * something to happen.
   */
  changedSince(
    revision: number,
    options?: { readonly waitSeconds?: number | undefined; readonly until?: number | undefined },
  ): Promise<{ readonly revision: number; readonly items: readonly ChangedPath[] }>
  /** Makes everything what it was after a change. */
  restore(revision: number, why?: Reason): Promise<ContentChanged>
  /** Everything, or one folder, as a ZIP archive. */
  archive(options?: {
    readonly folder?: string | undefined
    readonly revision?: number | undefined
  }): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
}

/** For the largest file over a slow line. */
const UPLOAD_MS = 60 * 60_000
/** One that has to wait for others first. */
const SEARCH_MS = 40_000
const PAGE = 1_000
/** Of a server that says "more" forever. */
const MOST_CHANGES = 100_000

export function openFiles(connection: Connection, params: WorkspaceRef): WorkspaceFiles {
  const repeatable = { isRepeatable: true }

  const open: WorkspaceFiles['open'] = async (path, { revision } = {}) => {
    const query = revision === undefined ? { path } : { path, revision }
    const { body, headers } = await connection.open(READ_FILE, { params, query }, repeatable)
    return {
      body,
      revision: Number(headers.get('etag')?.replaceAll('"', '') ?? 0),
      size: Number(headers.get('content-length') ?? 0),
      sha256: sha256Of(headers.get('repr-digest')),
      mediaType: headers.get('content-type') ?? '',
    }
  }

  return {
    open,
    async list({ folder, recursive = false } = {}) {
      let revision = 0
      const folders: ContentFolder[] = []
      const files = await everyPage(async (cursor) => {
        const query = { ...cursor, recursive, limit: PAGE, ...(folder === undefined ? {} : { folder }) }
        const { body } = await connection.ask(LIST_FILES, { params, query }, repeatable)
        revision = body.revision
        folders.push(...body.folders)
        return { items: body.files, nextCursor: body.nextCursor }
      })
      return { revision, folders, files }
    },
    async read(path, options) {
      const { body } = await open(path, options)
      return new Uint8Array(await new Response(body).arrayBuffer())
    },
    async write(path, content, { ifRevision, mediaType, reason } = {}) {
      const upload = typeof content === 'string' ? new TextEncoder().encode(content) : content
      const query = { path, ...(mediaType === undefined ? {} : { mediaType }), ...reasonOf({ reason }) }
      const headers = ifRevision === undefined ? {} : { 'if-match': tagOf(ifRevision) }
      return (await connection.ask(WRITE_FILE, { params, query, headers, upload }, { waitMs: UPLOAD_MS }))
        .body
    },
    async search(text, options = {}) {
      const query = { text, ...given(options) }
      return (await connection.ask(SEARCH_FILES, { params, query }, { ...repeatable, waitMs: SEARCH_MS }))
        .body
    },
    async document(path) {
      return (await connection.ask(OPEN_DOCUMENT, { params, query: { path } }, repeatable)).body
    },
    async edit(path, edits, why = {}) {
      const body = { path, edits: edits.map((each) => ({ ...each })), ...reasonOf(why) }
      return (await connection.ask(EDIT_FILE, { params, body }, { waitMs: 60_000 })).body
    },
    async remove(path, { ifRevision = 'any', reason } = {}) {
      const query = { path, ...reasonOf({ reason }) }
      const headers = { 'if-match': tagOf(ifRevision) }
      return (await connection.ask(DELETE_FILE, { params, query, headers })).body
    },
    async change(operations, { reason, author } = {}) {
      const body = {
        operations: [...operations],
        ...reasonOf({ reason }),
        ...(author === undefined ? {} : { author: { ...author } }),
      }
      return (await connection.ask(CHANGE_FILES, { params, body }, { waitMs: 60_000 })).body
    },
    async upload(sha256, content) {
      const asked = { params: { ...params, sha256 }, upload: content }
      // A stream can be sent once.
      const isRepeatable = !(content instanceof ReadableStream)
      await connection.ask(PUT_BLOB, asked, { isRepeatable, waitMs: UPLOAD_MS })
    },
    async missing(sha256) {
      const body = { sha256: [...sha256] }
      return (await connection.ask(MISSING_BLOBS, { params, body }, repeatable)).body.missing
    },
    async readContents(sha256) {
      const body = { sha256: [...sha256] }
      return (await connection.open(READ_BLOBS, { params, body }, repeatable)).body
    },
    async history({ path, limit = MOST_CHANGES } = {}) {
      const changes: ContentChange[] = []
      let cursor: string | null = null
      do {
        const query: { path?: string; cursor?: string; limit: number } = {
          limit: Math.min(PAGE, limit - changes.length),
          ...(path === undefined ? {} : { path }),
          ...(cursor === null ? {} : { cursor }),
        }
        const { body }: { body: { items: ContentChange[]; nextCursor: string | null } } =
          await connection.ask(FILE_CHANGES, { params, query }, repeatable)
        changes.push(...body.items)
        cursor = body.items.length === 0 ? null : body.nextCursor
      } while (cursor !== null && changes.length < limit)
      return changes
    },
    async changedSince(after, { waitSeconds = 0, until } = {}) {
      const first = {
        after,
        limit: PAGE,
        wait: waitSeconds,
        ...(until === undefined ? {} : { until }),
      }
      const options = { ...repeatable, waitMs: waitSeconds * 1_000 }
      const { body } = await connection.ask(CHANGED_PATHS, { params, query: first }, options)
      const { revision, items, nextCursor } = body
      if (nextCursor === null) return { revision, items }
      // Of the same moment: what happens meanwhile is told the next time.
      let next: string | null = nextCursor
      const rest = await everyPage(async () => {
        const query: { after: number; until: number; limit: number; cursor?: string } = {
          after,
          until: revision,
          limit: PAGE,
          ...(next === null ? {} : { cursor: next }),
        }
        const page: { items: ChangedPath[]; nextCursor: string | null } = (
          await connection.ask(CHANGED_PATHS, { params, query }, repeatable)
        ).body
        next = page.nextCursor
        return page
      })
      return { revision, items: [...items, ...rest] }
    },
    async restore(revision, why) {
      const body = { revision, ...reasonOf(why) }
      return (await connection.ask(RESTORE_FILES, { params, body }, { waitMs: 60_000 })).body
    },
    async archive({ folder, revision } = {}) {
      const query = {
        ...(folder === undefined ? {} : { folder }),
        ...(revision === undefined ? {} : { revision }),
      }
      return (await connection.open(FILE_ARCHIVE, { params, query }, repeatable)).body
    },
  }
}

/** Without what was not said. */
function given(options: FileSearch): { [Key in keyof FileSearch]: Exclude<FileSearch[Key], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** Such as `sha-256=:…:`, as RFC 9530 has it. */
function sha256Of(digest: string | null): string {
  const [, encoded = ''] = /sha-256=:([A-Za-z0-9+/=]+):/.exec(digest ?? '') ?? []
  return Array.from(atob(encoded), (sign) => sign.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

function tagOf(revision: number | 'any'): string {
  return revision === 'any' ? '*' : `"${revision}"`
}
