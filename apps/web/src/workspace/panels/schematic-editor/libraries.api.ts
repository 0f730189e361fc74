import {
  type BoardLibrary,
  deleteBoardLibrary,
  getBoardLibraries,
  getBoardLibrarySymbols,
  putBoardLibrary,
} from '@patchbay/contracts/boards'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { getPackageSearch, type PackageSummary } from '@patchbay/contracts/registry'
import { ask } from '../../../server/server.api.ts'
import type { Asking } from '../parts/files.api.ts'

/** Of a large file, over a slow line. */
const READ_DEADLINE_MS = 30_000
/** The server fetches and unpacks it. */
const ADD_DEADLINE_MS = 5 * 60_000
const MOST_FOUND = 20

export async function fetchLibraries(
  params: WorkspaceRef,
  signal?: AbortSignal,
): Promise<readonly BoardLibrary[]> {
  return (await ask(getBoardLibraries, { params }, signal === undefined ? {} : { signal })).body.items
}

export async function addLibrary({ workspace, csrfToken }: Asking, identifier: string): Promise<void> {
  await ask(
    putBoardLibrary,
    { params: { ...workspace, identifier }, body: {} },
    { headers: { 'x-csrf-token': csrfToken() }, deadlineMs: ADD_DEADLINE_MS },
  )
}

export async function removeLibrary({ workspace, csrfToken }: Asking, identifier: string): Promise<void> {
  await ask(
    deleteBoardLibrary,
    { params: { ...workspace, identifier }, query: {} },
    { headers: { 'x-csrf-token': csrfToken() } },
  )
}

export async function fetchSymbols(
  { owner, repo }: WorkspaceRef,
  { identifier }: Pick<BoardLibrary, 'identifier'>,
  { href }: BoardLibrary['symbols'][number],
  signal: AbortSignal,
): Promise<string> {
  const sha256 = href.slice(href.lastIndexOf('/') + 1)
  const { body } = await ask(
    getBoardLibrarySymbols,
    { params: { owner, repo, identifier, sha256 } },
    { signal, deadlineMs: READ_DEADLINE_MS },
  )
  return body ?? ''
}

/** Libraries of the registry, the best match first. */
export async function searchLibraries(q: string, signal: AbortSignal): Promise<readonly PackageSummary[]> {
  const query = { type: 'library' as const, limit: MOST_FOUND, ...(q !== '' && { q }) }
  return (await ask(getPackageSearch, { query }, { signal })).body.items
}
