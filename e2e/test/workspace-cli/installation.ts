import { randomBytes } from 'node:crypto'
import { createUser, type User } from '@patchbay/cli/test/user'
import { type Site, type SiteOptions, startSite } from '../identity-pages/site.ts'
import { makeAccount, openSession } from '../installation/accounts.ts'
import { createApiKey } from './api-key.ts'
import { openStandIn, type StandInBrowser } from './stand-in-browser.ts'

/** A server, a person with a browser session, and shells that act with keys of theirs. */
export interface Installation extends AsyncDisposable, Pick<Site, 'db'> {
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
  shell(...scopes: string[]): Promise<User>
  open(name: string): Promise<StandInBrowser>
}

let shared: Promise<Site> | undefined

/** Somebody new at the server that all test files of a process share. It ends with the process. */
export async function joinInstallation(): Promise<Installation> {
  shared ??= startSite()
  return await furnish(await shared, `ada-${randomBytes(3).toString('hex')}`)
}

export async function startInstallation(
  settings: Record<string, string> = {},
  options: Pick<SiteOptions, 'databaseUrl'> = {},
): Promise<Installation> {
  return await furnish(await startSite({ ...options, environment: settings }), 'ada')
}

async function furnish(site: Site, owner: string): Promise<Installation> {
  const { url } = site
  const session = await openSession(site, await makeAccount(site, owner))
  const apiKey = (...scopes: string[]) =>
    createApiKey(url, session, scopes.length === 0 ? [`panels:${owner}/*`] : scopes)
  const environment = async (...scopes: string[]) => ({
    PATCHBAY_SERVER_URL: url,
    PATCHBAY_API_KEY: await apiKey(...scopes),
  })
  return {
    url,
    db: site.db,
    owner,
    session,
    newWorkspace: () => `${owner}/board-${randomBytes(4).toString('hex')}`,
    apiKey,
    environment,
    shell: async (...scopes) => await createUser(await environment(...scopes)),
    open: (name) => openStandIn({ url, session, owner, repo: name.split('/')[1] ?? '' }),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}
