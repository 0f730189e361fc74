import { postProxyTicket, type WorkspaceRef } from '@patchbay/contracts/panels'
import { ask } from '../../../server/server.api.ts'

/** Lets one web view load pages from the isolated origin, for a while: of the web, or of the workspace. */
export async function fetchProxyTicket(
  { owner, repo }: WorkspaceRef,
  tabId: string,
  site: string | undefined,
  csrfToken: string,
  signal: AbortSignal,
) {
  const headers = { 'x-csrf-token': csrfToken }
  const { body } = await ask(
    postProxyTicket,
    { params: { owner, repo, tabId }, ...(site === undefined ? {} : { body: { url: site } }) },
    { signal, headers },
  )
  return body
}
