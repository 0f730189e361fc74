import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { gatewayConfig, startGateway as startHere } from '@patchbay/gateway-app'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { freePort, withFreePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'

const CLI = fileURLToPath(new URL('../../../apps/cli/test/command.ts', import.meta.url))

export interface RunningGateway extends AsyncDisposable {
  readonly url: string
  readonly port: number
  status(): Promise<{ pending: number; sockets: number }>
  /** How many registrations were taken over by a new connection of their client. */
  resumed(): Promise<number>
  /** What a provider does: sends a browser to the callback with an answer. Where that ends. */
  answer(parameters: Record<string, string>): Promise<string>
}

type Environment = Readonly<Record<string, string>>

/** In the process of the test: a process of its own costs a second. Disposed, it drains as at a SIGTERM. */
export function startGateway(environment: Environment = {}): Promise<RunningGateway> {
  return withFreePort((port) => startGatewayAt(port, environment))
}

export async function startGatewayAt(port: number, environment: Environment = {}): Promise<RunningGateway> {
  const log = createLog({ level: 'silent', process: 'gateway' })
  const lifecycle = new Lifecycle(log)
  const node = `gateway-${randomBytes(4).toString('hex')}`
  const config = readConfig(gatewayConfig, { PATCHBAY_DRAIN_SECONDS: '1', ...variables(port, environment) })
  const createNonce = () => randomBytes(16).toString('base64url')
  await startHere({ config, log, clock: systemClock, node, lifecycle, createNonce })
  return { ...reach(port), [Symbol.asyncDispose]: async () => void (await lifecycle.stop(5_000)) }
}

export interface GatewayProcess extends RunningGateway {
  readonly process: RunningProcess
}

/** The gateway as an operator starts it: a process with an environment. */
export async function startGatewayProcess(port?: number): Promise<GatewayProcess> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const at = port ?? (await freePort())
  const running = startProcess(process.execPath, [CLI, 'gateway'], {
    env: { PATH, TMPDIR, ...variables(at) },
    cwd: TMPDIR,
  })
  const hasEnded = () => running.child.exitCode !== null
  const listens = () => hasEnded() || running.output().includes('"msg":"listening"')
  await waitUntil('the gateway listens', listens, { deadlineMs: 20_000 })
  if (hasEnded()) throw new Error(`the gateway did not start:\n${running.output()}`)
  return {
    ...reach(at),
    process: running,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}

const addressOf = (port: number) => `http://127.0.0.1:${port}`

const variables = (port: number, more: Environment = {}) => ({
  PATCHBAY_GATEWAY_PORT: String(port),
  PATCHBAY_GATEWAY_PUBLIC_URL: addressOf(port),
  ...more,
})

function reach(port: number): Omit<RunningGateway, typeof Symbol.asyncDispose> {
  const url = addressOf(port)
  return {
    url,
    port,
    status: async () => (await fetch(`${url}/status`)).json(),
    async resumed() {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return Number(/registrations_total\{event="resumed".*\} (\d+)/.exec(metrics)?.[1])
    },
    async answer(parameters) {
      const response = await fetch(`${url}/callback?${new URLSearchParams(parameters)}`)
      await response.text()
      return response.url.slice(url.length)
    },
  }
}

export async function resumedIs(gateway: RunningGateway, count: number): Promise<void> {
  const holds = async () => (await gateway.resumed()) === count
  await waitUntil(`${count} registrations were resumed`, holds, { deadlineMs: 15_000 })
}

export async function pendingIs(gateway: RunningGateway, count: number): Promise<void> {
  const holds = async () => (await gateway.status()).pending === count
  await waitUntil(`${count} registrations are pending`, holds, { deadlineMs: 15_000 })
}
