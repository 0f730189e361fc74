import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSimulation } from '@patchbay/dev/simulation'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import type { IdentityTables } from '@patchbay/identity'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { createDatabase } from '@patchbay/kernel/postgres'
import { serverConfig, startServer } from '@patchbay/server'
import { forgetAtExit, removeAtExit } from '@patchbay/testkit/leftovers'
import { withFreePort } from '@patchbay/testkit/ports'
import { buildApp } from '@patchbay/web/test/build-app'
import { type Books, createSecret } from '../installation/accounts.ts'
import { preparedDatabase } from '../installation/database.ts'

/** A whole installation: the server with the built pages, a database, and an issuer called Acme. */
export interface Site extends AsyncDisposable, Books {
  /** With `localhost`: passkeys and `__Host-` cookies need a name that the browser trusts. */
  readonly url: string
}

export interface SiteOptions {
  readonly signUp?: 'open' | 'issuer' | 'invited'
  readonly hasIssuer?: boolean
  /** An empty database; without it a copy of a prepared one, which only tests can have. */
  readonly databaseUrl?: string
  /** As a server for development does. */
  readonly canSimulate?: boolean
  /** Further variables of the server's configuration. */
  readonly environment?: Readonly<Record<string, string>>
}

const SURROUNDINGS = { now: Date.now, random: Math.random }
const shared = new Map<string, Promise<Site>>()

/** The installation that all test files of a process share, one for each set of options. It ends with the process. */
export async function sharedSite(options: SiteOptions = {}): Promise<Site> {
  const key = JSON.stringify(options)
  const known = shared.get(key)
  if (known !== undefined) return await known
  const started = startSite(options)
  shared.set(key, started)
  // The next file tries anew, instead of failing for what may have passed.
  started.catch(() => shared.delete(key))
  return await started
}

export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { signUp = 'open', hasIssuer = true, environment = {} } = options
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-faces-'))
  const removeNow = () => rmSync(folder, { recursive: true, force: true })
  removeAtExit(removeNow)
  cleanup.defer(async () => {
    forgetAtExit(removeNow)
    await rm(folder, { recursive: true, force: true })
  })
  const log = createLog({ level: 'error', process: 'server' })
  const databaseUrl = options.databaseUrl ?? cleanup.use(await preparedDatabase()).url
  const provider = cleanup.use(await startOidcProvider())
  const issuer = { id: 'acme', name: 'Acme', issuer: provider.issuer, client_id: 'faces' }
  const lifecycle = new Lifecycle(log)
  cleanup.defer(async () => void (await lifecycle.stop(5_000)))
  const simulation = options.canSimulate === true ? createSimulation(SURROUNDINGS) : undefined
  cleanup.defer(async () => simulation?.close())
  const url = await withFreePort(async (port) => {
    const publicUrl = `http://localhost:${port}`
    const config = readConfig(serverConfig, {
      DATABASE_URL: databaseUrl,
      PATCHBAY_PORT: String(port),
      PATCHBAY_PROXY_PORT: '0',
      PATCHBAY_PUBLIC_URL: publicUrl,
      PATCHBAY_WEB_ROOT: await buildApp(),
      PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
      PATCHBAY_SIGN_UP: signUp,
      PATCHBAY_OIDC_ISSUERS: JSON.stringify(hasIssuer ? [issuer] : []),
      // All tests of a process ask from one address.
      PATCHBAY_INTENTS_PER_MINUTE: '100000',
      PATCHBAY_SEARCHES_PER_MINUTE: '100000',
      ...environment,
    })
    const server = await startServer({
      config,
      log,
      clock: systemClock,
      node: 'faces-1',
      lifecycle,
      createSecret,
      simulation,
    })
    await server.prepared
    return publicUrl
  })
  await provider.addClient({ id: 'faces', redirectUris: [`${url}/auth/oidc/acme/callback`] })
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: databaseUrl, poolSize: 2, applicationName: 'faces', log }),
  )
  const owned = cleanup.move()
  return { url, db, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
