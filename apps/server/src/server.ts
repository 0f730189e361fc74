import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Problem } from '@patchbay/contracts/core'
import {
  readSandboxQuery,
  SANDBOX_FRAME_PATH,
  SANDBOX_HOST_PATH,
  sandboxFramePage,
  sandboxHostPage,
} from '@patchbay/contracts/panels'
import type { Broker, Simulation } from '@patchbay/devices'
import { type Bus, createInProcessBus, createRedisBus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import {
  addressesOf,
  builtFolder,
  clientAddress,
  createHttp,
  type Http,
  type HttpApp,
} from '@patchbay/kernel/http'
import type { Lifecycle } from '@patchbay/kernel/lifecycle'
import type { Log } from '@patchbay/kernel/log'
import { createMetrics, type Metrics, observeGauge } from '@patchbay/kernel/metrics'
import { createObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { createOutbound } from '@patchbay/kernel/outbound'
import { createDatabase, type Database, type PoolState } from '@patchbay/kernel/postgres'
import { openTracing, type Tracing } from '@patchbay/kernel/tracing'
import { attachWebSockets, type WebSockets } from '@patchbay/kernel/websocket'
import type { ServerConfig } from './config.ts'
import { openBroker, recordingOf } from './devices-config.ts'
import { registerDocs } from './docs-site.ts'
import { identitySettingsOf } from './identity-config.ts'
import { API_INFO } from './openapi.ts'
import { mediaOriginsOf, panelsSettingsOf, proxyPlaceOf } from './panels-config.ts'
import { prepareDatabase } from './prepare-database.ts'
import { listenForPages } from './proxy-listener.ts'
import { registrySettingsOf, spoolFolderOf } from './registry-config.ts'
import { registerRoutes, type ServerTables } from './routes.ts'
import { registerServices } from './services.routes.ts'
import { VERSION } from './version.ts'
import { registerWebApp } from './web-app.ts'

const PAGES = [
  [SANDBOX_HOST_PATH, sandboxHostPage],
  [SANDBOX_FRAME_PATH, sandboxFramePage],
] as const

/** The two documents around code in a sandbox. They hold nothing of anybody's, so whoever asks gets them. */
function registerSandboxPages(app: HttpApp): void {
  for (const [path, pageOf] of PAGES) {
    app.get(path, async (request, reply) => {
      const connect = readSandboxQuery(request.url.split('?')[1] ?? '')
      if (connect === undefined) {
        throw new Problem('invalid_request', { detail: '`connect` is at most ten origins, each once.' })
      }
      const { html, headers } = pageOf(connect)
      return reply.headers(headers).type('text/html; charset=utf-8').send(html)
    })
  }
}

export interface ServerDeps {
  readonly config: ServerConfig
  readonly log: Log
  readonly clock: Clock
  readonly node: string
  readonly lifecycle: Lifecycle
  /** 256 random bits, as letters, digits, `-` and `_`. */
  readonly createSecret: () => string
  /** Of a server for development alone: it is part of no installation that others use. */
  readonly simulation?: Simulation | undefined
}

export interface RunningServer {
  /** Where it listens, with the port that the system chose if it was asked to. */
  readonly url: string
  readonly publicUrl: string
  /** Settles once the database has its tables; rejects when a migration is at fault. */
  readonly prepared: Promise<void>
}

/** Closing is spread over this share of the time to drain, so that browsers do not all come back in one instant. */
const DRAIN_WINDOW_SHARE = 0.1
const DRAIN_GRACE_MS = 1_000
/** A page from the web that is still on its way is not worth waiting for: the person reloads it. */
const PAGES_DRAIN_MS = 1_000
/** Of one workspace page. Its messages are large, and each that is being handled is held in memory. */
const MAX_IN_FLIGHT = 16
/**
 * A balancer sends requests as soon as the port is open, and each would be refused until the tables are there. Without an
 * end to the wait, a long migration would look like a process that hangs: nobody could ask `/health`.
 */
const LISTEN_WITHIN_MS = 30_000

/** Opens the engines, prepares the database if it is there, and listens; what is started is stopped through the lifecycle. */
export async function startServer(deps: ServerDeps): Promise<RunningServer> {
  const { config, log, node, lifecycle } = deps
  const addresses = addressesOf(config)
  const metrics = createMetrics('server')
  const tracing = await lifecycle.start(
    'traces',
    () =>
      openTracing({
        ...deps,
        process: 'server',
        version: VERSION,
        createNonce: deps.createSecret,
        metrics,
        settings: config,
      }),
    async (part) => part?.close(),
  )
  const database = await lifecycle.start(
    'database',
    async () => openDatabase(deps, tracing),
    (part) => part.close(),
  )
  const bus = await lifecycle.start(
    'bus',
    async () => openBus(deps, tracing),
    (part) => part.close(),
  )
  const objects = await lifecycle.start(
    'objects',
    () => openObjects(config),
    (part) => part.close(),
  )
  const fileObjects = await lifecycle.start(
    'files',
    () => openObjects(config, FILES),
    (part) => part.close(),
  )
  const recordings = await lifecycle.start(
    'recordings',
    () => openObjects(config, RECORDINGS),
    (part) => part.close(),
  )
  const boardResults = await lifecycle.start(
    'boards',
    () => openObjects(config, BOARDS),
    (part) => part.close(),
  )
  const libraryObjects = await lifecycle.start(
    'libraries',
    () => openObjects(config, LIBRARIES),
    (part) => part.close(),
  )
  const outbound = await lifecycle.start(
    'outbound',
    async () =>
      createOutbound({ allowedNetworks: config.outboundNetworks, userAgent: `patchbay/${VERSION}` }),
    (part) => part.close(),
  )
  const { broker, settings: devicesSettings } = await lifecycle.start(
    'broker',
    () => openBroker(config, { node, log, addresses }),
    (part) => part.broker.close(),
  )
  const preparation = prepareDatabase(config.databaseUrl, log)
  await lifecycle.start(
    'preparation',
    async () => preparation,
    async (part) => part.stop(),
  )
  await Promise.race([preparation.attempted, sleep(LISTEN_WITHIN_MS, undefined, { ref: false })])
  const place = proxyPlaceOf(config, addresses.publicUrl)
  const pages =
    place === undefined
      ? undefined
      : await lifecycle.start(
          'pages',
          () =>
            listenForPages({
              ...deps,
              ...addresses,
              place,
              bus,
              database,
              outbound,
              files: fileObjects,
              preparation,
            }),
          ({ http: listener }) => listener.drain(PAGES_DRAIN_MS),
        )
  const proxyUrl = pages?.proxyUrl

  observeDatabase(metrics, database)
  const http = createHttp({
    ...addresses,
    info: API_INFO,
    node,
    log,
    metrics,
    metricsToken: config.metricsToken,
    checks: [
      { name: 'database', ping: () => database.ping() },
      { name: 'migrations', ping: async () => preparation.requireDone() },
      { name: 'bus', ping: () => bus.ping() },
      { name: 'objects', ping: () => objects.ping() },
      ...(broker.isShared ? [{ name: 'broker', ping: () => requireUp(broker) }] : []),
    ],
    trustedProxies: config.trustedProxies,
    refusesOtherOrigins: !config.crossOrigin,
    tracing,
    trustsTraceparent: config.trustsTraceparent,
    rateLimits: { shared: bus.rateLimit, local: createInProcessBus({ node, clock: deps.clock }).rateLimit },
  })
  const webSockets = openSockets(http, deps, addresses)
  await registerRoutes(http.app, {
    database,
    identity: {
      clock: deps.clock,
      createSecret: deps.createSecret,
      wakeups: bus.wakeups,
      log,
      metrics,
      settings: identitySettingsOf(config, addresses.publicUrl),
    },
    registry: {
      clock: deps.clock,
      log,
      metrics,
      objects,
      wakeups: bus.wakeups,
      outbound,
      createSecret: deps.createSecret,
      settings: registrySettingsOf(config, addresses.publicUrl),
    },
    panels: {
      clock: deps.clock,
      createSecret: deps.createSecret,
      log,
      metrics,
      objects,
      bus,
      outbound,
      settings: panelsSettingsOf(config, addresses.publicUrl, proxyUrl),
    },
    content: {
      createSecret: deps.createSecret,
      clock: deps.clock,
      log,
      bus,
      objects: fileObjects,
      settings: { ownerBytes: config.filesGibPerOwner * 1024 ** 3 },
    },
    devices: {
      clock: deps.clock,
      createSecret: deps.createSecret,
      log,
      metrics,
      bus,
      broker,
      recordings,
      settings: { ...devicesSettings, recording: recordingOf(config) },
      simulation: deps.simulation,
      tracing,
    },
    boards: {
      clock: deps.clock,
      log,
      metrics,
      results: boardResults,
      tracing,
      libraries: { objects: libraryObjects, folder: spoolFolderOf(config) },
    },
    webSockets,
    node,
    preparation,
  })
  registerSandboxPages(http.app)
  registerServices(http.app, {
    clock: deps.clock,
    addresses: { gateway: config.gatewayUrl, watchdog: config.watchdogUrl, viewer: config.viewerUrl },
  })
  registerDocs(http.app, builtFolder('documentation', import.meta.url))
  await registerWebApp(http.app, {
    root: config.webRoot ?? builtFolder('web app', import.meta.url),
    mediaOrigins: mediaOriginsOf(config, addresses.publicUrl),
  })
  const url = await lifecycle.start(
    'http',
    () => listen(http, config),
    () => http.drain(drainMs(config)),
  )
  // Stopped first: upgraded connections would keep the HTTP server waiting.
  await lifecycle.start(
    'sockets',
    async () => webSockets,
    async (part) => {
      http.announceDrain()
      await sleep(announceMs(config))
      await part.drain({ windowMs: drainMs(config) * DRAIN_WINDOW_SHARE, graceMs: DRAIN_GRACE_MS })
      await part.close()
    },
  )
  log.info({ url, publicUrl: addresses.publicUrl, proxyUrl, version: VERSION }, 'listening')
  return { url, publicUrl: addresses.publicUrl, prepared: preparation.finished }
}

function openDatabase(
  { config, log, node }: ServerDeps,
  tracing: Tracing | undefined,
): Database<ServerTables> {
  return createDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: node,
    log,
    tracing,
  })
}

