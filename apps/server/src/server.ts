import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createInProcessBus, createRedisBus, type Bus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import { createHttp, type Http } from '@patchbay/kernel/http'
import type { Lifecycle } from '@patchbay/kernel/lifecycle'
import type { Log } from '@patchbay/kernel/log'
import { createObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { createDatabase, type Database, type KernelTables } from '@patchbay/kernel/postgres'
import { addressesOf } from './addresses.ts'
import type { ServerConfig } from './config.ts'
import { API_INFO } from './openapi.ts'
import { serverMetrics } from './server-metrics.ts'
import { prepareDatabase } from './prepare-database.ts'
import { registerRoutes } from './routes.ts'
import { VERSION } from './version.ts'
import { registerWebApp } from './web-app.ts'

export interface ServerDeps {
  readonly config: ServerConfig
  readonly log: Log
  readonly clock: Clock
  readonly node: string
  readonly lifecycle: Lifecycle
}

export interface RunningServer {
  /** Where it listens, with the port that the system chose if it was asked to. */
  readonly url: string
  readonly publicUrl: string
  /** Settles once the database has its tables; rejects when a migration is at fault. */
  readonly prepared: Promise<void>
}

const BUILT_WEB_APP = fileURLToPath(new URL('../../web/dist/client', import.meta.url))

/** Opens the engines, listens, and prepares the database; what is started is stopped through the lifecycle. */
export async function startServer(deps: ServerDeps): Promise<RunningServer> {
  const { config, log, node, lifecycle } = deps
  const addresses = addressesOf(config)
  const database = await lifecycle.start(
    'database',
    async () => openDatabase(deps),
    (part) => part.close(),
  )
  const bus = await lifecycle.start(
    'bus',
    async () => openBus(deps),
    (part) => part.close(),
  )
  const objects = await lifecycle.start(
    'objects',
    () => openObjects(config),
    (part) => part.close(),
  )
  const preparation = prepareDatabase(config.databaseUrl, log)
  await lifecycle.start(
    'preparation',
    async () => preparation,
    async (part) => part.stop(),
  )

  const http = createHttp({
    ...addresses,
    info: API_INFO,
    node,
    log,
    metrics: serverMetrics(database),
    metricsToken: config.metricsToken,
    checks: [
      { name: 'database', ping: () => database.ping() },
      { name: 'migrations', ping: async () => preparation.requireDone() },
      { name: 'bus', ping: () => bus.ping() },
      { name: 'objects', ping: () => objects.ping() },
    ],
    trustedProxies: config.trustedProxies,
    rateLimits: { shared: bus.rateLimit, local: createInProcessBus({ node, clock: deps.clock }).rateLimit },
  })
  await registerRoutes(http.app, { database, node, preparation })
  await registerWebApp(http.app, config.webRoot ?? BUILT_WEB_APP)
  const url = await lifecycle.start(
    'http',
    () => listen(http, config),
    () => http.drain(drainMs(config)),
  )
  log.info({ url, publicUrl: addresses.publicUrl, version: VERSION }, 'listening')
  return { url, publicUrl: addresses.publicUrl, prepared: preparation.finished }
}

function openDatabase({ config, log, node }: ServerDeps): Database<KernelTables> {
  return createDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: node,
    log,
  })
}

async function openBus({ config, log, node, clock }: ServerDeps): Promise<Bus> {
  if (config.redisUrl === undefined) return createInProcessBus({ node, clock })
  return await createRedisBus({ url: config.redisUrl, node, clock, log })
}

async function openObjects({
  objectsUrl,
  objectsAccessKeyId,
  objectsSecretAccessKey,
}: ServerConfig): Promise<ObjectStore> {
  return await createObjects({
    url: objectsUrl ?? pathToFileURL(resolve('.patchbay/objects')).href,
    ...(objectsAccessKeyId === undefined ? {} : { accessKeyId: objectsAccessKeyId }),
    ...(objectsSecretAccessKey === undefined ? {} : { secretAccessKey: objectsSecretAccessKey }),
    spoolDir: join(tmpdir(), 'patchbay-spool'),
  })
}

/** A little less than the whole: bus and database are closed after it, within the same deadline. */
function drainMs({ drainSeconds }: ServerConfig): number {
  return Math.max(500, drainSeconds * 1000 - 2_000)
}

async function listen({ app }: Http, { host, port }: ServerConfig): Promise<string> {
  return await app.listen({ host, port })
}
