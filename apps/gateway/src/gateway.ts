import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryMode } from '@patchbay/contracts/gateway'
import {
  DeliveryRouter,
  GatewaySockets,
  gatewayMetrics,
  openGatewayDirectory,
  registerCallback,
  registerStatus,
} from '@patchbay/gateway'
import { type Bus, createInProcessBus, createRedisBus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import { addressesOf, clientAddress, createHttp, type Http } from '@patchbay/kernel/http'
import type { Lifecycle } from '@patchbay/kernel/lifecycle'
import type { Log } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { openTracing, type Tracing } from '@patchbay/kernel/tracing'
import { attachWebSockets, type WebSockets } from '@patchbay/kernel/websocket'
import type { GatewayConfig } from './config.ts'
import { API_INFO } from './openapi.ts'
import { isForThisMachine, publicUrlOf } from './public-url.ts'
import { VERSION } from './version.ts'

export interface GatewayDeps {
  readonly config: GatewayConfig
  readonly log: Log
  readonly clock: Clock
  readonly node: string
  readonly lifecycle: Lifecycle
  /** 128 random bits or more, as letters, digits, `-` and `_`. */
  readonly createNonce: () => string
  /** Taken instead of the one that the configuration names. */
  readonly bus?: Bus
}

export interface RunningGateway {
  readonly url: string
  readonly publicUrl: string
  readonly delivery: DeliveryMode
}

const DELIVER_WITHIN_MS = 2_000
const RESUME_WITHIN_MS = 2_000
/** Below the 3 s after which the proxies of deploy/ take a node for hung and ask the next. */
const ANSWER_WITHIN_MS = 2_800
const REGISTRATIONS_PER_CONNECTION = 16
/** Closing is spread over this share of the time to drain, so that clients do not all come back in one instant. */
const DRAIN_WINDOW_SHARE = 0.1
const DRAIN_GRACE_MS = 3_000

/** Opens the bus and listens; what is started is stopped through the lifecycle: sockets, then HTTP, then the bus. */
export async function startGateway(deps: GatewayDeps): Promise<RunningGateway> {
  const { config, log, clock, node, lifecycle } = deps
  const publicUrl = publicUrlOf(config)
  const addresses = addressesOf({ ...config, publicUrl })
  const delivery = config.delivery ?? 'direct'
  const metrics = createMetrics('gateway')
  const tracing = await lifecycle.start(
    'traces',
    () => openTracing({ ...deps, process: 'gateway', version: VERSION, metrics, settings: config }),
    async (part) => part?.close(),
  )
  const bus = await lifecycle.start(
    'bus',
    async () => deps.bus ?? (await openBus(deps, tracing)),
    (part) => part.close(),
  )
  const directory = openGatewayDirectory(bus)
  const counts = gatewayMetrics(metrics, () => ({ pending: directory.ownCount(), sockets: sockets.size }))
  const clients = new GatewaySockets({
    bus,
    directory,
    clock,
    log,
    caps: { perConnection: REGISTRATIONS_PER_CONNECTION, perAddress: config.registrationsPerAddress },
    registerWithinMs: config.registerSeconds * 1000,
    count: counts.registration,
  })
  const http = createHttp({
    ...addresses,
    info: API_INFO,
    node,
    log,
    metrics,
    metricsToken: config.metricsToken,
    checks: [{ name: 'bus', ping: () => bus.ping() }],
    vitals: () => ({
      pending: directory.ownCount(),
      ...(config.instance === undefined ? {} : { instance: config.instance }),
    }),
    leavesQueryAlone: true,
    tracing,
    trustsTraceparent: config.trustsTraceparent,
    trustedProxies: config.trustedProxies,
    rateLimits: { shared: bus.rateLimit, local: createInProcessBus({ node, clock }).rateLimit },
  })
  const sockets = openSockets(http, deps, addresses)
  sockets.add(clients.endpoint())
  registerStatus(http.app, {
    directory,
    sockets: () => sockets.size,
    uptimeSeconds: () => process.uptime(),
    busIsShared: config.redisUrl !== undefined,
    delivery,
    publicUrl,
    node,
    version: VERSION,
  })
  await registerCallback(http.app, {
    router: new DeliveryRouter({
      bus,
      directory,
      deliverWithinMs: DELIVER_WITHIN_MS,
      resumeWithinMs: RESUME_WITHIN_MS,
      answerWithinMs: ANSWER_WITHIN_MS,
    }),
    delivery,
    publicUrl,
    allowedOrigins: addresses.allowedOrigins,
    createNonce: deps.createNonce,
    count: counts.callback,
  })
  const url = await lifecycle.start(
    'http',
    () => http.app.listen({ host: config.host, port: config.port }),
    () => http.drain(restMs(config)),
  )
  // Stopped first: upgraded connections would keep the HTTP server waiting, and callbacks are served until they are gone.
  await lifecycle.start(
    'sockets',
    async () => sockets,
    async (part) => {
      http.announceDrain()
      await sleep(announceMs(config))
      await part.drain({ windowMs: config.drainSeconds * 1000 * DRAIN_WINDOW_SHARE, graceMs: DRAIN_GRACE_MS })
      await part.close()
      await clients.stop()
    },
  )
  log.info({ url, publicUrl, delivery, version: VERSION }, 'listening')
  if (delivery === 'direct' && !isForThisMachine(config))
    log.warn('authorization codes are delivered without asking the user, see PATCHBAY_GATEWAY_DELIVERY')
  return { url, publicUrl, delivery }
}

function openSockets(
  { app }: Http,
  { config, log }: GatewayDeps,
  { allowedHosts, allowedOrigins }: { allowedHosts: readonly string[]; allowedOrigins: readonly string[] },
): WebSockets {
  return attachWebSockets(app.server, {
    log,
    allowedHosts,
    allowedOrigins: [...allowedOrigins, ...config.allowedOrigins],
    addressOf: clientAddress(config.trustedProxies),
    limits: {
      maxConnections: config.connections,
      maxConnectionsPerAddress: config.connectionsPerAddress,
    },
  })
}

async function openBus(
  { config, log, node, clock }: GatewayDeps,
  tracing: Tracing | undefined,
): Promise<Bus> {
  if (config.redisUrl === undefined) return createInProcessBus({ node, clock })
  return await createRedisBus({ url: config.redisUrl, node, clock, log, tracing })
}

/** What is left of the time to drain once the sockets are gone. */
function restMs(config: GatewayConfig): number {
  const socketsMs = announceMs(config) + config.drainSeconds * 1000 * DRAIN_WINDOW_SHARE + DRAIN_GRACE_MS
  return Math.max(500, config.drainSeconds * 1000 - socketsMs - 2_000)
}

function announceMs({ drainAnnounceSeconds, drainSeconds }: GatewayConfig): number {
  return Math.min(drainAnnounceSeconds, drainSeconds / 3) * 1000
}