function openSockets(
  { app }: Http,
  { config, log }: ServerDeps,
  { allowedHosts, allowedOrigins }: { allowedHosts: readonly string[]; allowedOrigins: readonly string[] },
): WebSockets {
  return attachWebSockets(app.server, {
    log,
    allowedHosts,
    allowedOrigins,
    addressOf: clientAddress(config.trustedProxies),
    limits: { maxConnectionsPerAddress: config.workspaceSocketsPerAddress, maxInFlight: MAX_IN_FLIGHT },
  })
}

async function openBus({ config, log, node, clock }: ServerDeps, tracing: Tracing | undefined): Promise<Bus> {
  if (config.redisUrl === undefined) return createInProcessBus({ node, clock })
  return await createRedisBus({ url: config.redisUrl, node, clock, log, tracing })
}

async function requireUp({ isUp }: Broker): Promise<void> {
  if (!isUp) throw new Problem('broker_unavailable')
}

/** Where the files of workspaces are, in the store of everything else. */
export const FILES = 'files'
/** The same of what devices have sent. */
export const RECORDINGS = 'recordings'
/** The same of what KiCad has made. */
const BOARDS = 'boards'
/** The same of library packages, which workers unpack. */
export const LIBRARIES = 'libraries'

export async function openObjects(
  { objectsUrl, objectsAccessKeyId, objectsSecretAccessKey, spoolFolder }: ServerConfig,
  within?: string,
): Promise<ObjectStore> {
  const url = new URL(objectsUrl ?? pathToFileURL(resolve('.patchbay/objects')).href)
  if (within !== undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}/${within}`
  return await createObjects({
    url: url.href,
    ...(objectsAccessKeyId === undefined ? {} : { accessKeyId: objectsAccessKeyId }),
    ...(objectsSecretAccessKey === undefined ? {} : { secretAccessKey: objectsSecretAccessKey }),
    spoolDir: spoolFolderOf({ spoolFolder }),
  })
}

/** A little less than the whole: bus and database are closed after it, within the same deadline. */
function drainMs(config: ServerConfig): number {
  return Math.max(500, config.drainSeconds * 1000 - announceMs(config) - 2_000)
}

function announceMs({ drainAnnounceSeconds, drainSeconds }: ServerConfig): number {
  return Math.min(drainAnnounceSeconds, drainSeconds / 3) * 1000
}

async function listen({ app }: Http, { host, port }: ServerConfig): Promise<string> {
  return await app.listen({ host, port })
}

/** What an operator watches beside requests: a pool whose callers wait is the first sign of a slow database. */
function observeDatabase(metrics: Metrics, database: { poolState(): PoolState }): void {
  observeGauge(metrics, {
    name: 'patchbay_database_connections',
    help: 'Connections to PostgreSQL by state, and callers that wait for one',
    label: 'state',
    read: () => ({ ...database.poolState() }),
  })
}
