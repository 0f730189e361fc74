import { type ContentChange, getFile, getFileChanges, postRestore } from '@patchbay/contracts/content'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { askContent } from '../../../server/ask-content.api.ts'
import { ask } from '../../../server/server.api.ts'
import type { ListPage } from '../../../session/use-list.ts'
import type { Asking } from '../parts/files.api.ts'

const PAGE = 50
/** A file to look at, over a slow line. */
const READ_DEADLINE_MS = 30_000
/** A step of ten thousand files. */
const CHANGE_DEADLINE_MS = 60_000

export async function restoreEverything({ workspace, csrfToken }: Asking, revision: number): Promise<void> {
  await ask(
    postRestore,
    { params: workspace, body: { revision } },
    { headers: { 'x-csrf-token': csrfToken() }, deadlineMs: CHANGE_DEADLINE_MS },
  )
}

/** Of one path, or of everything. */
export async function fetchHistory(
  params: WorkspaceRef,
  path: string | undefined,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<ListPage<ContentChange>> {
  const query = {
    limit: PAGE,
    ...(path !== undefined && { path }),
    ...(cursor !== undefined && { cursor }),
  }
  const { body } = await ask(getFileChanges, { params, query }, signal === undefined ? {} : { signal })
  return { items: body.items, next_cursor: body.nextCursor }
}

interface Wanted {
  readonly path: string
  readonly revision?: number
  /** Of a file that has more bytes, a little more than that are read. */
  readonly most: number
}

/** The bytes of a file as it is or as a change had left it. */
export async function fetchContent(
  params: WorkspaceRef,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes } = (await fetchTagged(params, wanted, signal)) ?? { bytes: new Uint8Array() }
  return bytes
}

export interface TaggedContent {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Another one as soon as the file is changed. */
  readonly tag: string
}

/** The same with its tag. `undefined` if the file still has the tag that is known. */
export async function fetchTagged(
  params: WorkspaceRef,
  { path, revision, most, known }: Wanted & { readonly known?: string },
  signal: AbortSignal,
): Promise<TaggedContent | undefined> {
  return await askContent(
    getFile,
    { params, query: { path, ...(revision !== undefined && { revision }) } },
    {
      signal,
      deadlineMs: READ_DEADLINE_MS,
      ...(known !== undefined && { headers: { 'if-none-match': known } }),
    },
    async (response) => ({
      bytes: await readBytes(response, most),
      tag: response.headers.get('etag') ?? '',
    }),
  )
}

/** No range is asked for: there is none of an empty file, which would be a refusal. */
async function readBytes(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let size = 0; size <= most; size += parts.at(-1)?.byteLength ?? 0) {
    const { value } = (await reader?.read()) ?? {}
    if (value === undefined) break
    parts.push(value)
  }
  await reader?.cancel()
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
