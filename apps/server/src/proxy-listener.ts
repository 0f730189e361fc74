import { Problem } from '@patchbay/contracts'
import { type Bus, createInProcessBus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import { createHttp, type Http, type HttpApp } from '@patchbay/kernel/http'
import type { Log } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import type { Outbound } from '@patchbay/kernel/outbound'
import type { Database } from '@patchbay/kernel/postgres'
import { registerPageProxy } from '@patchbay/panels'
import type { ServerConfig } from './config.ts'
import type { Preparation } from './prepare-database.ts'
import type { ServerTables } from './routes.ts'
import { VERSION } from './version.ts'

export interface ProxyListenerDeps {
  readonly config: ServerConfig
  readonly proxyUrl: string
  readonly publicUrl: string
  readonly node: string
  readonly log: Log
  readonly clock: Clock
  readonly bus: Bus
  readonly database: Database<ServerTables>
  readonly outbound: Outbound
  readonly preparation: Preparation
}

/** Pages of the web, on an origin where nothing of ours is: with the server's own, a page could speak in its name. */
export async function listenForPages(deps: ProxyListenerDeps): Promise<Http> {
  const { config, proxyUrl, publicUrl, node, log, clock, bus, database, outbound, preparation } = deps
  const http = createHttp({
    allowedHosts: [new URL(proxyUrl).host],
    allowedOrigins: [],
    info: { title: 'Patchbay pages', version: VERSION, description: 'Pages of the web, for web views.' },
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
    registerPageProxy(scope, { db: database.db, clock, bus, outbound, settings: { publicUrl, proxyUrl } })
  })
  await http.app.listen({ host: config.host, port: config.proxyPort })
  return http
}
