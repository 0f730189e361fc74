import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { withFreePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'

const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))

export interface RunningGateway extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly process: RunningProcess
  status(): Promise<{ pending: number; sockets: number }>
  /** How many registrations were taken over by a new connection of their client. */
  resumed(): Promise<number>
  /** What a provider does: sends a browser to the callback with an answer. Where that ends. */
  answer(parameters: Record<string, string>): Promise<string>
}

/** The gateway as an operator starts it: a process with an environment. */
export function startGateway(environment: Record<string, string> = {}): Promise<RunningGateway> {
  return withFreePort((port) => startGatewayAt(port, environment))
}

export async function startGatewayAt(
  port: number,
  environment: Record<string, string> = {},
): Promise<RunningGateway> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const url = `http://127.0.0.1:${port}`
  const running = startProcess(process.execPath, [CLI, 'gateway'], {
    env: {
      PATH,
      TMPDIR,
      PATCHBAY_GATEWAY_PORT: String(port),
      PATCHBAY_GATEWAY_PUBLIC_URL: url,
      ...environment,
    },
    cwd: TMPDIR,
  })
  const hasEnded = () => running.child.exitCode !== null
  const listens = () => hasEnded() || running.output().includes('"msg":"listening"')
  await waitUntil('the gateway listens', listens, { deadlineMs: 20_000 })
  if (hasEnded()) throw new Error(`the gateway did not start:\n${running.output()}`)
  return {
    url,
    port,
    process: running,
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
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
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
