import { type ContentChange, getFile, getFileChanges, postRestore } from '@patchbay/contracts/content'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
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

/** The bytes of a file as it is or as a change had left it; of one that has more than `most`, a little more than that. */
export async function fetchContent(
  params: WorkspaceRef,
  { path, revision, most }: { readonly path: string; readonly revision?: number; readonly most: number },
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array()
  // `ask` reads texts; a file may be none.
  const fetchBytes: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok) return response
    bytes = await readBytes(response, most)
    return new Response('', { status: response.status, headers: response.headers })
  }
  await ask(
    getFile,
    { params, query: { path, ...(revision !== undefined && { revision }) } },
    { signal, deadlineMs: READ_DEADLINE_MS, fetch: fetchBytes },
  )
  return bytes
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
