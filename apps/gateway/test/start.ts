import type { SpawnOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Bus } from '@patchbay/kernel/bus'
import { type Clock, systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import type { ClientOptions } from 'ws'
import { gatewayConfig, startGateway } from '../src/index.ts'
import { connect, type TestClient } from './client.ts'

/** How strangers see a gateway. */
export interface Face {
  readonly url: string
  readonly wsUrl: string
  connect(options?: ClientOptions & { readonly path?: string }): Promise<TestClient>
  /** What the person is told: the last part of the address they are sent to. */
  callback(parameters: Record<string, string> | string): Promise<string>
  ask(path: string, init?: RequestInit): Promise<Response>
  status(): Promise<{ readonly pending: number; readonly pendingHere: number; readonly sockets: number }>
}

export interface TestGateway extends Face, AsyncDisposable {
  readonly lines: readonly string[]
  /** Stops it as SIGTERM does. */
  drain(): Promise<boolean>
}

export interface TestGatewayOptions {
  readonly clock?: Clock
  readonly bus?: Bus
  readonly environment?: Record<string, string>
}

/** The gateway in this process, on a free port. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const lines: string[] = []
  const log = createLog({
    level: 'trace',
    process: 'gateway',
    destination: { write: (line) => void lines.push(line) },
  })
  const lifecycle = new Lifecycle(log)
  const { url } = await startGateway({
    config: readConfig(gatewayConfig, {
      PATCHBAY_GATEWAY_PORT: String(await freePort()),
      PATCHBAY_DRAIN_SECONDS: '5',
      ...options.environment,
    }),
    log,
    clock: options.clock ?? systemClock,
    node: `gw-${randomUUID().slice(0, 8)}`,
    lifecycle,
    createNonce: () => randomUUID(),
    ...(options.bus === undefined ? {} : { bus: options.bus }),
  })
  const drain = () => lifecycle.stop(10_000)
  return {
    ...faceOf(url),
    lines,
    drain,
    async [Symbol.asyncDispose]() {
      await drain()
    },
  }
}

const CLI = fileURLToPath(new URL('../../cli/test/command.ts', import.meta.url))

/** The gateway as an operator starts it: a process with an environment. */
export async function spawnGateway(
  environment: Record<string, string> = {},
  options: SpawnOptions = {},
): Promise<Face & RunningProcess> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const running = startProcess(process.execPath, [CLI, 'gateway'], {
    env: { PATH, TMPDIR, PATCHBAY_GATEWAY_PORT: String(await freePort()), ...environment },
    cwd: TMPDIR,
    ...options,
  })
  const listening = () => /"url":"(http:[^"]+)"/.exec(running.output())?.[1]
  await waitUntil('the gateway listens', () => listening() !== undefined, { deadlineMs: 60_000 }).catch(
    (error: unknown) => {
      throw new Error(`the gateway did not start:\n${running.output()}`, { cause: error })
    },
  )
  return Object.assign(running, faceOf(listening() ?? ''))
}

function faceOf(url: string): Face {
  const wsUrl = url.replace('http:', 'ws:')
  const ask = (path: string, init?: RequestInit) => fetch(url + path, { redirect: 'manual', ...init })
  return {
    url,
    wsUrl: `${wsUrl}/ws`,
    connect: ({ path = '/ws', ...options } = {}) => connect(wsUrl + path, options),
    ask,
    async callback(parameters) {
      const answer = await ask(`/callback?${new URLSearchParams(parameters).toString()}`)
      if (answer.status !== 303)
        throw new Error(`/callback answered ${answer.status}: ${await answer.text()}`)
      return answer.headers.get('location')?.split('/').at(-1) ?? ''
    },
    status: async () => (await ask('/status')).json(),
  }
}
