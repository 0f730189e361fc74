import { Problem } from '@patchbay/contracts/core'
import { getModel, type WorkspaceRef } from '@patchbay/contracts/panels'
import { UserError } from '../../../errors/user-error.ts'
import { allBytes, askContent } from '../../../server/ask-content.api.ts'
import { words } from './words.ts'

const DEADLINE_MS = 60_000

/** A model from the web, through our server: the page itself reaches no other. */
export async function fetchModel(
  { owner, repo }: WorkspaceRef,
  url: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const bytes = await askContent(
      getModel,
      { params: { owner, repo }, query: { url } },
      { signal, deadlineMs: DEADLINE_MS, headers: { accept: 'application/octet-stream' } },
      allBytes,
    )
    return bytes ?? new Uint8Array()
  } catch (error) {
    throw error instanceof Problem && error.code === 'source_unavailable'
      ? new UserError(words.notFetched.title, error.detail ?? words.notFetched.text, error)
      : error
  }
}
