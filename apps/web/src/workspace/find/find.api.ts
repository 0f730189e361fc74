import { getFileSearch, type SearchResult } from '@patchbay/contracts/content'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { ask } from '../../server/server.api.ts'
import type { FindWish } from '../last-search.ts'

/** More than anybody looks through. */
export const MOST_LINES = 500
/** A search may have to wait for others. */
const DEADLINE_MS = 40_000

export async function findInFiles(
  params: WorkspaceRef,
  { text, path, ...flags }: FindWish,
  signal: AbortSignal,
): Promise<SearchResult> {
  const wanted = path.trim()
  const query = { text, ...flags, limit: MOST_LINES, ...(wanted !== '' && { path: wanted }) }
  const { body } = await ask(getFileSearch, { params, query }, { signal, deadlineMs: DEADLINE_MS })
  return body
}
