import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bus, createInProcessBus, type RateLimit } from '@patchbay/kernel/bus'
import { type Clock, systemClock } from '@patchbay/kernel/clock'
import { createHttp, type HttpApp } from '@patchbay/kernel/http'
import { createLog } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { createFileObjects } from '@patchbay/kernel/objects'
import { createOutbound, type Outbound } from '@patchbay/kernel/outbound'
import {
  collectMigrations,
  createDatabase,
  type Db,
  fingerprintOf,
  kernelMigrations,
  migrate,
} from '@patchbay/kernel/postgres'
import { attachWebSockets } from '@patchbay/kernel/websocket'
import { removeAtExit } from '@patchbay/testkit/leftovers'
import { type ClonedDatabase, cloneDatabase } from '@patchbay/testkit/postgres'
import { sql } from 'kysely'
import type { PanelsDeps, PanelsSettings, PrepareFiles } from '../src/deps.ts'
import { type Panels, registerPanels } from '../src/panels.routes.ts'
import { type PanelsTables, panelsMigrations, panelsTables } from '../src/tables.ts'
import { createTestAccess, type TestAccess, type TestCredential } from './access.ts'
import { createCaller, type TestCaller } from './caller.ts'
import { createPool, type Pooled } from './pool.ts'

const spareDatabases: ClonedDatabase[] = []

/** A database with all tables and nothing in them. On the usual cluster, one that an earlier test used serves again. */
export async function migratedDatabase(adminUrl?: string): Promise<ClonedDatabase> {
  if (adminUrl !== undefined) return await cloneMigrated(adminUrl)
  const database = spareDatabases.pop() ?? (await cloneMigrated())
  return {
    url: database.url,
    async [Symbol.asyncDispose]() {
      await using emptying = createDatabase<PanelsTables>({
        url: database.url,
        poolSize: 1,
        applicationName: 'test',
        log: createLog({ level: 'silent', process: 'server' }),
      })
      await emptyTables(emptying.db)
      spareDatabases.push(database)
    },
  }
}

async function emptyTables(db: Db<PanelsTables>): Promise<void> {
  const names = panelsTables.map(({ name }) => name).toReversed()
  // Not truncated: that makes every file of the tables and of their indexes anew.
  await sql.raw(names.map((name) => `delete from ${name}`).join(';')).execute(db)
}

async function cloneMigrated(adminUrl?: string): Promise<ClonedDatabase> {
  const migrations = await collectMigrations([kernelMigrations, panelsMigrations])
  return await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
    ...(adminUrl === undefined ? {} : { adminUrl }),
  })
}

export interface PanelsNodeOptions {
  readonly databaseUrl: string
  /** Of the object store; nodes of one installation share it. */
  readonly folder: string
  readonly clock?: Clock
  /** A Redis bus where several nodes are one installation. */
  readonly bus?: Bus | undefined
  readonly access?: TestAccess
  readonly outbound?: Outbound
  readonly prepareFiles?: PrepareFiles
  readonly settings?: Partial<PanelsSettings>
  readonly node?: string
}

export interface WrittenFiles {
  readonly at: string
  readonly files: Readonly<Record<string, string>>
  readonly by: string
}

/** One node with the area's routes and socket, listening on loopback, on a database that other nodes may share. */
export interface PanelsNode extends Pooled {
  readonly url: string
  readonly databaseUrl: string
  readonly folder: string
  readonly app: HttpApp
  readonly db: Db<PanelsTables>
  readonly deps: PanelsDeps
  /** Who may do what: `access.grant('bob', 'acme', 'write')`. Everybody may write what is their own. */
  readonly access: TestAccess
  readonly panels: Panels
  readonly lines: readonly string[]
  /** The files that workspaces have begun with. */
  readonly written: readonly WrittenFiles[]
  ask(path: string, init?: RequestInit): Promise<Response>
  as(handle: string, credential?: TestCredential): TestCaller
}

