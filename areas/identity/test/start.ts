import { randomBytes } from 'node:crypto'
import { type Bus, createInProcessBus } from '@patchbay/kernel/bus'
import { createHttp, type HttpApp } from '@patchbay/kernel/http'
import { createLog } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import {
  collectMigrations,
  createDatabase,
  type Db,
  fingerprintOf,
  kernelMigrations,
  migrate,
} from '@patchbay/kernel/postgres'
import { SettableClock } from '@patchbay/testkit/clock'
import { cloneDatabase } from '@patchbay/testkit/postgres'
import type { IdentityDeps, IdentitySettings } from '../src/deps.ts'
import { registerIdentity } from '../src/identity.routes.ts'
import type { Authentication } from '../src/sessions/authentication.store.ts'
import { type IdentityTables, identityMigrations } from '../src/tables.ts'
import { type Browser, createBrowser } from './browser.ts'

export const createSecret = () => randomBytes(32).toString('base64url')

export async function migratedDatabase() {
  const migrations = await collectMigrations([kernelMigrations, identityMigrations])
  return await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
  })
}

export interface IdentityNodeOptions {
  readonly databaseUrl: string
  readonly clock?: SettableClock
  readonly bus?: Bus
  readonly settings?: Partial<IdentitySettings>
  readonly node?: string
  readonly trustedProxies?: readonly string[]
  readonly isInvited?: NonNullable<IdentityDeps['isInvited']>
  readonly endWorkspaceLinks?: NonNullable<IdentityDeps['endWorkspaceLinks']>
}

/** One node with the area's routes, listening on loopback, on a database that other nodes may share. */
export interface IdentityNode extends AsyncDisposable {
  readonly url: string
  readonly databaseUrl: string
  readonly app: HttpApp
  readonly db: Db<IdentityTables>
  readonly deps: IdentityDeps
  readonly clock: SettableClock
  readonly authentication: Authentication
  readonly lines: readonly string[]
  ask(path: string, init?: RequestInit): Promise<Response>
  /** A person with an account, signed in with a browser of their own. */
  signedIn(handle?: string, person?: { readonly isAdmin?: boolean }): Promise<Browser>
}

export async function startIdentityNode(options: IdentityNodeOptions): Promise<IdentityNode> {
  await using cleanup = new AsyncDisposableStack()
  const node = options.node ?? 'test-1'
  const clock = options.clock ?? new SettableClock()
  const lines: string[] = []
  const log = createLog({
    level: 'trace',
    process: 'server',
    destination: { write: (line) => void lines.push(line) },
  })
  const database = cleanup.use(
    createDatabase<IdentityTables>({ url: options.databaseUrl, poolSize: 10, applicationName: node, log }),
  )
  const bus = options.bus ?? cleanup.use(createInProcessBus({ node, clock }))
  const publicUrl = options.settings?.publicUrl ?? 'http://patchbay.localhost'
  const metrics = createMetrics('server')
  const http = createHttp({
    info: { title: 'test', version: '0', description: '' },
    node,
    log,
    metrics,
    checks: [],
    allowedHosts: [new URL(publicUrl).host, 'localhost', '127.0.0.1'],
    allowedOrigins: [new URL(publicUrl).origin],
    trustedProxies: options.trustedProxies ?? [],
    rateLimits: { shared: bus.rateLimit, local: createInProcessBus({ node, clock }).rateLimit },
  })
  const deps: IdentityDeps = {
    db: database.db,
    clock,
    createSecret,
    wakeups: bus.wakeups,
    log,
    metrics,
    settings: {
      publicUrl,
      issuers: [],
      ciServices: [],
      signUp: 'open',
      maxSessionSeconds: 365 * 86_400,
      browserSessionSeconds: 30 * 86_400,
      browserIdleSeconds: 7 * 86_400,
      requiresVerifier: false,
      intentsPerMinute: 1_000_000,
      streamsPerAddress: 1_000,
      ...options.settings,
    },
    ...(options.isInvited === undefined ? {} : { isInvited: options.isInvited }),
    ...(options.endWorkspaceLinks === undefined ? {} : { endWorkspaceLinks: options.endWorkspaceLinks }),
  }
  const authentication = registerIdentity(http.app, deps)
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  cleanup.defer(() => http.drain(1_000))
  const owned = cleanup.move()
  return {
    url,
    databaseUrl: options.databaseUrl,
    app: http.app,
    db: database.db,
    deps,
    clock,
    authentication,
    lines,
    ask: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
    signedIn: (handle = 'ada', person = {}) => createBrowser({ url, deps }, handle, person),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The usual: one node on a database of its own. */
export async function startIdentity(
  options: Omit<IdentityNodeOptions, 'databaseUrl'> = {},
): Promise<IdentityNode> {
  await using cleanup = new AsyncDisposableStack()
  const database = cleanup.use(await migratedDatabase())
  const node = cleanup.use(await startIdentityNode({ ...options, databaseUrl: database.url }))
  const owned = cleanup.move()
  return { ...node, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
