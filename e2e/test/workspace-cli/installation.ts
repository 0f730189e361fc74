import { randomBytes } from 'node:crypto'
import { openSession } from '../installation/accounts.ts'
import { type CliUser, createCliUser } from '../client/run-cli.ts'
import { type ClientServer, startClientServer } from '../client/start-server.ts'
import { createApiKey } from './api-key.ts'
import { openStandIn, type StandInBrowser } from './stand-in-browser.ts'

/** A server, a person with a browser session, and shells that act with keys of theirs. */
export interface Installation extends AsyncDisposable {
  readonly server: ClientServer
  readonly url: string
  /** Whose workspaces they are. */
  readonly owner: string
  readonly session: string
  /** A name that no other test uses. */
  newWorkspace(): string
  apiKey(...scopes: string[]): Promise<string>
  /** What a shell with a key of these scopes knows. */
  environment(...scopes: string[]): Promise<Record<string, string>>
  /** A shell with a key of these scopes; `panels` for everything of the owner unless told. */
  shell(...scopes: string[]): Promise<CliUser>
  open(name: string): Promise<StandInBrowser>
}

export async function startInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const server = await startClientServer(settings)
  const owner = 'ada'
  const session = await openSession(server, { id: server.ada.id, handle: owner })
  const apiKey = (...scopes: string[]) =>
    createApiKey(server.url, session, scopes.length === 0 ? [`panels:${owner}/*`] : scopes)
  const environment = async (...scopes: string[]) => ({
    PATCHBAY_SERVER_URL: server.url,
    PATCHBAY_API_KEY: await apiKey(...scopes),
  })
  return {
    server,
    url: server.url,
    owner,
    session,
    newWorkspace: () => `${owner}/board-${randomBytes(4).toString('hex')}`,
    apiKey,
    environment,
    shell: async (...scopes) => await createCliUser(await environment(...scopes)),
    open: (name) => openStandIn({ url: server.url, session, owner, repo: name.split('/')[1] ?? '' }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
