import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bus, createInProcessBus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import { createHttp, type HttpApp } from '@patchbay/kernel/http'
import { createLog } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { createFileObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { createOutbound, type Outbound } from '@patchbay/kernel/outbound'
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
import type { RegistryDeps, RegistrySettings } from '../src/deps.ts'
import type { Indexer } from '../src/indexer.ts'
import { type Registry, registerRegistry } from '../src/registry.routes.ts'
import { type RegistryTables, registryMigrations } from '../src/tables.ts'
import { createTestAccess, type TestAccess } from './access.ts'
import { type Caller, createCaller } from './caller.ts'

export async function migratedDatabase(adminUrl?: string) {
  const migrations = await collectMigrations([kernelMigrations, registryMigrations])
  return await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
    ...(adminUrl === undefined ? {} : { adminUrl }),
  })
}

export const NO_INDEXER: Indexer = { settle: async () => false, start() {}, async stop() {} }

export interface RegistryNodeOptions {
  readonly databaseUrl: string
  /** Of the object store and the spool; nodes of one installation share it. */
  readonly folder: string
  readonly clock?: Clock
  readonly bus?: Bus
  readonly access?: TestAccess
  readonly outbound?: Outbound
  /** Default: files below `folder`. */
  readonly objects?: ObjectStore
  readonly settings?: Partial<RegistrySettings>
  readonly node?: string
  /** `NO_INDEXER` where feeds do not matter: building them takes longer than everything else. */
  readonly indexer?: Indexer
  /** Whether the sweep of the indexer runs; without it a test settles by hand. */
  readonly sweeps?: boolean
}

/** One node with the area's routes, listening on loopback, on a database and objects that other nodes may share. */
export interface RegistryNode extends AsyncDisposable {
  readonly url: string
  readonly databaseUrl: string
  readonly folder: string
  readonly app: HttpApp
  readonly db: Db<RegistryTables>
  readonly deps: RegistryDeps
  /** Who may do what: `access.grant('bob', 'acme', 'write')`. Everybody may write what is their own. */
  readonly access: TestAccess
  readonly registry: Registry
  readonly lines: readonly string[]
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  /** Requests of a signed-in person. */
  as(handle: string, credential?: string): Caller
}

export async function startRegistryNode(options: RegistryNodeOptions): Promise<RegistryNode> {
  await using cleanup = new AsyncDisposableStack()
  const { databaseUrl, folder, node = 'test-1', clock = new SettableClock() } = options
  const lines: string[] = []
  const log = createLog({
    level: 'trace',
    process: 'server',
    destination: { write: (line) => void lines.push(line) },
  })
  const database = cleanup.use(
    createDatabase<RegistryTables>({ url: databaseUrl, poolSize: 10, applicationName: node, log }),
  )
  const bus = options.bus ?? cleanup.use(createInProcessBus({ node, clock }))
  const objects = options.objects ?? cleanup.use(await createFileObjects({ root: join(folder, 'objects') }))
  const outbound = options.outbound ?? cleanup.use(createOutbound({ userAgent: 'patchbay-test' }))
  const access = options.access ?? createTestAccess()
  const metrics = createMetrics('server')
  const publicUrl = options.settings?.publicUrl ?? 'http://patchbay.localhost'
  const http = createHttp({
    info: { title: 'test', version: '0', description: '' },
    node,
    log,
    metrics,
    checks: [],
    allowedHosts: [new URL(publicUrl).host, 'localhost', '127.0.0.1'],
    allowedOrigins: [new URL(publicUrl).origin],
    trustedProxies: [],
    rateLimits: { shared: bus.rateLimit, local: createInProcessBus({ node, clock }).rateLimit },
  })
  const deps: RegistryDeps = {
    db: database.db,
    clock,
    log,
    metrics,
    objects,
    wakeups: bus.wakeups,
    outbound,
    access,
    createSecret: () => randomBytes(32).toString('base64url'),
    settings: {
      publicUrl,
      repositoryName: 'Test',
      brands: ['kicad'],
      maxArchiveBytes: 8 * 1024 * 1024,
      feedMaxBytes: 10 * 1024 * 1024,
      publishesPerMinute: 1_000_000,
      importsPerMinute: 1_000_000,
      searchesPerMinute: 1_000_000,
      auditKeptDays: 730,
      spoolFolder: join(folder, 'spool'),
      ...options.settings,
    },
  }
  const registry = registerRegistry(http.app, deps, options.indexer)
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  if (options.sweeps === true) registry.start()
  cleanup.defer(() => http.drain(1_000))
  const owned = cleanup.move()
  return {
    url,
    databaseUrl,
    folder,
    app: http.app,
    db: database.db,
    deps,
    access,
    registry,
    lines,
    ask: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
    as: (handle, credential) => createCaller(url, handle, credential),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-registry-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The usual: one node on a database and a folder of its own. */
export async function startRegistry(
  options: Omit<RegistryNodeOptions, 'databaseUrl' | 'folder'> = {},
): Promise<RegistryNode> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await temporaryFolder())
  const database = cleanup.use(await migratedDatabase())
  const node = cleanup.use(
    await startRegistryNode({ ...options, databaseUrl: database.url, folder: folder.path }),
  )
  const owned = cleanup.move()
  return { ...node, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
