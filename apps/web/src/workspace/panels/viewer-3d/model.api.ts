import { Problem } from '@patchbay/contracts/core'
import { getModel, type WorkspaceRef } from '@patchbay/contracts/panels'
import { UserError } from '../../../errors/user-error.ts'
import { ask } from '../../../server/server.api.ts'
import { words } from './words.ts'

const DEADLINE_MS = 60_000

/** A model from the web, through our server: the page itself reaches no other. */
export async function fetchModel(
  { owner, repo }: WorkspaceRef,
  url: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let bytes = new Uint8Array()
  // `ask` reads texts; a model is none.
  const fetchBytes: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok) return response
    bytes = new Uint8Array(await response.arrayBuffer())
    return new Response('', { status: response.status, headers: response.headers })
  }
  try {
    await ask(
      getModel,
      { params: { owner, repo }, query: { url } },
      { signal, deadlineMs: DEADLINE_MS, headers: { accept: 'application/octet-stream' }, fetch: fetchBytes },
    )
  } catch (error) {
    throw error instanceof Problem && error.code === 'source_unavailable'
      ? new UserError(words.notFetched.title, error.detail ?? words.notFetched.text, error)
      : error
  }
  return bytes
}
