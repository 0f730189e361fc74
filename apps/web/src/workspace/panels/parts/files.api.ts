import {
  type ChangedPath,
  type ContentChanged,
  type ContentFile,
  type FileOperation,
  getChangedPaths,
  getFile,
  getFileArchive,
  getFiles,
  postFileChanges,
  putFile,
} from '@patchbay/contracts/content'
import { address, Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { ask } from '../../../server/server.api.ts'
import { fetchWithProgress } from '../../../server/upload.api.ts'
import type { PanelHost } from '../../panel-definition.ts'

/** Who asks, and about which workspace. */
export type Asking = Pick<PanelHost, 'workspace' | 'csrfToken'>

/** A workspace has 10,000 files; a change may touch each of them under two names. */
const PAGE = 1_000
const MOST_PAGES = 50
/** Of a thousand files on a busy server, or of one file to look at. */
const READ_DEADLINE_MS = 30_000
/** A step of ten thousand files. */
const CHANGE_DEADLINE_MS = 60_000
/** As long as the server allows for one file. */
const UPLOAD_DEADLINE_MS = 60 * 60_000

interface Listed {
  readonly revision: number
  readonly files: readonly ContentFile[]
}

/** Every file. What happens meanwhile is missing from it, and told by `fetchChangedPaths` after its revision. */
export async function fetchFiles(params: WorkspaceRef, signal: AbortSignal): Promise<Listed> {
  const files: ContentFile[] = []
  let revision: number | undefined
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { recursive: true, limit: PAGE, ...(cursor !== undefined && { cursor }) }
    const { body } = await ask(getFiles, { params, query }, { signal, deadlineMs: READ_DEADLINE_MS })
    revision ??= body.revision
    files.push(...body.files)
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  return { revision: revision ?? 0, files }
}

export interface ChangedPaths {
  readonly revision: number
  readonly paths: readonly ChangedPath[]
}

/**
 * What has become of every path that was touched after a revision, up to the last one or to `until`. `undefined` where that
 * is not known anymore, or more than reading the whole again.
 */
export async function fetchChangedPaths(
  params: WorkspaceRef,
  span: { readonly after: number; readonly until?: number },
  signal: AbortSignal,
): Promise<ChangedPaths | undefined> {
  const paths: ChangedPath[] = []
  let { until } = span
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = {
      after: span.after,
      limit: PAGE,
      ...(until !== undefined && { until }),
      ...(cursor !== undefined && { cursor }),
    }
    const answer = await ask(
      getChangedPaths,
      { params, query },
      { signal, deadlineMs: READ_DEADLINE_MS },
    ).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'history_gone') return undefined
      throw error
    })
    if (answer === undefined) return undefined
    const { items, nextCursor, revision } = answer.body
    // Pages of one state, whatever is changed while they are read.
    until ??= revision
    paths.push(...items)
    if (nextCursor === null) return { revision: until, paths }
    cursor = nextCursor
  }
  return undefined
}

export interface Writing {
  /** The revision that may be replaced. Without it the file must be new. */
  readonly revision?: number | undefined
  readonly signal?: AbortSignal
  readonly onProgress?: (percent: number) => void
}

export async function writeFile(
  { workspace, csrfToken }: Asking,
  path: string,
  content: Blob,
  { revision, signal, onProgress = () => {} }: Writing = {},
): Promise<ContentFile> {
  const { body } = await ask(
    putFile,
    {
      params: workspace,
      query: { path },
      headers: revision === undefined ? {} : { 'if-match': `"${revision}"` },
      upload: content,
    },
    {
      headers: { 'x-csrf-token': csrfToken() },
      deadlineMs: UPLOAD_DEADLINE_MS,
      fetch: fetchWithProgress(onProgress),
      ...(signal !== undefined && { signal }),
    },
  )
  return body
}

/** All of it, or nothing. */
export async function changeFiles(
  { workspace, csrfToken }: Asking,
  operations: readonly FileOperation[],
): Promise<ContentChanged> {
  const { body } = await ask(
    postFileChanges,
    { params: workspace, body: { operations: [...operations] } },
    { headers: { 'x-csrf-token': csrfToken() }, deadlineMs: CHANGE_DEADLINE_MS },
  )
  return body
}

/** Where the browser fetches a file from to save it, with the session that it has. */
export function fileAddress(params: WorkspaceRef, path: string, revision?: number): string {
  return address(getFile.path, { params, query: { path, ...(revision !== undefined && { revision }) } })
}

/** The same for everything in a folder, or all there is, as a ZIP archive. */
export function archiveAddress(params: WorkspaceRef, folder: string | undefined): string {
  return address(getFileArchive.path, { params, query: folder === undefined ? {} : { folder } })
}
