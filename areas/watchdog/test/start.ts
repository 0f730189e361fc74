import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WatchdogStatus } from '@patchbay/contracts/gateway'
import { createInProcessBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { createHttp } from '@patchbay/kernel/http'
import { createLog, Secret } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { isRunning } from '@patchbay/primitives/process'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil, withCompiledCode } from '@patchbay/testkit/processes'
import {
  exposeWatchdog,
  openStateFolder,
  registerWatchdog,
  Supervisor,
  TIMINGS,
  type Timings,
} from '../src/index.ts'

export type Script = 'well-behaved-gateway' | 'boot-crasher' | 'stubborn-gateway' | 'negligent-gateway'

export const scriptPath = (script: Script) => fileURLToPath(new URL(`./${script}.ts`, import.meta.url))

/** Short where tests wait. Checks come so seldom that none fails a gateway which a busy machine is slow to start. */
export const QUICK: Timings = {
  ...TIMINGS,
  pollIntervalMs: 60_000,
  healthTimeoutMs: 3_000,
  backoffFirstMs: 50,
  backoffMostMs: 400,
  drainMs: 8_000,
  unresponsiveGraceMs: 200,
  startProbeMs: 50,
  startWaitMs: 20_000,
  adoptedWatchMs: 50,
}

export interface TestWatchdogOptions {
  readonly script?: Script
  readonly command?: string
  readonly args?: readonly string[]
  readonly port?: number
  readonly folder?: string
  readonly timings?: Partial<Timings>
  readonly autoRestart?: boolean
  readonly token?: string
  readonly environment?: Readonly<Record<string, string>>
}

export interface TestWatchdog extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly gatewayUrl: string
  readonly folder: string
  readonly lines: readonly string[]
  status(): WatchdogStatus
  ask(path: string, init?: RequestInit): Promise<Response>
  post(path: string, body?: unknown): Promise<{ status: number; body: WatchdogStatus & { code?: string } }>
  until(state: WatchdogStatus['state'], deadlineMs?: number): Promise<WatchdogStatus>
  /** Forgets the gateway without touching it, as a watchdog does that is killed. */
  vanish(): Promise<void>
}

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-watchdog-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The supervisor with its routes in this process, over real children. */
export async function startTestWatchdog(options: TestWatchdogOptions = {}): Promise<TestWatchdog> {
  await using cleanup = new AsyncDisposableStack()
  const port = options.port ?? (await freePort())
  const gatewayUrl = `http://127.0.0.1:${port}`
  const folder = options.folder ?? cleanup.use(await temporaryFolder()).path
  const timings = { ...QUICK, ...options.timings }
  const lines: string[] = []
  const log = createLog({
    level: 'debug',
    process: 'watchdog',
    destination: { write: (line) => void lines.push(line) },
  })
  const supervisor = new Supervisor({
    plan: {
      command: options.command ?? process.execPath,
      args: [scriptPath(options.script ?? 'well-behaved-gateway'), String(port), ...(options.args ?? [])],
      environment: withCompiledCode({ PATH: process.env['PATH'], ...options.environment }),
      output: 'ignore',
    },
    gatewayUrl,
    folder: openStateFolder(folder, log),
    timings,
    autoRestart: options.autoRestart ?? true,
    newInstance: randomUUID,
    clock: systemClock,
    log,
    pid: process.pid,
  })
  const metrics = createMetrics('watchdog')
  exposeWatchdog(metrics, () => supervisor.status())
  const { rateLimit } = createInProcessBus({ node: 'test', clock: systemClock })
  const http = createHttp({
    info: { title: 'Watchdog', version: '0.0.0', description: 'Under test.' },
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
    node: 'test',
    log,
    metrics,
    checks: [],
    trustedProxies: [],
    rateLimits: { shared: rateLimit, local: rateLimit },
  })
  const token = options.token === undefined ? undefined : new Secret(options.token)
  registerWatchdog(http.app, { supervisor, timings, token })
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  cleanup.defer(() => http.drain(1_000))
  let vanished = false
  cleanup.defer(async () => {
    if (!vanished) await supervisor.stop({ leaveRunning: false })
  })
  supervisor.start()
  const owned = cleanup.move()
  const ask = (path: string, init?: RequestInit) => fetch(url + path, init)
  return {
    url,
    port,
    gatewayUrl,
    folder,
    lines,
    status: () => supervisor.status(),
    ask,
    async post(path, body) {
      const init: RequestInit =
        body === undefined
          ? { method: 'POST' }
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const answer = await ask(path, init)
      return { status: answer.status, body: (await answer.json()) as WatchdogStatus }
    },
    async until(state, deadlineMs = 20_000) {
      await waitUntil(`the state is ${state}`, () => supervisor.status().state === state, {
        deadlineMs,
        intervalMs: 10,
      }).catch((error: unknown) => {
        throw new Error(`${JSON.stringify(supervisor.status())}\n${lines.join('')}`, { cause: error })
      })
      return supervisor.status()
    },
    async vanish() {
      vanished = true
      await supervisor.stop({ leaveRunning: true })
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export async function untilGone(pid: number): Promise<void> {
  await waitUntil(`process ${pid} is gone`, () => !isRunning(pid))
}
