import { checkBaseUrl } from '@patchbay/client'
import { checkServer } from '../account/account.ts'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import { type Credential, requireKey, sessionFor } from '../registry/credential.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import type { SourceSettings } from './settings.ts'

/** What a source is shown of who asks: the key that it names, the session of a login, or nothing. */
export async function accessOf(surroundings: CliSurroundings, settings: SourceSettings): Promise<Credential> {
  const { name, url, kind, apiKeyVariable, usesLogin } = settings
  if (apiKeyVariable !== undefined) return { apiKey: requireKey(surroundings, apiKeyVariable, name) }
  // A repository is anybody's: only who asks for it sends a session there.
  if (usesLogin !== true && kind === 'repository') return {}
  const server = kind === 'server' ? checkServer(url) : checkBaseUrl(new URL(url).origin)
  const session = await sessionFor(surroundings, server)
  if (usesLogin !== true || session.sessionToken !== undefined) return session
  throw new Refusal(
    EXIT.failed,
    'sign_in_required',
    `${name} needs you to be signed in to ${server}.\nRun "patchbay login --server ${server}".`,
  )
}

/** The session goes to its own origin alone, wherever a file or a redirect leads. */
export function fetchAs(origin: string, { sessionToken }: Credential): typeof fetch {
  if (sessionToken === undefined) return fetch
  return (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).origin === origin) request.headers.set('authorization', `Bearer ${sessionToken}`)
    return fetch(request)
  }
}