export async function startPanelsNode(options: PanelsNodeOptions): Promise<PanelsNode> {
  await using cleanup = new AsyncDisposableStack()
  const { databaseUrl, folder, node = 'test-1', clock = systemClock } = options
  const lines: string[] = []
  const log = createLog({
    level: 'trace',
    process: 'server',
    destination: { write: (line) => void lines.push(line) },
  })
  const database = cleanup.use(
    createDatabase<PanelsTables>({
      url: databaseUrl,
      poolSize: 10,
      // With more patience than the product has: tests ask a hundred times at once, and share the machine.
      acquireTimeoutMs: 20_000,
      statementTimeoutMs: 20_000,
      applicationName: node,
      log,
    }),
  )
  const newPace = () => createInProcessBus({ node, clock }).rateLimit
  let paces = { shared: newPace(), local: newPace() }
  const local: RateLimit = { hit: (key, rule) => paces.local.hit(key, rule) }
  const bus = options.bus ?? {
    ...cleanup.use(createInProcessBus({ node, clock })),
    rateLimit: { hit: (key, rule) => paces.shared.hit(key, rule) },
  }
  const objects = cleanup.use(await createFileObjects({ root: join(folder, 'objects') }))
  const outbound = options.outbound ?? cleanup.use(createOutbound({ userAgent: 'patchbay-test' }))
  const access = options.access ?? createTestAccess()
  const metrics = createMetrics('server')
  const publicUrl = options.settings?.publicUrl ?? 'http://patchbay.localhost'
  const hosts = {
    allowedHosts: [new URL(publicUrl).host, 'localhost', '127.0.0.1'],
    allowedOrigins: [new URL(publicUrl).origin],
  }
  const http = createHttp({
    ...hosts,
    info: { title: 'test', version: '0', description: '' },
    node,
    log,
    metrics,
    checks: [],
    trustedProxies: [],
    rateLimits: { shared: bus.rateLimit, local },
  })
  const written: WrittenFiles[] = []
  const deps: PanelsDeps = {
    db: database.db,
    clock,
    createSecret: () => randomBytes(32).toString('base64url'),
    log,
    metrics,
    objects,
    bus,
    outbound,
    access,
    // As the area of files does, without its tables.
    prepareFiles:
      options.prepareFiles ??
      (async (files) =>
        async (_tx, { owner, repo }, by) => {
          if (Object.keys(files).length > 0) written.push({ at: `${owner}/${repo}`, files, by: by.handle })
        }),
    settings: {
      publicUrl,
      proxyUrl: 'http://pages.localhost',
      actionsPerMinute: 1_000_000,
      fileRequestsPerMinute: 1_000_000,
      actionsKeptDays: 90,
      ...options.settings,
    },
  }
  const webSockets = attachWebSockets(http.app.server, { ...hosts, log })
  const panels = registerPanels(http.app, deps, webSockets)
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  cleanup.defer(() => http.drain(1_000))
  cleanup.use(webSockets)
  const owned = cleanup.move()
  const openRequests = countRequests(http.app)
  return {
    url,
    databaseUrl,
    folder,
    app: http.app,
    db: database.db,
    deps,
    access,
    panels,
    lines,
    written,
    ask: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
    as: (handle, credential) => createCaller(url, handle, credential),
    isIdle: () => openRequests() === 0 && webSockets.size === 0,
    async empty() {
      await emptyTables(database.db)
      for (const { sha256 } of (await objects.list({ limit: 1_000 })).objects) await objects.delete(sha256)
      access.revokeAll()
      paces = { shared: newPace(), local: newPace() }
      lines.length = 0
      written.length = 0
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** How many requests are not answered yet. */
export function countRequests({ server }: HttpApp): () => number {
  let open = 0
  server.on('request', (_request, response) => {
    open += 1
    response.once('close', () => (open -= 1))
  })
  return () => open
}

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-panels-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The usual: one node on a database and a folder of its own. */
export async function startPanels(
  options: Omit<PanelsNodeOptions, 'databaseUrl' | 'folder'> = {},
): Promise<PanelsNode> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await temporaryFolder())
  const database = cleanup.use(await migratedDatabase())
  const node = cleanup.use(
    await startPanelsNode({ ...options, databaseUrl: database.url, folder: folder.path }),
  )
  const owned = cleanup.move()
  return { ...node, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** The usual one, which an earlier test may have used. For tests whose work ends with their last answer. */
export const takePanels = createPool(() => keepUntilExit(startPanels()))

/** Nobody disposes of what is in a pool; its folder must not be left behind, and its listener not hold the process. */
export async function keepUntilExit<T extends PanelsNode>(starting: Promise<T>): Promise<T> {
  const node = await starting
  removeAtExit(() => rmSync(node.folder, { recursive: true, force: true }))
  node.app.server.unref()
  return node
}
