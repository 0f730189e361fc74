import { resolve } from 'node:path'
import { createInProcessBus } from '@patchbay/kernel/bus/in-process'
import type { Clock } from '@patchbay/kernel/clock'
import type { Environment } from '@patchbay/kernel/config'
import { createHttp } from '@patchbay/kernel/http'
import type { Lifecycle } from '@patchbay/kernel/lifecycle'
import type { Log } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import {
  exposeWatchdog,
  lockStateFolder,
  openStateFolder,
  registerWatchdog,
  Supervisor,
  TIMINGS,
  type Timings,
} from '@patchbay/watchdog'
import { gatewayUrlOf, type WatchdogConfig } from './config.ts'
import { API_INFO } from './openapi.ts'
import { VERSION } from './version.ts'

/** What runs as the gateway. */
export interface Supervised {
  readonly command: string
  readonly args: readonly string[]
}

export interface WatchdogDeps {
  readonly config: WatchdogConfig
  readonly gateway: Supervised
  readonly environment: Environment
  readonly log: Log
  readonly clock: Clock
  readonly node: string
  readonly lifecycle: Lifecycle
  /** Gives each run of the gateway an id of its own. */
  readonly createNonce: () => string
  /** Where the gateway's standard output goes. */
  readonly output?: 'inherit' | 'ignore'
  readonly timings?: Partial<Timings>
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const OWN_PREFIX = 'PATCHBAY_WATCHDOG_'
const HTTP_DRAIN_MS = 1_000
const FOLDER_MS = 1_000

export function timingsOf(config: WatchdogConfig, shorter: Partial<Timings> = {}): Timings {
  return { ...TIMINGS, drainMs: config.drainSeconds * 1000, ...shorter }
}

/** How long ending may take: the gateway's drain, its end, and our own sockets and files. */
export function stopDeadlineMs({ drainMs, killRepeatMs }: Timings): number {
  return drainMs + 2 * killRepeatMs + HTTP_DRAIN_MS + FOLDER_MS
}

/** Takes the state folder, listens, and starts or adopts the gateway; what is started is stopped through the lifecycle. */
export async function startWatchdog(deps: WatchdogDeps): Promise<{ readonly url: string }> {
  const { config, log, clock, node, lifecycle, gateway } = deps
  const timings = timingsOf(config, deps.timings)
  const stateDir = resolve(config.stateDir)
  await lifecycle.start(
    'state folder',
    () => lockStateFolder(stateDir, { createId: deps.createNonce, now: () => clock.now().getTime() }),
    (lock) => lock.release(),
  )
  const supervisor = new Supervisor({
    plan: {
      command: gateway.command,
      args: gateway.args,
      environment: environmentOfGateway(deps.environment),
      output: deps.output ?? 'inherit',
    },
    gatewayUrl: gatewayUrlOf(config),
    folder: openStateFolder(stateDir, log),
    timings,
    autoRestart: config.autoRestart,
    newInstance: deps.createNonce,
    clock,
    log,
    pid: process.pid,
  })
  const metrics = createMetrics('watchdog')
  exposeWatchdog(metrics, () => supervisor.status())
  const { rateLimit } = createInProcessBus({ node, clock })
  const http = createHttp({
    info: API_INFO,
    allowedHosts: [...LOOPBACK_HOSTS, ...ownHost(config), ...config.allowedHosts],
    // No page steers it; the command line and scripts send no Origin.
    allowedOrigins: [],
    node,
    log,
    metrics,
    metricsToken: config.token,
    checks: [],
    trustedProxies: [],
    rateLimits: { shared: rateLimit, local: rateLimit },
  })
  registerWatchdog(http.app, { supervisor, timings, token: config.token })
  const url = await lifecycle.start(
    'http',
    () => http.app.listen({ host: config.host, port: config.port }),
    () => http.drain(HTTP_DRAIN_MS),
  )
  // Last, so that it stops first: its status can be read while the gateway drains.
  await lifecycle.start(
    'gateway',
    async () => supervisor.start(),
    () => supervisor.stop({ leaveRunning: config.leaveRunning }),
  )
  log.info({ url, gateway: gatewayUrlOf(config), stateDir, version: VERSION }, 'listening')
  return { url }
}

/** The token that steers the gateway is none of the gateway's business. */
function environmentOfGateway(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith(OWN_PREFIX)))
}

function ownHost({ host }: WatchdogConfig): string[] {
  return [host.includes(':') ? `[${host}]` : host]
}
