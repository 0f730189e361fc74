import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createFileSender } from '@patchbay/content'
import { Problem } from '@patchbay/contracts/core'
import { type Bus, createInProcessBus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import { createHttp, type Http, type HttpApp } from '@patchbay/kernel/http'
import type { Log } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Outbound } from '@patchbay/kernel/outbound'
import type { Database } from '@patchbay/kernel/postgres'
import { registerFilePages, registerPageProxy } from '@patchbay/panels'
import type { ServerConfig } from './config.ts'
import { localProxyUrl, type ProxyPlace } from './panels-config.ts'
import type { Preparation } from './prepare-database.ts'
import { rightsOf, type ServerTables } from './routes.ts'
import { VERSION } from './version.ts'

export interface ProxyListenerDeps {
  readonly config: ServerConfig
  readonly place: ProxyPlace
  readonly publicUrl: string
  readonly node: string
  readonly log: Log
  readonly clock: Clock
  readonly bus: Bus
  readonly database: Database<ServerTables>
  readonly outbound: Outbound
  /** Of the files of workspaces. */
  readonly files: ObjectStore
  readonly preparation: Preparation
}

export interface PagesListener {
  readonly http: Http
  /** The origin under which it serves them. */
  readonly proxyUrl: string
}

/** How often another program may take a port between the look and the listening. */
const MOST_TRIES = 10

/** Pages of the web and of workspaces, on an origin of their own: with the server's, a page could speak in its name. */
export async function listenForPages(deps: ProxyListenerDeps): Promise<PagesListener> {
  const { place, publicUrl } = deps
  if (place.url !== undefined) return await listenAt(deps, place.port, place.url)
  // Nobody asked for this port: where another program has it, any will do.
  for (let attempt = 1; ; attempt += 1) {
    const isFirst = attempt === 1 && place.port !== 0
    const port = isFirst ? place.port : await findFreePort(place.host)
    try {
      return await listenAt(deps, port, localProxyUrl(port, publicUrl))
    } catch (error) {
      if (!isPortTaken(error) || attempt === MOST_TRIES) throw error
    }
  }
}

async function listenAt(deps: ProxyListenerDeps, port: number, proxyUrl: string): Promise<PagesListener> {
  const { config, place, publicUrl, node, log, clock, bus, database, outbound, files, preparation } = deps
  const http = createHttp({
    allowedHosts: [new URL(proxyUrl).host],
    allowedOrigins: [],
    info: {
      title: 'Patchbay pages',
      version: VERSION,
      description: 'Pages of the web and of workspaces, for web views.',
    },
    node,
    log,
    metrics: createMetrics('server-pages'),
    metricsToken: config.metricsToken,
    checks: [
      { name: 'database', ping: () => database.ping() },
      { name: 'migrations', ping: async () => preparation.requireDone() },
      { name: 'bus', ping: () => bus.ping() },
    ],
    trustedProxies: config.trustedProxies,
    rateLimits: { shared: bus.rateLimit, local: createInProcessBus({ node, clock }).rateLimit },
  })
  await http.app.register(async (scope: HttpApp) => {
    scope.addHook('onRequest', (_request, _reply, done) => {
      done(preparation.done ? undefined : new Problem('database_unavailable'))
    })
    const { db } = database
    const common = { db, clock, bus, access: rightsOf(db, clock), settings: { publicUrl, proxyUrl } }
    registerPageProxy(scope, { ...common, outbound })
    registerFilePages(scope, { ...common, sendFile: createFileSender({ db, objects: files }) })
  })
  await http.app.listen({ host: place.host, port })
  return { http, proxyUrl }
}

async function findFreePort(host: string): Promise<number> {
  const probe = createServer().listen({ host, port: 0 })
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
